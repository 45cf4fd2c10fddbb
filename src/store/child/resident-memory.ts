import { existsSync, readFileSync } from 'node:fs';

/** Tells whether the system shows the memory of other processes as files, as Linux does. */
export const hasProc: boolean = existsSync('/proc/self/status');

/** The resident memory of a process in bytes; undefined where it is gone, or the system does not show it. */
export function residentMemory(pid: number): number | undefined {
  if (!hasProc) return undefined;
  try {
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
