import { parentPort, workerData } from 'node:worker_threads';
import { checkText } from './check-text.ts';
import { shrink } from './shrink.ts';
import { type Trial, trials } from './texts.ts';
import { processorTime } from './watch.ts';
import { Beat, batchOf, type Count, type Failure, plus, type Report, type Work } from './work.ts';

const { seed, batch: first, until, folder, progress }: Work = workerData;

const all = trials(folder);

/** Earlier failures; of each way to fail one text is enough. */
const known = new Set<string>();

for (let batch = first; Date.now() < until; batch += 1) {
  Atomics.store(progress, Beat.batch, batch);
  parentPort?.postMessage(tryBatch(batchOf(all, seed + batch)));
}

function tryBatch(batch: readonly Trial[]): Report {
  const counts = new Map<string, Count>();
  const failures: Failure[] = [];
  let slowest = { trial: { kind: '', text: '' }, time: 0 };
  for (const [index, trial] of batch.entries()) {
    Atomics.store(progress, Beat.index, index);
    const { count, failure } = tryText(trial.text);
    const sum = counts.get(trial.kind);
    counts.set(trial.kind, sum ? plus(sum, count) : count);
    if (slowest.time < count.time) slowest = { trial, time: count.time };
    if (failure && !known.has(failure.key)) failures.push(smallest(failure));
  }
  return { counts, slowest, failures };
}

function tryText(text: string): { readonly count: Count; readonly failure?: Failure } {
  const start = processorTime();
  const count = { texts: 1, units: text.length, accepted: 0, findings: 0, time: 0 };
  try {
    const { accepted, findings } = check(text);
    return { count: { ...count, accepted: Number(accepted), findings, time: processorTime() - start } };
  } catch (error) {
    return { count, failure: toFailure(text, error) };
  }
}

function check(text: string) {
  Atomics.add(progress, Beat.count, 1);
  return checkText(text);
}

function toFailure(text: string, error: unknown): Failure {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const where = /^\s+at (\S+)/m.exec(stack)?.[1] ?? '';
  return { text, key: `${message.split('\n')[0]} at ${where}`, stack };
}

function smallest(failure: Failure): Failure {
  known.add(failure.key);
  const text = shrink(failure.text, (shorter) => {
    try {
      check(shorter);
      return false;
    } catch (error) {
      return toFailure(shorter, error).key === failure.key;
    }
  });
  return { ...failure, text };
}
