import { existsSync, readFileSync } from 'node:fs';

/** Reports if the system has `/proc`, as Linux does, from which the memory of other processes can be read. */
export const hasProc: boolean = existsSync('/proc/self/status');

/** Returns the resident memory of a process in bytes; undefined if it has ended, or without `/proc`. */
export function residentMemory(pid: number): number | undefined {
  if (!hasProc) return undefined;
  try {
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
