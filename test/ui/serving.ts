import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { commands } from '../../src/cli/command-table.ts';
import { readRules } from '../../src/cli/input/read-rules.ts';
import { downloadReport } from '../../src/cli/ui/download-report.ts';
import { pageTerminal } from '../../src/cli/ui/page-terminal.ts';
import { downloadLogs, openWorkspace } from '../../src/cli/ui/serve-page.ts';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import type { Schema } from '../../src/language/meaning/schema.ts';
import type { Log } from '../../src/records/log.ts';
import type { Answers, Streams } from '../../src/server/operations.ts';
import { serveUi } from '../../src/server/serve-ui.ts';

/** Asks an operation with one answer, which the types of the operation describe. */
export async function ask<N extends keyof Answers>(
  page: ServedPage,
  name: N,
  parameters: Answers[N]['parameters'],
): Promise<Answers[N]['result']> {
  const response = await page.call(name, parameters);
  return (await response.json()) as Answers[N]['result'];
}

type Piece<N extends 'patterns' | 'investigate', K> = Extract<Streams[N]['result'], { readonly kind: K }>;

/** Asks an operation that says how far it is; resolves with what it said, and its result. */
export async function askProgressing<N extends 'patterns' | 'investigate'>(
  page: ServedPage,
  name: N,
  parameters: Streams[N]['parameters'],
): Promise<{
  readonly progress: readonly Piece<N, 'progress'>['progress'][];
  readonly result: Piece<N, 'result'>['result'];
}> {
  const lines = (await (await page.call(name, parameters)).text()).trim().split('\n');
  const pieces = lines.map((line): Streams[N]['result'] => JSON.parse(line).value);
  const progress = pieces.flatMap((piece) => (piece.kind === 'progress' ? [piece.progress] : []));
  const [result] = pieces.flatMap((piece) => (piece.kind === 'result' ? [piece.result] : []));
  if (!result) throw new Error(`There is no result: ${lines.at(-1)}`);
  return { progress, result };
}

/** The page of a case, listening. */
export interface ServedPage extends AsyncDisposable {
  /** The first address, with the secret. */
  readonly url: string;
  /** The case file. */
  readonly path: string;
  /** The address of the server without path. */
  readonly origin: string;
  /** Calls an operation as the page does. */
  readonly call: (
    name: string,
    parameters: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  /** Sends the form of a download: of logs, as the page does. `of` has the names of the cases. */
  readonly download: (parameters: unknown, of?: string) => Promise<Response>;
}

/** More that a case has. */
export interface ServePageOptions {
  /** Called after the logs were added. */
  readonly fill?: (into: Case) => Promise<void>;
  /** Fields of the query bar. */
  readonly schema?: Schema;
}

/** Serves the page of a case with some logs; those of an incident unless given. */
export async function servePage(
  logs: Iterable<Log> = incidentLogs({ count: 500 }),
  { fill, schema }: ServePageOptions = {},
): Promise<ServedPage> {
  const folder = await makeTemporaryFolder();
  const path = join(folder, 'incident.duckdb');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addLogs(into, [...logs], { part: 'logs' });
    await fill?.(into);
  }
  const page = await serveFolder({ folder, given: [path], ...(schema && { schema }) });
  return {
    ...page,
    path,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sources of a page, and settings of this machine. */
export interface FolderOptions {
  readonly folder: string;
  /** Paths of the sources of the command line. */
  readonly given?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** Zone of times without one in log files. */
  readonly logZone?: string;
  readonly schema?: Schema;
}

/** Serves the page of a folder. */
export async function serveFolder({
  folder,
  given = [],
  environment = {},
  port = 0,
  logZone = 'UTC',
  schema,
}: FolderOptions): Promise<ServedPage> {
  const terminal = pageTerminal({
    // No profile of who runs the tests is read.
    environment: { XDG_CONFIG_HOME: '/nowhere', ...environment },
    signal: new AbortController().signal,
    message: () => {},
  });
  const workspace = await openWorkspace({
    given,
    folder,
    logZone,
    terminal,
    specs: commands.map(({ spec }) => spec),
  });
  const downloads = { logs: downloadLogs, report: downloadReport };
  const rules = await readRules();
  const served = await serveUi({
    workspace,
    port,
    downloads,
    rules,
    author: 'ada',
    ...(schema && { schema }),
  });
  const { origin } = new URL(served.url);
  const cookie = (await fetch(served.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const call: ServedPage['call'] = (name, parameters, headers = {}) =>
    fetch(`${origin}/api/${name}`, {
      method: 'POST',
      headers: { origin, cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(parameters),
    });
  const download: ServedPage['download'] = (parameters, of = '') =>
    fetch(`${origin}/download${of}`, {
      method: 'POST',
      headers: { origin, cookie },
      body: new URLSearchParams({ parameters: JSON.stringify(parameters) }),
    });
  return {
    url: served.url,
    path: folder,
    origin,
    call,
    download,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}
