import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Separates the name of a file from the mark of the process that writes it. */
const infix = '.arriving-';

/**
 * Milliseconds without a change after which a temporary file of another machine counts as abandoned: its
 * processes are unknown here.
 */
const longUnchanged = 24 * 60 * 60 * 1000;

/** Identifies this machine, and on Linux the container: process ids are only valid within it. */
const machine = createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8);

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * Returns a new path beside a file, for the file that will replace it. The name identifies the writing process,
 * so `removeStaleFiles` can remove it once that is dead.
 */
export function temporaryBeside(path: string): string {
  return `${path}${infix}${machine}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Removes temporary files and folders beside a path that killed processes left. Spares those of living
 * processes, and those of other machines until unchanged for a day. Never rejects.
 */
export async function removeStaleFiles(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = basename(path) + infix;
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((each) => each.startsWith(prefix)))
    if (await isStale(join(folder, name), name.slice(prefix.length)))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

/** Mark of a process in a name: machine, process id and a random number. Files beside it add an extension. */
const marked = /^([0-9a-f]{8})-(\d+)-[0-9a-f]{8}(\.\w+)?$/;

/** Marks of older versions, without a process id. */
const unmarked = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\w+)?$/;

async function isStale(path: string, mark: string): Promise<boolean> {
  const [, madeOn, pid] = marked.exec(mark) ?? [];
  if (madeOn === machine) return !isAlive(Number(pid));
  if (madeOn === undefined && !unmarked.test(mark)) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && longUnchanged < Date.now() - found.mtimeMs;
}

/** Reports if a process runs on this host; true if it belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
