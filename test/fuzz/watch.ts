import { Beat } from './work.ts';

/** The processor time of this process, all its threads together. Milliseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Tells, when asked now and then, whether the work has stood still for so many
 * milliseconds of processor time. What is tried never waits, so it takes that
 * as long as it hangs; while the process is suspended, or others have the
 * processors, nothing does.
 */
export function watch(progress: Int32Array, patience: number): () => boolean {
  let last = { count: 0, since: processorTime() };
  return () => {
    const count = Atomics.load(progress, Beat.count);
    if (count !== last.count) last = { count, since: processorTime() };
    return patience < processorTime() - last.since;
  };
}
