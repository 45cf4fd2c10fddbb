import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { UsageError } from '../command-line/exit-code.ts';
import { isDatabase } from '../command-line/files.ts';
import { isGlob, listFiles, matchFiles, nameFilter } from '../command-line/glob.ts';
import type { Manifest } from '../evidence/hand-over.ts';
import { handOverLines } from '../output/part-table.ts';
import { formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeFileName, escapeUnsafe } from '../terminal/text.ts';

/** Files that the arguments of an import name. */
interface FilesToImport {
  /** Paths in the order of the arguments; "-" for the standard input. */
  readonly files: readonly string[];
  /** A hand-over among them is not as it was written, as the terminal was told. */
  readonly isDoubtful: boolean;
}

/** Which files of folders are read, and the terminal for what is left out. */
interface Expansion {
  readonly names: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  readonly terminal: Terminal;
}

/**
 * Returns the named files, those of folders and of folders below, and those that match a pattern that the shell left as
 * it is. Says what it leaves out: cases in a folder with their originals, and the copies of logs in a hand-over folder.
 */
export async function filesToImport(args: readonly string[], context: Expansion): Promise<FilesToImport> {
  let files: readonly string[] = [];
  for (const arg of args) {
    const found = arg === '-' ? undefined : statSync(arg, { throwIfNoEntry: false });
    if (found?.isDirectory()) files = [...files, ...someOf(arg, await logFilesIn(arg, context))];
    else if (!found && isGlob(arg)) files = [...files, ...someOf(arg, await matchFiles(arg))];
    else files = [...files, arg];
  }
  let isDoubtful = false;
  for (const path of files.filter((file) => basename(file) === manifestName)) {
    const left = await withoutCopies(files, path, context.terminal);
    files = left.files;
    isDoubtful ||= left.isDoubtful;
  }
  return { files, isDoubtful };
}

function someOf(arg: string, files: readonly string[]): readonly string[] {
  if (files.length === 0) throw new UsageError(`"${arg}" names no file: the folder or the pattern has none`);
  return files;
}

/** Names of archives, whose entries are looked at one by one. */
const archiveName = /\.(zip|tar|tgz|tbz2?|txz|tar\.\w+)$/i;

async function logFilesIn(folder: string, { names, terminal }: Expansion): Promise<readonly string[]> {
  const [isIncluded, isNotExcluded] = [nameFilter(names), nameFilter({ exclude: names.exclude })];
  const isWanted = (file: string) => {
    const path = relative(folder, file).replaceAll('\\', '/');
    return isIncluded(path) || (archiveName.test(path) && isNotExcluded(path));
  };
  const files: string[] = [];
  const cases: string[] = [];
  let leftOut = 0;
  for (const file of await listFiles(folder, ''))
    if (/\.evidence[\\/]/.test(file)) continue;
    else if (/\.duckdb(\.wal)?$/i.test(file) || (await isDatabase(file))) cases.push(file);
    else if (isWanted(file)) files.push(file);
    else leftOut += 1;
  if (0 < leftOut)
    terminal.message(
      `"${escapeFileName(folder)}": --include or --exclude left out ${leftOut === 1 ? 'a file' : `${formatNumber(leftOut)} files`}.`,
    );
  for (const path of cases)
    terminal.message(`"${escapeFileName(path)}" is a case and was left out, with its originals.`);
  return files;
}

/** What shows that a folder may be a hand-over; the rest of what reads one is loaded then, since it can use a network. */
const manifestName = 'manifest.json';

/**
 * Leaves out what repeats the logs of a hand-over folder. The first copy that is as it was written is read; if none is,
 * the first.
 */
async function withoutCopies(
  files: readonly string[],
  manifestPath: string,
  terminal: Terminal,
): Promise<FilesToImport> {
  const { handOverFiles, hashFile } = await import('../evidence/hand-over.ts');
  const folder = dirname(manifestPath);
  const inFolder = (name: string) => files.find((file) => resolve(file) === resolve(folder, name));
  const { ndjson, parquet, csv } = handOverFiles;
  const copies = [ndjson, parquet, csv].flatMap((name) => inFolder(name) ?? []);
  const manifest = await readHandOver(manifestPath, 1 < copies.length);
  if (!manifest) return { files, isDoubtful: false };
  const expected = new Map(
    manifest instanceof UsageError ? [] : manifest.files.map(({ name, sha256 }) => [name, sha256]),
  );
  const altered: string[] = [];
  let whole: string | undefined;
  for (const path of 0 < expected.size ? copies : []) {
    const { sha256 } = await hashFile(path);
    if (expected.get(basename(path)) === sha256) {
      whole = path;
      break;
    }
    altered.push(path);
  }
  const read = whole ?? copies[0];
  const others = Object.values(handOverFiles).flatMap((name) => inFolder(name) ?? []);
  const shown = {
    name: `"${escapeFileName(folder)}"`,
    manifest: manifest instanceof UsageError ? escapeUnsafe(manifest.message) : manifest,
    read: read === undefined ? undefined : basename(read),
    altered: altered.map((path) => basename(path)),
  };
  for (const line of handOverLines(shown)) terminal.message(line);
  return {
    files: files.filter((file) => file === read || !others.includes(file)),
    isDoubtful: manifest instanceof UsageError || read === undefined || 0 < altered.length,
  };
}

/**
 * Reads the manifest of a hand-over; returns an error if it is damaged. Undefined for a file of that name that is
 * something else, as any folder of logs may have one: `hasCopies` says that files beside it have the names of a hand-over.
 */
async function readHandOver(path: string, hasCopies: boolean): Promise<Manifest | UsageError | undefined> {
  const { readManifest } = await import('../evidence/hand-over.ts');
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return readManifest(text, path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return hasCopies || text.includes('logquarry-hand-over') ? error : undefined;
  }
}
