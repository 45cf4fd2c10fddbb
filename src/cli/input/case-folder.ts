import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Case } from '../../case/index.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeFileName } from '../terminal/text.ts';

/** The cases of folders, open for reading. */
export interface FolderCases extends AsyncDisposable {
  readonly cases: readonly Case[];
  /** Exit code: `incomplete` if a case is left out, since another process writes to it. */
  readonly outcome: ExitCode;
}

/** What is in a folder with cases. */
interface FolderContent {
  /** The paths of its cases by their names, which name the oldest period first. */
  readonly cases: readonly string[];
  /** Names of other files and folders, which are not read. */
  readonly others: readonly string[];
}

/** Returns the cases of a folder, not of folders in it; undefined if the path is no folder, or one without cases. */
export function casesInFolder(path: string): FolderContent | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const names = readdirSync(path).toSorted();
  const cases = names.filter((name) => !name.startsWith('.') && /\.duckdb$/i.test(name));
  if (cases.length === 0) return undefined;
  const others = names.filter((name) => !cases.includes(name) && !isBesideCase(name));
  return { cases: cases.map((name) => join(path, name)), others };
}

/** True for what programs keep beside cases: hidden and JSON files, originals, and files of the database. */
function isBesideCase(name: string): boolean {
  return /^\.|\.json$|\.duckdb\.(?:evidence|wal|tmp|sql)\b/i.test(name);
}

/** Says which files of a folder with cases are not read; undefined if there are none. */
export function leftOutLine(path: string, { cases, others }: FolderContent): string | undefined {
  if (others.length === 0) return undefined;
  const shown = others.slice(0, mostNamed).map((name) => `"${escapeFileName(name)}"`);
  const more = others.length - shown.length;
  const names = more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
  const read = cases.length === 1 ? 'its case is' : `its ${cases.length} cases are`;
  return `"${escapeFileName(basename(path))}": ${read} read, and not ${names}.`;
}

/** Throws a `UsageError` if a path is a folder of cases, for a command that reads one case. */
export function refuseFolder(path: string): void {
  const example = casesInFolder(path)?.cases.at(-1);
  if (example === undefined) return;
  throw new UsageError(
    `"${path}" is a folder of cases, and this command reads one case: name it, such as "${example}"`,
  );
}

/** The most files that one line names. */
const mostNamed = 5;

/** Opens the cases of folders. Waits for a process that writes to one, as the terminal is told. */
export async function openFolderCases(paths: readonly string[], terminal: Terminal): Promise<FolderCases> {
  const { openCaseSet } = await import('../../case/index.ts');
  const name = (path: string) => `"${escapeFileName(basename(path))}"`;
  const set = await openCaseSet(paths, {
    signal: terminal.interruption(),
    onWait: (path) => terminal.message(`Waiting for the process that writes to ${name(path)} …`),
  });
  for (const { path } of set.locked)
    terminal.message(
      `${name(path)} is left out, because another process still writes to it: its logs are missing here.`,
    );
  return {
    cases: set.cases,
    outcome: 0 < set.locked.length ? exitCodes.incomplete : exitCodes.done,
    [Symbol.asyncDispose]: () => set[Symbol.asyncDispose](),
  };
}
