import { readFileSync } from 'node:fs';

/** Length of a tick of the system's clock in /proc, milliseconds. */
const tick = 10;

/** Processor time of a process with all its threads, milliseconds; NaN where there is no /proc. */
export function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tick;
  } catch {
    return Number.NaN;
  }
}

/** Memory of a process, MB: `VmRSS` now, `VmHWM` at most; NaN where there is no /proc. */
export function residentMemory(pid, name) {
  try {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1]) / 1000;
  } catch {
    return Number.NaN;
  }
}
