import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../child/is-alive.ts';

/** Stands between the name of a file and the mark of the process that writes it. */
const infix = '.arriving-';

/** Milliseconds after which a temporary file of another machine, of whose processes nothing is known, counts as left. */
const longUnchanged = 24 * 60 * 60 * 1000;

/**
 * Identifies this machine, and on Linux the container: process numbers mean
 * something only within it.
 */
const machine = createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8);

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * Returns a new path beside a file for what will take its place. The name tells
 * which process writes it, so that `removeStale` can remove it once that is dead.
 */
export function temporaryBeside(path: string): string {
  return `${path}${infix}${machine}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Removes temporary files and folders beside a path that killed processes have
 * left. Those of living processes stay, and so do those of other machines until
 * nothing has changed in them for a day. Never rejects: litter is no failure.
 */
export async function removeStale(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = basename(path) + infix;
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((each) => each.startsWith(prefix)))
    if (await isStale(join(folder, name), name.slice(prefix.length)))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

/** Mark of a process in a name: machine, process, and a number of its own; what is made beside the file has an ending. */
const marked = /^([0-9a-f]{8})-(\d+)-[0-9a-f]{8}(\.\w+)?$/;

/** Marks of versions that named no process. */
const unmarked = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\w+)?$/;

async function isStale(path: string, mark: string): Promise<boolean> {
  const [, madeOn, pid] = marked.exec(mark) ?? [];
  if (madeOn === machine) return !isAlive(Number(pid));
  if (madeOn === undefined && !unmarked.test(mark)) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && longUnchanged < Date.now() - found.mtimeMs;
}
