import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mergeLogs, streamLogs } from '../../analysis/index.ts';
import { type StoredLog, writeLogsToParquet } from '../../case/index.ts';
import type { ExportCases, ExportProgress, WindowsProgress } from '../../export/index.ts';
import type { Filter } from '../../language/index.ts';
import type { LogOrder } from '../../records/index.ts';
import { utcZone } from '../../records/index.ts';
import {
  type CallContext,
  casesWith,
  type Download,
  type ExportStatus,
  type ExportTotals,
  filterOf,
  type LentCases,
  logsOf,
  type OpenedCases,
  type OpenProgress,
  type OrderedExport,
  type PageExports,
  PageRefusal,
  type ReceivedFile,
  type ServedUi,
  type ServeUiOptions,
  serveUi,
  type Workspace,
} from '../../server/index.ts';
import { type CommandSpec, readCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { optionFlag } from '../command-line/option.ts';
import { reportFailure } from '../command-line/report-failure.ts';
import { temporaryFolder } from '../command-line/write-output.ts';
import { withDefaults } from '../configuration/run-args.ts';
import { isProfileName, listProfileNames, readDefaultProfileName } from '../deployment/profile-folder.ts';
import { describeSharedFiles, fillCase, loadFiles } from '../input/open-sources.ts';
import { readSchemaContext } from '../input/read-query.ts';
import { readRules } from '../input/read-rules.ts';
import { systemUser } from '../input/system-user.ts';
import { runExport } from '../loading/run-export.ts';
import { formatLogs, logRows, type PrintedLog } from '../output/log-output.ts';
import type { Rows } from '../output/output-format.ts';
import { quoteForShell } from '../output/shell-word.ts';
import { rowsWorkbook } from '../report/workbook.ts';
import { exportSpec, importSpec } from '../specs/case-specs.ts';
import { Interrupted, type Terminal } from '../terminal/terminal.ts';
import { toJson, toStyle } from '../terminal/text.ts';
import { downloadReport, workbookType } from './download-report.ts';
import { listFolder } from './folder-files.ts';
import { demoName, type NamedSources, nameSources } from './named-sources.ts';
import { pageTerminal } from './page-terminal.ts';
import type { BorrowedSource, SharedSource, SourceCases } from './shared-source.ts';
import { usualPort } from './ui-spec.ts';

/** Sources and settings of a page. */
export interface ServePageOptions {
  /** Cases and log files to show; none for a page that offers those of the present folder. */
  readonly given: readonly string[];
  /** 0: any free port. The usual port unless given, or any free one if that is taken. */
  readonly port: number | undefined;
  readonly noOpen: boolean;
  readonly json: boolean;
  readonly logZone: string;
  /** Folder of rules; those of the package unless given. */
  readonly rules?: Parameters<typeof readRules>[0];
  /** File with the fields of the deployment; the documented ones unless given. */
  readonly fields?: string | undefined;
  /** Author of notes; the user of the system unless given. */
  readonly author?: string | undefined;
  /** What all commands take, by which configuration files are read. */
  readonly specs: readonly CommandSpec[];
  readonly terminal: Terminal;
}

/** Serves the page until it is interrupted. Rejects with a `UsageError` if a source or the port cannot be used. */
export async function servePage(options: ServePageOptions): Promise<ExitCode> {
  const { port, noOpen, author = systemUser(), terminal } = options;
  const signal = terminal.interruption();
  const schema = await readSchemaContext(options.fields, terminal);
  await using workspace = await openWorkspace({ ...options, folder: process.cwd() }).catch((error) => {
    throw sourceMistake(error);
  });
  const rules = await readRules(options.rules);
  const downloads = { logs: downloadLogs, report: downloadReport };
  const site = { workspace, downloads, rules, author, ...schema, rulesPath: options.rules };
  await using served = await (port === undefined
    ? serveAtUsualPort(site, terminal)
    : serveUi({ ...site, port }).catch((error) => {
        throw portMistake(error, port);
      }));
  const isInteractive = terminal.stdout.width !== undefined;
  if (isInteractive && !noOpen) openBrowser(served.url);
  await terminal.print(await greeting(served.url, workspace, options));
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve, { once: true });
  });
  return exitCodes.interrupted;
}

/** Serves the page at the usual port; at any free one, which is said, if another program has it. */
async function serveAtUsualPort(
  site: Omit<ServeUiOptions, 'port'>,
  { message }: Terminal,
): Promise<ServedUi> {
  try {
    return await serveUi({ ...site, port: usualPort });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const served = await serveUi({ ...site, port: 0 });
    message(`The usual port ${usualPort} is taken: links to it do not lead to this page`);
    return served;
  }
}

async function greeting(url: string, workspace: Workspace, { json }: ServePageOptions): Promise<string> {
  if (json) return `${toJson({ url })}\n`;
  const { given } = await workspace.offers();
  return [
    `${0 < given.length ? given.join(', ') : 'The files of this folder'}: ${url}`,
    'Only this machine can reach it, and only with this address. Press Ctrl-C to stop it.',
    '',
  ].join('\n');
}

/** Turns the refusal of a source into a `UsageError`; returns other errors unchanged. */
function sourceMistake(error: unknown): unknown {
  return error instanceof PageRefusal ? new UsageError(error.message, { cause: error }) : error;
}

/** Turns a failure to listen into a `UsageError`; returns other errors unchanged. */
function portMistake(error: unknown, port: number): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const message = `The port ${port} cannot be used: ${error.message}; --port 0 takes any free port`;
  return new UsageError(message, { cause: error });
}

/** Sources of a page and the settings of opening them. */
interface WorkspaceOptions {
  /** Sources of the command line. */
  readonly given: readonly string[];
  /** Folder whose files the page offers. */
  readonly folder: string;
  /** Zone of times without one in log files. */
  readonly logZone: string;
  readonly terminal: Terminal;
  /** What all commands take, by which configuration files are read. */
  readonly specs: readonly CommandSpec[];
}

/**
 * Opens the given sources for a page; files of the folder are opened on demand. Rejects as
 * `openSources` does.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { folder, logZone, terminal, specs } = options;
  const { environment } = terminal;
  const temporary = await temporaryFolder();
  const closed = new AbortController();
  const quiet = pageTerminal({ environment, signal: closed.signal, message: () => {} });
  const sources = nameSources({ folder, temporary: temporary.path, logZone, quiet });
  const exports = pageExports({ specs, environment, sources });
  const acquire = lender(sources, logZone);
  const close = async () => {
    await exports.stop();
    closed.abort(new Error('The page is closed'));
    await sources[Symbol.asyncDispose]();
    await temporary[Symbol.asyncDispose]();
  };
  try {
    const givenNames = await sources.addGiven(options.given, terminal);
    await warnOfSharedFiles(await acquire(givenNames), terminal);
    return {
      acquire: (names) => acquire(names.length === 0 ? givenNames : names),
      async offers() {
        const { files, hasMore } = await listFolder(folder);
        return {
          folder: basename(folder) || folder,
          hasMore,
          demo: demoName,
          given: givenNames,
          files: files.map((file) => ({ ...file, isOpen: sources.has(file.name) })),
          profiles: await profilesOf(environment),
        };
      },
      open(name, signal) {
        const ends = AbortSignal.any([signal, closed.signal]);
        return reportOpening(name, { sources, environment, signal: ends });
      },
      async receive(file) {
        const { into } = file;
        if (into !== undefined && existsSync(sources.pathOf(into)))
          throw new PageRefusal(`The file "${into}" exists already: choose another name`, 409);
        const path = await receiveFile(file, temporary.path);
        if (into === undefined) return sources.addFile(path);
        await importFile(path, sources.pathOf(into), { specs, logZone, environment, signal: closed.signal });
        return into;
      },
      exports,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Lends open cases; the same cases are the same object, by which cursors into them are remembered. */
function lender(sources: NamedSources, logZone: string): Workspace['acquire'] {
  const combined = new Map<
    string,
    { readonly parts: readonly SourceCases[]; readonly opened: OpenedCases }
  >();
  return async (names) => {
    const shared: SharedSource[] = [];
    const borrowed: BorrowedSource[] = [];
    const release = () => {
      for (const { release } of borrowed) release();
    };
    try {
      for (const name of new Set(names)) {
        const source = await sources.find(name);
        shared.push(source);
        borrowed.push(await source.acquire());
      }
    } catch (error) {
      release();
      throw error;
    }
    const parts = borrowed.map(({ source }) => source);
    const key = JSON.stringify(names);
    const known = combined.get(key);
    // The cursors of a case that grows change.
    const isFixed = shared.every((source) => !source.isFilling());
    if (known && isFixed && known.parts.every((part, index) => part === parts[index]))
      return { opened: known.opened, release };
    const opened = combine(shared, parts, logZone);
    combined.set(key, { parts, opened });
    return { opened, release };
  };
}

function combine(
  shared: readonly SharedSource[],
  parts: readonly SourceCases[],
  logZone: string,
): OpenedCases {
  const cases = parts.flatMap((part) => part.cases);
  const hasLogFiles = cases.some(({ originals }) => originals === 'in place');
  return {
    cases,
    readingOptions: hasLogFiles ? logZoneWords(logZone) : [],
    logs: parts.flatMap(({ logs }) => logs),
    names: parts.flatMap(({ names }) => names),
    remarks: parts.flatMap(({ remarks = [] }) => remarks),
    paths: shared.flatMap(({ args }) => args),
  };
}

/** The options of a command line for a zone of log files, with the unit of numeric times if it has one. */
function logZoneWords(logZone: string): readonly string[] {
  const [zone = '', unit] = logZone.split(' ');
  return [
    ...(zone === utcZone.name ? [] : ['--log-zone', zone]),
    ...(unit === undefined ? [] : ['--time-unit', unit]),
  ];
}

async function warnOfSharedFiles({ opened, release }: LentCases, { message }: Terminal): Promise<void> {
  try {
    for (const line of await describeSharedFiles(opened.cases, opened.names)) message(line);
  } finally {
    release();
  }
}

interface Opening {
  readonly sources: NamedSources;
  readonly environment: Terminal['environment'];
  readonly signal: AbortSignal;
}

async function* reportOpening(
  name: string,
  { sources, environment, signal }: Opening,
): AsyncGenerator<OpenProgress> {
  const queue = makeEventQueue<OpenProgress>();
  const terminal = pageTerminal({
    environment,
    signal,
    message: (text) => queue.add({ kind: 'message', text }),
    show: (text) => queue.add({ kind: 'status', text }),
  });
  const work = async () => {
    const { release } = await (await sources.find(name)).acquire(terminal);
    release();
    queue.add({ kind: 'opened', name });
  };
  work().then(
    () => queue.end(),
    (error: unknown) => queue.end(error),
  );
  yield* queue;
}

/** Names of profiles, the default one first; an empty name stands for the settings of the environment. */
async function profilesOf(environment: Terminal['environment']): Promise<readonly string[]> {
  const names = await listProfileNames(environment);
  const first = environment.LOGQUARRY_PROFILE || (await readDefaultProfileName(environment));
  const sorted = names.toSorted((a, b) => Number(b === first) - Number(a === first));
  return environment.LOGQUARRY_URL ? ['', ...sorted] : sorted;
}

/** Context of the exports of a page. */
interface PageExportsOptions {
  readonly specs: readonly CommandSpec[];
  readonly environment: Terminal['environment'];
  readonly sources: NamedSources;
}

/** Messages that are kept. */
const mostMessages = 200;

/**
 * Exports that a page starts, on the cases of the page. Options are read and checked as those of the command `export`,
 * with the defaults of configuration files, and its messages are those of the command.
 */
function pageExports({ specs, environment, sources }: PageExportsOptions): PageExports {
  let status: ExportStatus | undefined;
  let running: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;
  const cases = casesOf(sources);
  return {
    status: () => status,
    async start(order) {
      if (running) throw new PageRefusal('An export is running: stop it first, or wait for its end', 409);
      checkCaseName(order, sources);
      checkProfile(order);
      const stop = new AbortController();
      const started: ExportStatus = {
        order,
        command: commandOf(order),
        state: 'running',
        started: Date.now(),
        messages: [],
      };
      status = started;
      const change = (next: Partial<ExportStatus>) => {
        status = { ...(status ?? started), ...next };
      };
      const terminal = pageTerminal({
        environment,
        signal: stop.signal,
        message: (line) => change({ messages: [...(status?.messages ?? []), line].slice(-mostMessages) }),
      });
      const onProgress = (progress: WindowsProgress | ExportProgress) => {
        if ('event' in progress && progress.event === 'totals') change({ totals: totalsOf(progress) });
      };
      const work = async () => {
        const path = sources.pathOf(order.case);
        // The case has an overview of its own in the page.
        const writtenCall = { arguments: {}, options: { ...writtenOptions(order, path), json: ['true'] } };
        const whole = await withDefaults(exportSpec, writtenCall, async () => specs, environment);
        return await runExport(readCall(exportSpec, whole).options, { terminal, cases, onProgress });
      };
      const done = work()
        .catch((error: unknown) => reportFailure(error, terminal))
        .then((code) => {
          change({ state: stateOf(code) });
          running = undefined;
        });
      running = { done, stop };
      return started;
    },
    async stop() {
      running?.stop.abort(new Interrupted('Interrupted'));
      await running?.done;
    },
  };
}

/** Cases of the page, which views read while they are filled. */
function casesOf(sources: NamedSources): ExportCases {
  const sourceAt = (path: string) => sources.caseInFolder(basename(path));
  return {
    use: (path, work) => sourceAt(path).fill({ memory: 'little' }, work),
    fill: (path, options, work) => sourceAt(path).fill({ ...options, create: 'if filled' }, work),
  };
}

/** A case file of the folder itself: no path, no option, no hidden file. */
function checkCaseName({ case: name, kind }: OrderedExport, { pathOf }: NamedSources): void {
  if (!/^[^./\\-][^/\\]*\.duckdb$/.test(name))
    throw new PageRefusal(
      `The case must be the name of a file of the folder that ends in ".duckdb", got "${name}"`,
    );
  if (kind !== 'new' && !existsSync(pathOf(name)))
    throw new PageRefusal(`There is no case file "${name}"`, 404);
}

/** A profile by its name, never a file by its path. */
function checkProfile({ profile }: OrderedExport): void {
  if (profile !== '' && !isProfileName(profile))
    throw new PageRefusal(`The profile must be the name of one, got "${profile}"`);
}

const targets = {
  new: 'into',
  resume: 'resume',
  'retry gaps': 'retryGaps',
  'since last': 'sinceLast',
} as const;

/** The options of an export as they are written on a command line. */
function writtenOptions(
  { profile, kind, from, to, search, logLevel }: OrderedExport,
  path: string,
): Readonly<Record<string, readonly string[]>> {
  const times = kind === 'new' ? { from, to, search, logLevel } : {};
  const options = Object.entries({ profile, [targets[kind]]: path, ...times });
  return Object.fromEntries(
    options.flatMap(([name, text = '']) => (text.trim() === '' ? [] : [[name, [text]] as const])),
  );
}

/** The command line of the same export. */
function commandOf(order: OrderedExport): string {
  const options = Object.entries(writtenOptions(order, order.case));
  const args = options.flatMap(([name, texts]) => [optionFlag(name), ...texts]);
  return ['logquarry', 'export', ...args.map(quoteForShell)].join(' ');
}

function totalsOf({
  event: _,
  ...totals
}: Extract<WindowsProgress, { readonly event: 'totals' }>): ExportTotals {
  return totals;
}

function stateOf(code: ExitCode): ExportStatus['state'] {
  if (code === exitCodes.done) return 'complete';
  if (code === exitCodes.interrupted) return 'stopped';
  return code === exitCodes.incomplete ? 'incomplete' : 'failed';
}

/**
 * Writes a file that a browser sends into a new folder below `folder`, under its own name. Returns the
 * path. An interrupted one is removed. Memory does not depend on its size.
 */
async function receiveFile({ name, bytes, signal }: ReceivedFile, folder: string): Promise<string> {
  const own = await mkdtemp(join(folder, 'received-'));
  const path = join(own, name);
  try {
    // The types of Node and of the web name the same stream.
    const input = Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    return path;
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
}

/** How the page imports a file. */
interface ImportContext {
  readonly specs: readonly CommandSpec[];
  readonly logZone: string;
  readonly environment: Terminal['environment'];
  readonly signal: AbortSignal;
}

/**
 * Imports a file into a new case as the command `import` does, with the defaults of configuration files. Rejects with a
 * `PageRefusal` in the words of the command if something could not be loaded.
 */
async function importFile(
  file: string,
  path: string,
  { specs, logZone, environment, signal }: ImportContext,
): Promise<void> {
  const messages: string[] = [];
  const terminal = pageTerminal({ environment, signal, message: (line) => messages.push(line) });
  const work = async () => {
    const writtenCall = { arguments: { file: [file] }, options: { into: [path] } };
    const whole = await withDefaults(importSpec, writtenCall, async () => specs, environment);
    const { noIndex } = readCall(importSpec, whole).options;
    const options = { zone: logZone, index: !noIndex, terminal };
    return (await fillCase(path, { terminal }, (into) => loadFiles(into, [file], options))).outcome;
  };
  const code = await work().catch((error: unknown) => reportFailure(error, terminal));
  if (code !== exitCodes.done) throw new PageRefusal(messages.join('\n'), 422);
}

/** Values that callbacks add and one reader takes, in order. */
interface EventQueue<T> extends AsyncIterable<T> {
  readonly add: (value: T) => void;
  /** Ends the values, with an error if one is given. */
  readonly end: (error?: unknown) => void;
}

/** Makes an empty queue. */
function makeEventQueue<T>(): EventQueue<T> {
  const waiting: T[] = [];
  let ending: { readonly error: unknown } | undefined;
  let wake = () => {};
  return {
    add(value) {
      waiting.push(value);
      wake();
    },
    end(error) {
      ending ??= { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (0 < waiting.length) continue;
        if (ending?.error !== undefined) throw ending.error;
        if (ending) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

const types = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: workbookType,
} as const;

/** Writes the logs of a selection as "logquarry search" writes them to a file. */
export const downloadLogs: Download = async ({ format, order, ...selected }, context) => {
  const filter = await filterOf(selected, context.opened);
  const name = `logs.${format}`;
  const type = types[format];
  if (format === 'parquet') return { name, type, pieces: parquetFile(filter, order, context) };
  const hasCases = 1 < context.opened.logs.length;
  const rows = logRows(printedLogs(filter, order, context), { hasCases });
  if (format === 'xlsx') return { name, type, pieces: workbook(rows) };
  const face = { width: undefined, style: toStyle(false) };
  return { name, type, pieces: formatLogs(rows, format, face) };
};

async function* printedLogs(
  filter: Filter,
  order: LogOrder,
  context: CallContext,
): AsyncGenerator<PrintedLog, void, undefined> {
  const {
    opened: { logs, names },
    signal,
  } = context;
  const streams = logsOf(context).map((log) => streamLogs(log, filter, { order, signal }));
  for await (const { ofCase, ...log } of mergeLogs<StoredLog>(streams, order))
    yield { ...log, ...(1 < logs.length && { case: names[ofCase] ?? '' }) };
}

async function* workbook(rows: Rows<PrintedLog>): AsyncGenerator<Uint8Array, void, undefined> {
  yield await rowsWorkbook(rows, 'Logs');
}

async function* parquetFile(
  filter: Filter,
  order: LogOrder,
  context: CallContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const {
    opened: { names },
    signal,
  } = context;
  const cases = await casesWith(filter, context);
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'logs.parquet');
  const writtenCases = cases.map((from, index) => ({ from, name: names[index] ?? '', options: { order } }));
  await writeLogsToParquet(path, writtenCases, { filter, order, signal });
  for await (const piece of createReadStream(path)) yield piece;
}

/** Opens an address in the browser of the user. Without one nothing happens: the address is printed as well. */
function openBrowser(url: string): void {
  const [program, ...args] = browserCommand(url);
  if (program === undefined) return;
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

function browserCommand(url: string): readonly string[] {
  switch (process.platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return ['xdg-open', url];
  }
}
