import { isNoLogFormat } from '../../records/no-log-file.ts';
import type { Part } from '../case/parts.ts';

/** An entry whose logs are not in the case, and why. */
export interface Loss {
  readonly entry: string;
  /** One sentence. */
  readonly message: string;
}

/**
 * The losses among the parts of one file: entries that could not be read as
 * logs, and a file that holds nothing but files that are no logs. What such a
 * file was to hold is not known, so it counts as lost.
 */
export function lossesOf(parts: readonly Part[]): readonly Loss[] {
  const lost = parts.flatMap(({ entry, problem }) =>
    problem
      ? [{ entry, message: `The entry "${beginningOf(entry)}" was not loaded: ${problem.message}` }]
      : [],
  );
  if (0 < lost.length) return lost;
  const others = parts.filter((part) => !isZipOfParts(part));
  const [first] = others.filter(isNoLogFile);
  if (!first || !others.every(isNoLogFile)) return [];
  return [
    {
      entry: first.entry,
      message: `The zip holds no log file, only others like "${beginningOf(first.entry)}"`,
    },
  ];
}

/** Tells whether a part is a file that is plainly no log. */
export function isNoLogFile({ format, problem }: Part): boolean {
  return problem === undefined && isNoLogFormat(format);
}

/** Tells whether a part is a zip within a zip whose entries are parts. */
export function isZipOfParts({ format, problem }: Part): boolean {
  return problem === undefined && format === 'zip';
}

/** As much of a name as a message holds: those of entries are made by others, of any length. */
function beginningOf(name: string): string {
  return name.length <= 120 ? name : `${name.slice(0, 120)}…`;
}
