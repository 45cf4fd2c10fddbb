import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { summary } from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import { PageRefusal } from '../../server/index.ts';
import { isDatabase } from '../command-line/files.ts';
import { casesInFolder } from '../input/case-folder.ts';
import { openSources } from '../input/open-sources.ts';
import { exportIncident } from '../loading/export-incident.ts';
import { doubtsOf } from '../output/part-table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findInFolder } from './folder-files.ts';
import { type SharedSource, type SourceCases, shareSource } from './shared-source.ts';

/** Name of the source with the demo's incident. */
export const demoName = "the demo's incident";

/** Settings of opening sources. */
export interface NamedSourcesOptions {
  /** Folder whose files may be opened by their names. */
  readonly folder: string;
  /** Folder for files of this run. */
  readonly temporary: string;
  /** Zone of times without one in log files. */
  readonly logZone: string;
  /** Receives messages of openings that no person asked for. */
  readonly quiet: Terminal;
}

/** The shared sources of a page by their names. */
export interface NamedSources extends AsyncDisposable {
  readonly has: (name: string) => boolean;
  /**
   * Shares sources of a command line: each case for itself, and all log files as one. Returns their
   * names. Rejects as `openSources` does.
   */
  readonly addGiven: (args: readonly string[], terminal: Terminal) => Promise<readonly string[]>;
  /** Shares a file of this run under its name, or a similar one that is free. Returns the name. */
  readonly addFile: (path: string) => string;
  /** The source of a name. Rejects with a `PageRefusal` for a name that is neither shared nor in the folder. */
  readonly find: (name: string) => Promise<SharedSource>;
  /** The case file of a name in the folder, which need not exist yet. */
  readonly caseInFolder: (name: string) => SharedSource;
  /** The path of a file of the folder. */
  readonly pathOf: (name: string) => string;
}

/** Makes an empty list of shared sources. */
export function nameSources(options: NamedSourcesOptions): NamedSources {
  const { folder } = options;
  const sources = new Map<string, SharedSource>();
  const pathOf = (name: string) => (folder === process.cwd() ? name : join(folder, name));
  const share = (name: string, paths: readonly string[]): SharedSource => {
    const shared = sharePaths(paths, options);
    sources.set(name, shared);
    return shared;
  };
  return {
    pathOf,
    has: (name) => sources.has(name),
    async addGiven(args, terminal) {
      const names: string[] = [];
      for (const paths of await groupSources(args)) {
        const usual = paths.map((path) => basename(path)).join(', ');
        const name = sources.has(usual) ? paths.join(', ') : usual;
        const { release } = await share(name, paths).acquire(terminal);
        release();
        names.push(name);
      }
      return names;
    },
    addFile(path) {
      const name = freeName(
        basename(path),
        (candidate) => sources.has(candidate) || existsSync(pathOf(candidate)),
      );
      share(name, [path]);
      return name;
    },
    async find(name) {
      const known = sources.get(name);
      if (known) return known;
      if (name === demoName) {
        const demo = shareDemo(options);
        sources.set(name, demo);
        return demo;
      }
      if (await findInFolder(folder, name)) return share(name, [pathOf(name)]);
      throw new PageRefusal(`The folder of the page has no case file and no log file "${name}"`, 404);
    },
    caseInFolder: (name) => sources.get(name) ?? share(name, [pathOf(name)]),
    async [Symbol.asyncDispose]() {
      for (const source of sources.values()) await source[Symbol.asyncDispose]();
    },
  };
}

/** Groups the words of a command line: cases and clusters alone, then all log files together. */
async function groupSources(args: readonly string[]): Promise<readonly (readonly string[])[]> {
  const distinct = [...new Set(args)];
  const areAlone = await Promise.all(
    distinct.map(
      async (word) =>
        isClusterAddress(word) || casesInFolder(word) !== undefined || (await isDatabase(word)) === true,
    ),
  );
  const alone = distinct.filter((_, index) => areAlone[index]);
  const logs = distinct.filter((_, index) => !areAlone[index]);
  return [...alone.map((word) => [word]), ...(logs.length === 0 ? [] : [logs])];
}

function sharePaths(paths: readonly string[], { logZone, quiet }: NamedSourcesOptions): SharedSource {
  const [path = ''] = paths;
  const isFile = paths.length === 1 && path !== '-' && !isClusterAddress(path) && !casesInFolder(path);
  const open = async (terminal = quiet) =>
    withDoubts(await withLogs(await openSources(paths, { logZone, clusters: 'read' }, terminal), paths));
  return shareSource({ args: paths, open, ...(isFile && { path }) });
}

/** The case of the demo, exported from the reference deployment when it is first opened. */
function shareDemo({ temporary, logZone, quiet }: NamedSourcesOptions): SharedSource {
  const path = join(temporary, 'demo.duckdb');
  return shareSource({
    args: [path],
    async open(terminal = quiet) {
      if (!existsSync(path)) await exportIncident(path, { signal: terminal.interruption(), terminal });
      return openSources([path], { logZone, clusters: 'read' }, terminal);
    },
  });
}

/** Adds what was said of the files of the cases, which the page shows beside every answer. */
async function withDoubts(source: SourceCases): Promise<SourceCases> {
  const { cases, remarks = [] } = source;
  const doubts = await Promise.all(cases.map((openedCase) => doubtsOf(openedCase, { overlaps: false })));
  return { ...source, remarks: [...remarks, ...doubts.flat()] };
}

/** Closes and refuses log files without any log. */
async function withLogs(source: SourceCases, paths: readonly string[]): Promise<SourceCases> {
  const [loaded] = source.cases;
  if (loaded?.originals !== 'in place' || 0 < (await summary(loaded)).logs) return source;
  await source[Symbol.asyncDispose]();
  const names = paths.map((path) => `"${basename(path)}"`).join(', ');
  throw new PageRefusal(
    `No log can be read in ${names}: cases, exported zips, NDJSON, JSON, CSV and classic log files are read`,
    422,
  );
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2, tried = name; ; number += 1) {
    if (!isTaken(tried)) return tried;
    tried = `${name} (${number})`;
  }
}
