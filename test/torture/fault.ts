import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Effects of a fault on a call; `fault.c` has their meaning. */
export type Effect = 'kill' | 'torn' | 'short' | 'once' | 'on';

/** A fault at one of the calls that a process makes on the files below a folder. */
export interface Fault {
  /** Number of the call, from 1. */
  readonly at: number;
  readonly effect: Effect;
}

/** A call that a process made on a file below the folder. */
export interface Call {
  readonly name: string;
  readonly path: string;
}

/**
 * Compiles the library of the faults into a folder and returns its path, or the
 * reason why faults cannot be made on this machine.
 */
export async function compileFaults(folder: string): Promise<{ library: string } | { missing: string }> {
  if (process.platform !== 'linux') return { missing: 'LD_PRELOAD requires Linux' };
  const library = join(folder, 'fault.so');
  const words = ['-shared', '-fPIC', '-O1', '-o', library, resolve('test/torture/fault.c'), '-ldl'];
  try {
    await promisify(execFile)('cc', words);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { missing: 'there is no C compiler "cc"' };
    throw error;
  }
  return { library };
}

/** Error of the calls that fail: a full disk stays full, a broken block is met once. */
const errorOf = { once: 'EIO', on: 'ENOSPC' } as const;

/** Environment of a process that meets a fault, or whose calls are only recorded in a trace. */
export function faultEnvironment(
  library: string,
  below: string,
  what: Fault | { readonly trace: string },
): Record<string, string> {
  const always = { LD_PRELOAD: library, FAULT_BELOW: below };
  if ('trace' in what) return { ...always, FAULT_TRACE: what.trace };
  const { at, effect } = what;
  const errno = effect === 'once' || effect === 'on' ? constants.errno[errorOf[effect]] : 0;
  return { ...always, FAULT_AT: String(at), FAULT_EFFECT: effect, FAULT_ERRNO: String(errno) };
}

/** Reads the calls of a trace. */
export async function readTrace(path: string): Promise<readonly Call[]> {
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [, name = '', file = ''] = /^\d+ (\w+) (.*)$/.exec(line) ?? [];
    return { name, path: file };
  });
}

/** Calls that take room on the disk, which a full one refuses. */
const takingRoom = new Set(['open', 'write', 'fsync', 'fdatasync', 'mkdir', 'link', 'fallocate']);

/** All faults at a call: half a write is a fault of its own. */
export function faultsAt({ name }: Call, at: number): readonly Fault[] {
  const effects: Effect[] = ['kill', 'once'];
  if (takingRoom.has(name)) effects.push('on');
  if (name === 'write') effects.push('torn', 'short');
  return effects.map((effect) => ({ at, effect }));
}
