import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { utcZone } from '../../records/index.ts';
import {
  type LentCases,
  type OpenedCases,
  type OpenProgress,
  PageRefusal,
  type Workspace,
} from '../../server/index.ts';
import type { Command } from '../command-line/command.ts';
import { temporaryFolder } from '../files/temporary-folder.ts';
import { describeSharedFiles } from '../input/open-sources.ts';
import { listProfileNames, readDefaultProfileName } from '../profiles/profile-folder.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { makeEventQueue } from './event-queue.ts';
import { listFolder } from './folder-files.ts';
import { demoName, type NamedSources, nameSources } from './named-sources.ts';
import { pageExports } from './page-exports.ts';
import { pageTerminal } from './page-terminal.ts';
import { importFile, receiveFile } from './receive-file.ts';
import type { BorrowedSource, SharedSource, SourceCases } from './shared-source.ts';

/** Sources of a page and the settings of opening them. */
export interface WorkspaceOptions {
  /** Sources of the command line. */
  readonly given: readonly string[];
  /** Folder whose files the page offers. */
  readonly folder: string;
  /** Zone of times without one in log files. */
  readonly logZone: string;
  readonly terminal: Terminal;
  /** The commands that the page calls, among others. */
  readonly commands: readonly Command[];
}

/**
 * Opens the given sources for a page; files of the folder are opened on demand. Rejects as
 * `openSources` does.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { folder, logZone, terminal, commands } = options;
  const { environment } = terminal;
  const temporary = await temporaryFolder();
  const closed = new AbortController();
  const quiet = pageTerminal({ environment, signal: closed.signal, say: () => {} });
  const sources = nameSources({ folder, temporary: temporary.path, logZone, quiet });
  const exports = pageExports({ commands, environment, sources });
  const lend = lender(sources, logZone);
  const close = async () => {
    await exports.stop();
    closed.abort(new Error('The page is closed'));
    await sources[Symbol.asyncDispose]();
    await temporary[Symbol.asyncDispose]();
  };
  try {
    const given = await sources.addGiven(options.given, terminal);
    await warnOfSharedFiles(await lend(given), terminal);
    return {
      lend: (names) => lend(names.length === 0 ? given : names),
      async offers() {
        const { files, hasMore } = await listFolder(folder);
        return {
          ...{ folder: basename(folder) || folder, hasMore, demo: demoName, given },
          files: files.map((each) => ({ ...each, isOpen: sources.has(each.name) })),
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
        const words = ['import', path, '--into', sources.pathOf(into), '--log-zone', logZone];
        await importFile(words, { commands, environment, signal: closed.signal });
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
function lender(sources: NamedSources, logZone: string): Workspace['lend'] {
  const combined = new Map<
    string,
    { readonly parts: readonly SourceCases[]; readonly opened: OpenedCases }
  >();
  return async (names) => {
    const shared: SharedSource[] = [];
    const borrowed: BorrowedSource[] = [];
    const release = () => {
      for (const { giveBack } of borrowed) giveBack();
    };
    try {
      for (const name of new Set(names)) {
        const each = await sources.find(name);
        shared.push(each);
        borrowed.push(await each.borrow());
      }
    } catch (error) {
      release();
      throw error;
    }
    const parts = borrowed.map(({ source }) => source);
    const key = JSON.stringify(names);
    const known = combined.get(key);
    // The cursors of a case that grows change.
    const isFixed = shared.every((each) => !each.isFilling());
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
    paths: shared.flatMap(({ words }) => words),
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

async function warnOfSharedFiles({ opened, release }: LentCases, { say }: Terminal): Promise<void> {
  try {
    for (const line of await describeSharedFiles(opened.cases, opened.names)) say(line);
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
    ...{ environment, signal },
    say: (text) => queue.add({ kind: 'message', text }),
    show: (text) => queue.add({ kind: 'status', text }),
  });
  const work = async () => {
    const { giveBack } = await (await sources.find(name)).borrow(terminal);
    giveBack();
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
