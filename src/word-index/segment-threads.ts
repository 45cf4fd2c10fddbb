import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { builtFile, messageOf, StoreError } from '../database/index.ts';
import { type AddedTexts, type SegmentOrder, segmentMaker, type WrittenBytes } from './segment-maker.ts';
import { memoryOf, type SegmentAnswer, type SegmentTask } from './segment-tasks.ts';
import type { TextBatch } from './text-sink.ts';

/** Makes a segment in this thread or another, as `SegmentMaker` does. */
export interface SegmentThread extends Disposable {
  /** Number of blocks that keep it busy; more would only occupy memory. */
  readonly capacity: number;
  readonly add: (batches: readonly TextBatch[]) => Promise<AddedTexts>;
  readonly write: (memory: ArrayBuffer) => Promise<WrittenBytes>;
}

/** Logs from which a thread pays: they take ten times as long as it takes to start. */
const worthwhileLogs = 50_000;

/**
 * Returns the usual number of threads that make segments of some logs: one, which collects words while texts are read,
 * or none on a single processor or for few logs. A second one would hold another segment in memory.
 */
export function usualThreads(logs: number): number {
  return logs < worthwhileLogs || availableParallelism() === 1 ? 0 : 1;
}

/** Starts to make a segment in the calling thread. */
export function makeHere(order: SegmentOrder): SegmentThread {
  const maker = segmentMaker(order);
  return {
    capacity: 1,
    add: async (batches) => maker.add(batches),
    write: async (memory) => maker.write(memory),
    [Symbol.dispose]: () => undefined,
  };
}

/** Few objects of a thread live long: what it makes is outside the heap. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

interface Request {
  resolve(answer: SegmentAnswer): void;
  reject(error: unknown): void;
}

/**
 * Starts a thread that makes a segment. Its memory is free once it is disposed. What it is asked for then, or after it
 * failed, rejects: with a `RangeError` if the ids of logs were altered, else with `STORE_FAILED`.
 */
export function makeInThread(order: SegmentOrder): SegmentThread {
  const file = builtFile('segment-worker.js', import.meta.url);
  // Without the arguments of the process, which may include a program.
  const worker = new Worker(file, { workerData: order, resourceLimits, execArgv: [] });
  const waiting: Request[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error instanceof RangeError ? error : endedEarly(error);
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (answer: SegmentAnswer) => waiting.shift()?.resolve(answer));
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`it ended with ${code}`)));
  const request = (task: SegmentTask, memory: readonly ArrayBuffer[]) => {
    const answer = new Promise<SegmentAnswer>((resolve, reject) => {
      if (failure === undefined) waiting.push({ resolve, reject });
      else reject(failure);
    });
    worker.postMessage(task, memory);
    return answer;
  };
  return {
    capacity: 2,
    add: async (batches) => {
      const answer = await request({ batches }, memoryOf(batches));
      if ('written' in answer) throw new Error('A thread answers in the order of its tasks');
      return answer.added;
    },
    write: async (memory) => {
      const answer = await request({ memory }, [memory]);
      if ('added' in answer) throw new Error('A thread answers in the order of its tasks');
      return answer.written;
    },
    [Symbol.dispose]: () => void worker.terminate(),
  };
}

function endedEarly(cause: unknown): StoreError {
  const message = `A thread that makes the index ended early: ${messageOf(cause)}`;
  return new StoreError('STORE_FAILED', message, { cause });
}
