import { createWriteStream, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AnyLogSource as LogsAsked } from '../../analysis/index.ts';
import {
  type AddedFile,
  type Case,
  filesWithLogs,
  type ImportProgress,
  type ImportResult,
  importFiles,
  lossesOf,
  type OpenOptions,
  openCase,
  type StoredLog,
} from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import { StoreError } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import { errorField } from '../../records/index.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { isDatabase } from '../command-line/files.ts';
import { reportFailure } from '../command-line/report-failure.ts';
import { temporaryFolder } from '../command-line/write-output.ts';
import {
  archivedHandOverLines,
  entryNoteLines,
  hasDoubtfulHandOver,
  isLoss,
  losesLogs,
  overlapLines,
  partRemarks,
  withoutNoted,
} from '../output/part-table.ts';
import { displayProgress, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeFileName, escapeUnsafe } from '../terminal/text.ts';
import { casesInFolder, leftOutLine, openFolderCases } from './case-folder.ts';
import type { OpeningCase } from './opening-cases.ts';

/** Open cases for one question. */
export interface Sources extends AsyncDisposable {
  /** The cases, then the copies of logs of clusters, if these are copied. */
  readonly cases: readonly Case[];
  /** The cases, then the logs of clusters. */
  readonly logs: readonly LogsAsked[];
  /** Returns the origin of a log: the case, or the loaded file. */
  readonly nameOf: (log: StoredLog, ofCase: number) => string;
  /** The names of the cases. */
  readonly names: readonly string[];
  /** What the logs of clusters lack, as the terminal was told. */
  readonly remarks: readonly string[];
  /** True if there are several sources, so that each log names its origin. */
  readonly areSeveral: boolean;
  /** Exit code: not `done` if a file could not be loaded. */
  readonly outcome: ExitCode;
}

/** Names that are listed one by one. */
const fewNames = 5;

/** The names of sources for a heading: the first and the last of many. */
export function headingOf(names: readonly string[]): string {
  if (names.length <= fewNames) return names.join(', ');
  return `${names[0]} to ${names.at(-1)} (${formatNumber(names.length)} cases)`;
}

/** Options of opening sources. */
interface SourceOptions {
  /** Zone of times without one in log files. */
  readonly logZone: string;
  /**
   * Clusters are read like cases; or their logs that a filter selects are copied into temporary cases, for
   * questions that only a case answers.
   */
  readonly clusters: 'read' | { readonly copied: Filter; readonly contents?: 'whole' };
  /** A case that is being opened already. */
  readonly opening?: OpeningCase;
}

/**
 * Opens case files and the cases of folders, and loads all other files into one temporary case; "-" is the standard input. A source named twice counts
 * once; reports files that are in several sources.
 */
export async function openSources(
  named: readonly string[],
  { logZone, clusters, opening }: SourceOptions,
  terminal: Terminal,
): Promise<Sources> {
  const opened: AsyncDisposable[] = [];
  const close = async () => {
    for (const resource of opened.toReversed()) await resource[Symbol.asyncDispose]();
  };
  try {
    const addresses = [...new Set(named.filter(isClusterAddress))];
    const input = await spoolInput(
      named.filter((source) => !isClusterAddress(source)),
      terminal,
    );
    opened.push(input);
    const paths = distinct(input.paths.flatMap((path) => withCasesOf(path, terminal)));
    const inFolders = new Set(paths.filter((path) => !input.paths.includes(path)));
    const { cases: casePaths, files } = await parted(paths.filter((path) => !inFolders.has(path)));
    const cases: Case[] = [];
    for (const path of casePaths) {
      const openedCase = await (opening?.take(path) ?? openCase(path, { access: 'read' }));
      opened.push(openedCase);
      cases.push(openedCase);
    }
    let outcome: ExitCode = exitCodes.done;
    if (0 < inFolders.size) {
      const folders = await openFolderCases([...inFolders], terminal);
      opened.push(folders);
      cases.push(...folders.cases);
      ({ outcome } = folders);
    }
    const names = cases.map(({ path }) => basename(path));
    if (0 < files.length) {
      const folder = await temporaryFolder();
      opened.push(folder);
      const path = join(folder.path, 'loaded.duckdb');
      const into = await openCase(path, { access: 'write', create: true, originals: 'in place' });
      opened.push(into);
      const loaded = await loadFiles(into, files, { zone: logZone, terminal });
      if (loaded.outcome !== exitCodes.done) ({ outcome } = loaded);
      cases.push(into);
      names.push(files.map((file) => basename(file)).join(', '));
    }
    const ofFiles = cases.length;
    const logs: LogsAsked[] = [...cases];
    const remarks: string[] = [];
    const message = (line: string) => {
      remarks.push(line);
      terminal.message(line);
    };
    if (0 < addresses.length) {
      const { openClusterLogs } = await import('../cluster/open-cluster.ts');
      for (const address of addresses) {
        const cluster = await openClusterLogs(address, { ...terminal, message });
        opened.push(cluster);
        logs.push(cluster.logs);
        names.push(cluster.name);
        if (clusters !== 'read') cases.push(await cluster.logs.copyLogs(clusters.copied, clusters));
      }
    }
    for (const line of await describeSharedFiles(cases.slice(0, ofFiles), names)) terminal.message(line);
    const nameOf: Sources['nameOf'] = ({ entry }, ofCase) =>
      ofCase < ofFiles && cases[ofCase]?.originals === 'in place' ? entry : (names[ofCase] ?? '');
    return {
      cases,
      logs,
      names,
      remarks,
      outcome,
      areSeveral: 1 < paths.length + addresses.length,
      nameOf,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the cases of a folder that has some, and says what else is in it; any other path as it is. */
function withCasesOf(path: string, { message }: Pick<Terminal, 'message'>): readonly string[] {
  const content = casesInFolder(path);
  if (!content) return [path];
  const leftOut = leftOutLine(path, content);
  if (leftOut !== undefined) message(leftOut);
  return content.cases;
}

/** Removes repeated files; each keeps its first spelling. */
function distinct(paths: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const path of paths) {
    const there = statSync(path, { throwIfNoEntry: false });
    if (!there) throw new StoreError('CASE_NOT_FOUND', `The file "${path}" does not exist`);
    if (there.isDirectory())
      throw new StoreError('NOT_A_CASE', `"${path}" is a folder: name the files in it`);
    if (!there.isFile())
      throw new UsageError(`"${path}" can be read only once: save its content as a file first`);
    const real = realpathSync(path);
    if (!found.has(real)) found.set(real, path);
  }
  return [...found.values()];
}

/** Separates cases from files to load. */
async function parted(
  paths: readonly string[],
): Promise<{ readonly cases: readonly string[]; readonly files: readonly string[] }> {
  // An unreadable file counts as a case, so that opening it reports the error. So does an empty one with the name
  // of a case, which a killed command left: its logs are not none, but unknown.
  const areCases = await Promise.all(
    paths.map(async (path) => isEmptyCase(path) || ((await isDatabase(path)) ?? true)),
  );
  return {
    cases: paths.filter((_, index) => areCases[index]),
    files: paths.filter((_, index) => !areCases[index]),
  };
}

function isEmptyCase(path: string): boolean {
  return /\.duckdb$/i.test(path) && statSync(path, { throwIfNoEntry: false })?.size === 0;
}

/** Warnings about sources with common files, whose logs are found in each. */
export async function describeSharedFiles(
  cases: readonly Case[],
  names: readonly string[],
): Promise<string[]> {
  if (cases.length < 2) return [];
  const files = await Promise.all(cases.map(filesWithLogs));
  return files.flatMap((ofCase, index) =>
    files.slice(0, index).flatMap((earlier, at) => {
      const common = [...ofCase].filter(([sha256]) => earlier.has(sha256)).map(([, name]) => name);
      const of = cases[index]?.originals === 'in place' ? '' : ` of "${escapeFileName(names[index] ?? '')}"`;
      return sentence(common, of, `"${escapeFileName(names[at] ?? '')}"`);
    }),
  );
}

function sentence([first, ...others]: readonly string[], of: string, earlier: string): string[] {
  if (first === undefined) return [];
  const example = `"${escapeFileName(first)}"`;
  if (others.length === 0) return [`${example}${of} is also in ${earlier}: its logs are counted twice.`];
  const count = formatNumber(others.length + 1);
  return [
    `${count} files${of}, for instance ${example}, are also in ${earlier}: their logs are counted twice.`,
  ];
}

/** The standard input as a file, which is removed on disposal. */
interface SpooledInput extends AsyncDisposable {
  /** The paths, with that of the file in place of "-". */
  readonly paths: readonly string[];
}

/** Writes the standard input to a file if a path is "-": zips have to be read from their end. */
export async function spoolInput(paths: readonly string[], terminal: Terminal): Promise<SpooledInput> {
  if (!paths.includes('-')) return { paths, async [Symbol.asyncDispose]() {} };
  const folder = await temporaryFolder();
  try {
    const path = join(folder.path, 'stdin');
    await writeInput(path, terminal);
    return {
      paths: paths.map((source) => (source === '-' ? path : source)),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

function writeInput(path: string, terminal: Terminal): Promise<void> {
  const input = Readable.from(terminal.inputBytes(), { objectMode: false });
  return pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
    signal: terminal.interruption(),
  });
}

/** Result of loading files. */
interface LoadedFiles {
  readonly added: readonly AddedFile[];
  /** Logs that are in the case from other files too, or were left out for that. */
  readonly overlaps: ImportResult['overlaps'];
  /** Exit code: not `done` if a file could not be loaded. */
  readonly outcome: ExitCode;
}

interface LoadOptions {
  /** Zone of times without one. */
  readonly zone: string;
  /** True indexes the logs at the end if that is worth it. */
  readonly index?: boolean;
  /** True leaves out logs that the case has from other files. */
  readonly noDuplicates?: boolean;
  /**
   * True refuses entries with implausible times, and makes the outcome incomplete if logs may not be found; false
   * does the latter only for logs that are lost to a search. Absent: the outcome is that of the files alone.
   */
  readonly strict?: boolean | undefined;
  /** Reports if an entry of an archive is read. */
  readonly isWantedEntry?: (path: string) => boolean;
  readonly terminal: Terminal;
}

/** Imports files into a case, shows the progress, and reports what is not in it. */
export async function loadFiles(
  into: Case,
  files: readonly string[],
  { terminal, ...options }: LoadOptions,
): Promise<LoadedFiles> {
  let display = displayProgress(terminal);
  const isKept = into.originals !== 'in place';
  let outcome: ExitCode = exitCodes.done;
  const show = (progress: ImportProgress) => {
    switch (progress.stage) {
      case 'loading': {
        const { file, bytes, totalBytes: total } = progress;
        display.update({
          doing: `Loading ${file}`,
          done: bytes,
          unit: 'B',
          ...(total !== undefined && { total }),
        });
        return;
      }
      case 'refused':
        terminal.show('');
        outcome = reportFailure(progress.error, terminal);
        return;
      case 'loaded':
        display.end();
        display = displayProgress(terminal);
        for (const line of importRemarks(progress.result, { isKept })) terminal.message(line);
        return;
      case 'indexing':
        display.update({ doing: 'Indexing', done: progress.done, total: progress.total, unit: 'logs' });
    }
  };
  try {
    const signal = terminal.interruption();
    const { added, overlaps, isComplete } = await importFiles(into, files, { ...options, signal }, show);
    const isNothing = 0 < added.length && added.every(isLeftOut);
    if (isNothing) terminal.message('Nothing was read: --include and --exclude leave out every entry.');
    if (outcome === exitCodes.done && (isNothing || !isComplete)) outcome = exitCodes.no;
    const { strict } = options;
    const isDoubtful =
      added.some(hasDoubtfulHandOver) ||
      (strict !== undefined && added.some(hasLostLogs)) ||
      (strict && added.some(hasLoss));
    if (outcome === exitCodes.done && isDoubtful) outcome = exitCodes.incomplete;
    return { added, overlaps, outcome };
  } finally {
    display.end();
  }
}

/**
 * Reports if logs of a file are lost: records were not read as logs, or no search for their time or level has them.
 * An unreadable record that is the error of a saved reply is quoted by the remark on it.
 */
function hasLostLogs({ parts }: AddedFile): boolean {
  return parts.some(({ problem, unreadable, remarks }) => {
    const errors =
      remarks.find(({ code, field }) => code === 'MORE_LOGS' && field === errorField)?.count ?? 0;
    const isUnread = errors < unreadable;
    return problem === undefined && (isUnread || remarks.some(losesLogs));
  });
}

/** Reports if logs of a file may not be found. */
function hasLoss({ parts }: AddedFile): boolean {
  return parts.some(({ remarks }) => remarks.some(isLoss));
}

/** Reports if no entry of a file was wanted. */
export function isLeftOut({ parts, leftOutEntries = 0 }: AddedFile): boolean {
  return parts.length === 0 && 0 < leftOutEntries;
}

/** What the parts of an import lack, and what was assumed of them. */
function importRemarks(
  { added, notes, overlaps }: ImportResult,
  options: { readonly isKept: boolean },
): readonly string[] {
  const sound = added.filter(({ parts }) => parts.every(({ problem }) => !problem));
  return [
    ...added.flatMap(({ name, leftOutEntries = 0 }) =>
      leftOutEntries === 0
        ? []
        : [
            `"${escapeFileName(name)}": --include or --exclude left out ${leftOutEntries === 1 ? 'an entry' : `${formatNumber(leftOutEntries)} entries`}.`,
          ],
    ),
    ...added.flatMap(archivedHandOverLines),
    ...partRemarks(
      added.flatMap(({ parts }) => parts),
      options,
    ),
    ...entryNoteLines(notes),
    ...overlapLines(withoutNoted(overlaps)),
    ...sound.flatMap(({ name, parts }) =>
      lossesOf(parts).map(({ message }) => `"${escapeFileName(name)}": ${escapeUnsafe(message)}`),
    ),
  ];
}

/** Options of opening a case for writing. */
interface FillOptions extends Pick<OpenOptions, 'memory'> {
  readonly terminal: Terminal;
}

/**
 * Runs work that adds to a case, creating the case if missing. If nothing was added, no new case is
 * left, and a message says so. Rejects as the work does, or with a `StoreError`.
 */
export async function fillCase<T>(
  path: string,
  { terminal, ...options }: FillOptions,
  work: (into: Case) => Promise<T>,
): Promise<T> {
  const into = await openCase(path, { ...options, access: 'write', create: 'if filled' });
  try {
    return await work(into);
  } finally {
    await into[Symbol.asyncDispose]();
    if (!existsSync(path))
      terminal.message(`"${escapeUnsafe(path)}" was not created, because there was nothing to store.`);
  }
}
