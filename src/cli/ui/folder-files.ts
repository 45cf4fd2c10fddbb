import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { OfferedFile } from '../../server/index.ts';
import { isDatabase } from '../command-line/files.ts';

/** Endings of files that are likely to hold logs. Any file can be opened by the command line. */
const endings = new Set(['.zip', '.ndjson', '.jsonl', '.json', '.csv', '.log', '.txt', '.gz', '.xml']);

/** Most files that are listed. */
const mostFiles = 500;

/** Case files and log files of a folder. */
export interface FolderFiles {
  readonly files: readonly Omit<OfferedFile, 'isOpen'>[];
  /** True if the folder has more of them than are listed. */
  readonly hasMore: boolean;
}

/** Lists case files and log files of a folder, the newest first. Links and folders are left out. */
export async function listFolder(folder: string): Promise<FolderFiles> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(entries.filter(isCandidate).map((entry) => toFile(folder, entry.name)));
  const files = found
    .filter((file) => file !== undefined)
    .toSorted((a, b) => b.changed - a.changed || (a.name < b.name ? -1 : 1));
  return { files: files.slice(0, mostFiles), hasMore: mostFiles < files.length };
}

/** Describes a file of a folder that can be opened; undefined for any other name, such as one with a path. */
export async function findInFolder(
  folder: string,
  name: string,
): Promise<Omit<OfferedFile, 'isOpen'> | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.find((entry) => entry.name === name);
  return found && isCandidate(found) ? toFile(folder, name) : undefined;
}

/** True for a regular file that is not hidden and has the ending of a case or of logs. */
function isCandidate(entry: Dirent): boolean {
  const ending = extname(entry.name).toLowerCase();
  return entry.isFile() && !entry.name.startsWith('.') && (ending === '.duckdb' || endings.has(ending));
}

async function toFile(folder: string, name: string): Promise<Omit<OfferedFile, 'isOpen'> | undefined> {
  const path = join(folder, name);
  const there = await lstat(path).catch(() => undefined);
  if (!there?.isFile()) return undefined;
  const isCase = extname(name).toLowerCase() === '.duckdb' || (await isDatabase(path)) === true;
  return { name, kind: isCase ? 'case' : 'logs', bytes: there.size, changed: Math.floor(there.mtimeMs) };
}
