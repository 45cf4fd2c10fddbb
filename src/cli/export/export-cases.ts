import { type Case, openCase } from '../../case/index.ts';
import { fillCase } from '../input/fill-case.ts';

/** Opens the cases that exports fill. */
export interface ExportCases {
  /** Runs work on an existing case open for writing. */
  readonly use: <T>(path: string, work: (into: Case) => Promise<T>) => Promise<T>;
  /** Runs work on a case open for writing, as `fillCase` does. */
  readonly fill: typeof fillCase;
}

/** Cases that are opened for one export and closed after it. */
export const ownCases: ExportCases = {
  async use(path, work) {
    await using into = await openCase(path, { access: 'write', memory: 'little' });
    return await work(into);
  },
  fill: fillCase,
};
