import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Allocate } from '../../records/lines.ts';
import { messageOf, StoreError } from '../database/store-error.ts';
import { builtFile } from '../files/built-file.ts';
import { type RegionAnswer, type RegionBatch, type RegionTask, regionReader } from './region-batch.ts';

/** Threads that read regions of NDJSON. */
export interface RegionThreads {
  /** So many regions keep them busy; more would only be held in memory. */
  readonly capacity: number;
  /** Memory for a region that is to be read. */
  readonly allocate: Allocate;
  /** Reads a region, whose memory goes over to a thread. Rejects with `STORE_FAILED` when the thread ends before it answers. */
  readonly read: (task: RegionTask) => Promise<RegionBatch>;
}

let reader: ReturnType<typeof regionReader> | undefined;

/** Reads regions in the thread that asks. */
export const thisThread: RegionThreads = {
  capacity: 1,
  allocate: (length) => new Uint8Array(length),
  read: async (task) => {
    reader ??= regionReader();
    try {
      return reader(task);
    } catch (error) {
      // What it has gathered of the region must not come into the next one.
      reader = undefined;
      throw error;
    }
  },
};

/**
 * How many threads read a large file unless it is said: one reads several times
 * as fast as the database writes. None where there is one processor only.
 */
const usualThreads = Math.min(1, availableParallelism() - 1);

/** Threads that have nothing to do for so long are ended. Milliseconds. */
const patience = 2_000;

/** Little that a thread makes lives long: with 4 or 16, an import takes as long. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** A thread, and who waits for its answers, the first one first. */
interface Thread {
  readonly worker: Worker;
  readonly waiting: { resolve(batch: RegionBatch): void; reject(error: unknown): void }[];
}

/** The threads that run. They are shared by all that is loaded in this process. */
let threads: Thread[] = [];

let turn = 0;

let ending: NodeJS.Timeout | undefined;

/** Bytes of texts that were read since there were threads. */
let readSince = 0;

/** From so many bytes on it pays to start threads: reading them takes longer than that. */
const worthwhile = 16 * 1024 * 1024;

/** Logs shrink to a tenth or so. What shrinks to less than this part of its text is not worth much work. */
const mostShrunk = 1 / 16;

/**
 * Threads for an entry of a file, or none where reading it without them is
 * sooner done: it is small, and not much was read before. `text` are its
 * inflated bytes where they are known, `file` those of the file.
 */
export function threadsFor(
  { text, file }: { readonly text: number | undefined; readonly file: number },
  count?: number,
): RegionThreads | undefined {
  if (count !== undefined) return 0 < count ? regionThreads(count) : undefined;
  readSince += Math.min(text ?? Number.POSITIVE_INFINITY, file / mostShrunk);
  const pays = 0 < usualThreads && (0 < threads.length || worthwhile <= readSince);
  return pays ? regionThreads(usualThreads) : undefined;
}

/** Memory of regions that were read. To ask for more at every turn would keep the garbage collector busy. */
let spare: ArrayBuffer[] = [];

/** A region is a little longer than it should be: chunks of a text come as they are. */
const usualMemory = 2.5 * 1024 * 1024;

/** More is not in use at once. */
const mostSpare = 8;

function allocate(length: number): Uint8Array {
  // The last region of a text may be short.
  if (length < usualMemory / 2 || usualMemory < length) return new Uint8Array(length);
  return new Uint8Array(spare.pop() ?? new ArrayBuffer(usualMemory), 0, length);
}

function takeBack(memory: ArrayBufferLike): void {
  const isUsual = memory instanceof ArrayBuffer && memory.byteLength === usualMemory;
  if (isUsual && spare.length < mostSpare) spare.push(memory);
}

/** Up to so many threads. They are started when they are first asked, and end by themselves. */
function regionThreads(count: number): RegionThreads {
  return { capacity: count + 2, allocate, read: (task) => ask(task, count) };
}

function ask(task: RegionTask, count: number): Promise<RegionBatch> {
  clearTimeout(ending);
  while (threads.length < count) threads.push(start());
  const thread = threads[turn++ % count];
  if (!thread) throw new Error('A thread was ended while it was asked');
  const answer = new Promise<RegionBatch>((resolve, reject) => thread.waiting.push({ resolve, reject }));
  thread.worker.ref();
  const { buffer } = task.region.bytes;
  thread.worker.postMessage(task, buffer instanceof ArrayBuffer ? [buffer] : []);
  return answer;
}

/** A thread does not take the arguments of the process over: among them may be a program. */
function start(): Thread {
  const worker = new Worker(builtFile('region-worker.js', import.meta.url), { resourceLimits, execArgv: [] });
  // Only a thread that is asked keeps the process from ending.
  worker.unref();
  const thread: Thread = { worker, waiting: [] };
  worker.on('message', ({ batch, memory }: RegionAnswer) => {
    takeBack(memory);
    thread.waiting.shift()?.resolve(batch);
    if (thread.waiting.length === 0) rest(thread);
  });
  worker.on('error', (error) => fail(thread, error));
  worker.on('exit', (code) => fail(thread, new Error(`it ended with ${code}`)));
  return thread;
}

/** Lets the process end. */
function rest({ worker }: Thread): void {
  worker.unref();
  endSoon();
}

/** Ends the threads when none of them has anything to do for a while. */
function endSoon(): void {
  clearTimeout(ending);
  if (threads.every(({ waiting }) => waiting.length === 0)) ending = setTimeout(endAll, patience).unref();
}

function endAll(): void {
  readSince = 0;
  spare = [];
  for (const { worker } of threads.splice(0)) void worker.terminate();
}

function fail(thread: Thread, cause: unknown): void {
  threads = threads.filter((other) => other !== thread);
  const message = `A thread that reads logs ended before it was done: ${messageOf(cause)}`;
  for (const { reject } of thread.waiting.splice(0))
    reject(new StoreError('STORE_FAILED', message, { cause }));
  endSoon();
}
