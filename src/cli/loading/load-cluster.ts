import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Case, openCase } from '../../case/index.ts';
import { type Cluster, checkSchema, hasFile, parseClusterAddress, pushCase } from '../../cluster/index.ts';
import { removeStaleFiles, syncFolder, temporaryBeside } from '../../database/index.ts';
import { readCoverage } from '../../export/index.ts';
import { openNamedCluster } from '../cluster/open-cluster.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { temporaryFolder } from '../command-line/write-output.ts';
import { loadFiles } from '../input/open-sources.ts';
import { displayProgress, formatCount } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe } from '../terminal/text.ts';

/** Settings of a push. */
export interface PushSettings {
  readonly deployment: string;
  /** Location of the originals. */
  readonly originals: string;
  readonly terminal: Terminal;
}

/** Parts and logs that were added, and parts that were there already. */
export type PushedParts = Awaited<ReturnType<typeof pushCase>>;

/** Name of the deployment that logs are added for. */
export function deploymentOf({ address }: Cluster, named?: string | undefined): string {
  return named ?? address.deployment ?? 'default';
}

/** Copies a case into a cluster and shows the progress. */
export async function pushWithProgress(
  from: Case,
  cluster: Cluster,
  { deployment, originals, terminal }: PushSettings,
): Promise<PushedParts> {
  await using folder = await temporaryFolder();
  const display = displayProgress(terminal);
  return await pushCase(from, cluster, {
    deployment,
    originals,
    folder: folder.path,
    signal: terminal.interruption(),
    coverage: await readCoverage(from),
    onProgress: ({ logs, total }) => display.update({ doing: 'Sending', done: logs, total, unit: 'logs' }),
  }).finally(() => display.end());
}

/** Describes what was added to a cluster. */
export function pushedText({ logs, parts, present }: PushedParts, deployment: string): string {
  const already = present === 0 ? '' : `; ${formatCount(present, 'part')} were there already`;
  return `Added ${formatCount(logs, 'log')} in ${formatCount(parts, 'part')} as the deployment "${escapeUnsafe(deployment)}"${already}.`;
}

/** Settings of an import into a cluster. */
interface ImportSettings {
  /** Folder for the originals; default: named like the database. */
  readonly originals?: string | undefined;
  /** Zone of times without one. */
  readonly zone: string;
  /** True refuses entries with implausible times. */
  readonly strict: boolean;
  readonly terminal: Terminal;
}

/** A file that was imported into a cluster. */
export interface ImportedFile {
  readonly file: string;
  readonly sha256: string;
  /** The cluster had this very file: nothing was read. */
  readonly already: boolean;
  readonly parts: number;
  readonly logs: number;
}

/** Result of importing files into a cluster. */
export interface ImportedFiles {
  readonly deployment: string;
  /** Folder with the originals. */
  readonly originals: string;
  readonly files: readonly ImportedFile[];
  readonly outcome: ExitCode;
}

/**
 * Imports files into a cluster, one after the other: its original is stored, it is read into a temporary case, and that
 * is pushed. So the space that is needed is that of the largest file, and a repeated import goes on with the file that
 * was interrupted.
 */
export async function importToCluster(
  address: string,
  files: readonly string[],
  { originals, zone, strict, terminal }: ImportSettings,
): Promise<ImportedFiles> {
  await using cluster = await openNamedCluster(address, terminal);
  await checkSchema(cluster);
  const folder = resolve(originals ?? `${cluster.address.database}.evidence`);
  const settings = { deployment: deploymentOf(cluster), originals: folder, terminal };
  const imported: ImportedFile[] = [];
  let outcome: ExitCode = exitCodes.done;
  for (const path of files) {
    const done = await importFile(path, cluster, { ...settings, zone, strict });
    imported.push(done.file);
    if (outcome === exitCodes.done) outcome = done.outcome;
  }
  return { deployment: settings.deployment, originals: folder, files: imported, outcome };
}

async function importFile(
  path: string,
  cluster: Cluster,
  settings: Required<ImportSettings> & { readonly deployment: string; readonly originals: string },
): Promise<{ readonly file: ImportedFile; readonly outcome: ExitCode }> {
  const { deployment, originals, zone, strict, terminal } = settings;
  const file = basename(path);
  const signal = terminal.interruption();
  const stored = await storeOriginal(path, originals, signal);
  const { sha256 } = stored;
  if (await hasFile(cluster, { deployment, sha256, file, zone }, { signal }))
    return { file: { file, sha256, already: true, parts: 0, logs: 0 }, outcome: exitCodes.done };
  await using folder = await temporaryFolder();
  // The bytes that were hashed are those that are read, under the name that the file had.
  const named = join(folder.path, file);
  await symlink(stored.path, named);
  await using into = await openCase(join(folder.path, 'import.duckdb'), {
    access: 'write',
    create: true,
    originals: 'in place',
  });
  const { outcome } = await loadFiles(into, [named], { zone, strict, terminal });
  const { parts, logs } = await pushWithProgress(into, cluster, settings);
  return { file: { file, sha256, already: false, parts, logs }, outcome };
}

/** An original in a folder. */
interface StoredCopy {
  readonly sha256: string;
  readonly path: string;
}

/**
 * Copies a file into a folder under its SHA-256, whole or not at all. A copy that is there stays as it is. Removes what
 * killed processes left.
 */
export async function storeOriginal(path: string, folder: string, signal: AbortSignal): Promise<StoredCopy> {
  await mkdir(folder, { recursive: true });
  const base = join(folder, 'original');
  await removeStaleFiles(base);
  const arriving = temporaryBeside(base);
  try {
    const sha256 = await copyHashed(path, arriving, signal);
    const stored = join(folder, sha256);
    if (!existsSync(stored)) {
      await chmod(arriving, 0o444);
      await rename(arriving, stored);
      await syncFolder(folder);
    }
    return { sha256, path: stored };
  } finally {
    await rm(arriving, { force: true });
  }
}

/** Copies a file to the disk. Returns its SHA-256. */
async function copyHashed(from: string, to: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  );
  // The time of a file says which times of its logs are plausible.
  const { atime, mtime } = await stat(from);
  await utimes(to, atime, mtime);
  return hash.digest('hex');
}

/** Settings of an export into a cluster. */
interface ExportSettings {
  /** Folder for the case and the originals; default: named like the database. */
  readonly originals?: string | undefined;
  readonly terminal: Terminal;
}

/** Returns the path of the case that an export into a cluster keeps its progress and originals in. */
export function exportCasePath(address: string, folder: string | undefined): string {
  const { database, deployment = 'default' } = parseClusterAddress(address);
  return join(folder ?? `${database}.evidence`, `export-${encodeURIComponent(deployment)}.duckdb`);
}

/**
 * Exports into a case of this machine, which keeps the progress and the originals. Pushes what it got into a
 * cluster, also if the export fails or is incomplete. The cluster is asked first, so that no export is in vain.
 */
export async function exportToCluster(
  address: string,
  { originals, terminal }: ExportSettings,
  exportInto: (path: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  await using cluster = await openNamedCluster(address, terminal);
  await checkSchema(cluster);
  const path = exportCasePath(address, originals);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return await exportInto(path);
  } finally {
    await using from = await openCase(path, { access: 'read' }).catch(() => undefined);
    if (from) {
      const deployment = deploymentOf(cluster);
      const pushed = await pushWithProgress(from, cluster, {
        deployment,
        terminal,
        originals: `${resolve(path)}.evidence`,
      });
      terminal.message(pushedText(pushed, deployment));
    }
  }
}
