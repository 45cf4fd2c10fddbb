import { realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Case, openCase, type StoredLog, StoreError } from '../../store/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { countedTwice } from './counted-twice.ts';
import { isDatabase } from './is-database.ts';
import { loadFiles } from './load-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Cases that are open for a question over all of them. */
export interface Sources extends AsyncDisposable {
  readonly cases: readonly Case[];
  /** What a log is said to be from: the case, or the file that was loaded for the question. */
  readonly nameOf: (log: StoredLog, ofCase: number) => string;
  /** The name of each case. */
  readonly names: readonly string[];
  /** Whether there is more than one, so that logs have to say where they are from. */
  readonly areSeveral: boolean;
  /** What the process is to end with: not `done` when a file could not be loaded. */
  readonly outcome: ExitCode;
}

/** How the sources of a question are opened. */
interface SourceOptions {
  /** The zone of times in log files that name none. */
  readonly zone: string;
}

/**
 * Opens case files, and loads all other files into one case that is gone
 * afterwards: it leaves the files where they are. A source that is named twice
 * is one; where a file is in several, it says so.
 */
export async function openSources(
  named: readonly string[],
  { zone }: SourceOptions,
  terminal: Terminal,
): Promise<Sources> {
  const opened: AsyncDisposable[] = [];
  const close = async () => {
    for (const each of opened.toReversed()) await each[Symbol.asyncDispose]();
  };
  try {
    const paths = distinct(named);
    const { cases: casePaths, files } = await parted(paths);
    const cases: Case[] = [];
    for (const path of casePaths) {
      const each = await openCase(path, { access: 'read' });
      opened.push(each);
      cases.push(each);
    }
    const names = casePaths.map((path) => basename(path));
    let outcome: ExitCode = exitCodes.done;
    if (0 < files.length) {
      const folder = await temporaryFolder();
      opened.push(folder);
      const path = join(folder.path, 'loaded.duckdb');
      const into = await openCase(path, { access: 'write', create: true, originals: 'in place' });
      opened.push(into);
      ({ outcome } = await loadFiles(into, files, { zone, terminal }));
      cases.push(into);
      names.push(files.map((file) => basename(file)).join(', '));
    }
    for (const line of await countedTwice(cases, names)) terminal.say(line);
    const nameOf: Sources['nameOf'] = ({ entry }, ofCase) =>
      cases[ofCase]?.originals === 'in place' ? entry : (names[ofCase] ?? '');
    return { cases, names, areSeveral: 1 < paths.length, outcome, nameOf, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The paths of different files, each as it was written first. */
function distinct(paths: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const path of paths) {
    const there = statSync(path, { throwIfNoEntry: false });
    if (!there) throw new StoreError('CASE_NOT_FOUND', `There is neither a case nor a log file "${path}"`);
    if (there.isDirectory())
      throw new StoreError('NOT_A_CASE', `"${path}" is a folder; name the files in it`);
    if (!there.isFile())
      throw new UsageError(`"${path}" can be read only once; save what it gives as a file first`);
    const real = realpathSync(path);
    if (!found.has(real)) found.set(real, path);
  }
  return [...found.values()];
}

/** Which paths are cases, and which files to load. */
async function parted(
  paths: readonly string[],
): Promise<{ readonly cases: readonly string[]; readonly files: readonly string[] }> {
  // What cannot be read is taken for a case, so that opening it says so.
  const areCases = await Promise.all(paths.map(async (path) => (await isDatabase(path)) ?? true));
  return {
    cases: paths.filter((_, index) => areCases[index]),
    files: paths.filter((_, index) => !areCases[index]),
  };
}
