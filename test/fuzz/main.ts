import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Tally } from './tally.ts';
import { trials } from './texts.ts';
import { watch } from './watch.ts';
import { Beat, batchOf, type Failure, type Report, type Work } from './work.ts';

/**
 * Tries random and changed texts for some minutes:
 *
 *     npm run fuzz -- --minutes 30 --seed 7
 *
 * The work is done in a thread, so that a text that keeps it busy too long is
 * found as well. Exits with 1 when something was found.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = Number(values.minutes);
const folder = 'test/conformance';

/** In milliseconds of the processor. A pattern that is nearly too complex takes a second, several times. */
const patience = 60_000;

const tally = new Tally();
const start = Date.now();
console.log(`seed ${seed}, ${minutes} minutes`);
const until = start + minutes * 60_000;
for (let batch: number | undefined = 0; batch !== undefined; ) batch = await run(batch);
console.log(tally.summary((Date.now() - start) / 1000));
process.exitCode = tally.found === 0 ? 0 : 1;

/** Lets a worker do batches; gives back where to go on after one that had to be stopped. */
function run(batch: number): Promise<number | undefined> {
  const progress = new Int32Array(new SharedArrayBuffer(12));
  const work: Work = { seed, batch, until, folder, progress };
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: work });
  worker.on('message', (report: Report) => {
    tally.add(report);
    report.failures.forEach(show);
  });
  const isStuck = watch(progress, patience);
  return new Promise((resolve, reject) => {
    const watchdog = setInterval(() => {
      if (!isStuck()) return;
      const stuck = textAt(progress);
      tally.found += 1;
      show({ text: stuck, key: `it takes more than ${patience / 1000} s of the processor`, stack: '' });
      resolve(Atomics.load(progress, Beat.batch) + 1);
      void worker.terminate();
    }, 1000);
    worker.on('error', reject);
    worker.on('exit', () => {
      clearInterval(watchdog);
      resolve(undefined);
    });
  });
}

function textAt(progress: Int32Array): string {
  const [batch, index] = [Atomics.load(progress, Beat.batch), Atomics.load(progress, Beat.index)];
  return batchOf(trials(folder), seed + batch)[index]?.text ?? '';
}

function show({ text, key, stack }: Failure): void {
  console.log(`\nFOUND: ${key}\n${JSON.stringify(text.slice(0, 2000))} (${text.length} units)\n${stack}\n`);
}
