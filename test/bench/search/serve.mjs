/** Measuring in a process of its own: answers the numbers of questions, a line each, with what an answer took. */
import { createInterface } from 'node:readline';

/** Starts to measure; the function that it returns gives seconds and processor seconds, of all threads. */
export function stopwatch() {
  const start = performance.now();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    return { seconds: (performance.now() - start) / 1000, processor: (user + system) / 1e6 };
  };
}

/** Most memory that this process had, in megabytes. */
export const megabytes = () => process.resourceUsage().maxRSS / 1024;

/** Answers each line of the input: `prepare` gets the number of a question and returns the work to measure. */
export async function answerLines(prepare) {
  for await (const line of createInterface({ input: process.stdin })) {
    const work = await prepare(Number(line));
    const lap = stopwatch();
    const hits = await work();
    console.log(JSON.stringify({ hits: Number(hits), ...lap(), memory: megabytes() }));
  }
}
