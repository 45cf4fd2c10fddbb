import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { builtFile, messageOf, StoreError } from '../../database/index.ts';
import type { Allocate } from '../../records/index.ts';
import { type RegionAnswer, type RegionBatch, type RegionTask, regionReader } from './region-batch.ts';

/** Threads that read regions of NDJSON. */
export interface RegionThreads {
  /** Number of regions that keep the threads busy; more would only occupy memory. */
  readonly capacity: number;
  /** Allocates memory for a region. */
  readonly allocate: Allocate;
  /**
   * Reads a region, and transfers its memory to a thread. Rejects with `STORE_FAILED` if the thread
   * ends before it answers.
   */
  readonly read: (task: RegionTask) => Promise<RegionBatch>;
}

let reader: ReturnType<typeof regionReader> | undefined;

/** Reads regions in the calling thread. */
export const thisThread: RegionThreads = {
  capacity: 1,
  allocate: (length) => new Uint8Array(length),
  read: async (task) => {
    reader ??= regionReader();
    try {
      return reader(task);
    } catch (error) {
      // The partial batch of the failed region must not leak into the next one.
      reader = undefined;
      throw error;
    }
  },
};

/**
 * Default number of threads for a large file: one reads several times as fast as the database
 * writes. None on a single processor.
 */
const usualThreads = Math.min(1, availableParallelism() - 1);

/** Idle threads end after this time. Milliseconds. */
const idleTimeout = 2_000;

/** Few objects of a thread live long: an import takes equally long with 4 or 16. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** A thread, and the pending requests, oldest first. */
interface Thread {
  readonly worker: Worker;
  readonly waiting: { resolve(batch: RegionBatch): void; reject(error: unknown): void }[];
}

/** Running threads, shared by all imports of this process. */
let threads: Thread[] = [];

let requests = 0;

let idleTimer: NodeJS.Timeout | undefined;

/** Bytes of texts read since threads last ended. */
let bytesRead = 0;

/** Bytes from which starting threads pays: reading them takes longer than that. */
const worthwhileBytes = 16 * 1024 * 1024;

/** Logs shrink to about a tenth. Data that shrinks below this fraction of its text is not worth much work. */
const minCompression = 1 / 16;

/**
 * Returns threads for an entry of a file; undefined if reading without them is faster: the entry is
 * small, and little was read before. `text` is its inflated size if known, `file` the size of the
 * file, in bytes.
 */
export function threadsForEntry(
  { text, file }: { readonly text: number | undefined; readonly file: number },
  count?: number,
): RegionThreads | undefined {
  if (count !== undefined) return 0 < count ? regionThreads(count) : undefined;
  bytesRead += Math.min(text ?? Number.POSITIVE_INFINITY, file / minCompression);
  const pays = 0 < usualThreads && (0 < threads.length || worthwhileBytes <= bytesRead);
  return pays ? regionThreads(usualThreads) : undefined;
}

/** Reusable memory of read regions. New allocations each time would keep the garbage collector busy. */
let reusable: ArrayBuffer[] = [];

/** Regions slightly exceed their nominal length: the chunks of a text vary. */
const usualMemory = 2.5 * 1024 * 1024;

/** Maximum reusable blocks. */
const maxReusable = 8;

function allocate(length: number): Uint8Array {
  // The last region of a text may be short.
  if (length < usualMemory / 2 || usualMemory < length) return new Uint8Array(length);
  return new Uint8Array(reusable.pop() ?? new ArrayBuffer(usualMemory), 0, length);
}

function reuse(memory: ArrayBufferLike): void {
  const isUsual = memory instanceof ArrayBuffer && memory.byteLength === usualMemory;
  if (isUsual && reusable.length < maxReusable) reusable.push(memory);
}

/** Returns at most `count` threads. They start at the first request, and end by themselves. */
function regionThreads(count: number): RegionThreads {
  return { capacity: count + 2, allocate, read: (task) => request(task, count) };
}

function request(task: RegionTask, count: number): Promise<RegionBatch> {
  clearTimeout(idleTimer);
  while (threads.length < count) threads.push(start());
  const thread = threads[requests++ % count];
  if (!thread) throw new Error('A thread ended during a request');
  const answer = new Promise<RegionBatch>((resolve, reject) => thread.waiting.push({ resolve, reject }));
  thread.worker.ref();
  const { buffer } = task.region.bytes;
  thread.worker.postMessage(task, buffer instanceof ArrayBuffer ? [buffer] : []);
  return answer;
}

/** Starts a thread without the arguments of the process, which may include a program. */
function start(): Thread {
  const worker = new Worker(builtFile('region-worker.js', import.meta.url), { resourceLimits, execArgv: [] });
  // Only a busy thread keeps the process alive.
  worker.unref();
  const thread: Thread = { worker, waiting: [] };
  worker.on('message', ({ batch, memory }: RegionAnswer) => {
    reuse(memory);
    thread.waiting.shift()?.resolve(batch);
    if (thread.waiting.length === 0) release(thread);
  });
  worker.on('error', (error) => fail(thread, error));
  worker.on('exit', (code) => fail(thread, new Error(`it ended with ${code}`)));
  return thread;
}

/** Lets the process end. */
function release({ worker }: Thread): void {
  worker.unref();
  endWhenIdle();
}

/** Ends all threads after an idle time. */
function endWhenIdle(): void {
  clearTimeout(idleTimer);
  if (threads.every(({ waiting }) => waiting.length === 0))
    idleTimer = setTimeout(endAll, idleTimeout).unref();
}

function endAll(): void {
  bytesRead = 0;
  reusable = [];
  for (const { worker } of threads.splice(0)) void worker.terminate();
}

function fail(thread: Thread, cause: unknown): void {
  threads = threads.filter((other) => other !== thread);
  const message = `A thread that reads logs ended early: ${messageOf(cause)}`;
  for (const { reject } of thread.waiting.splice(0))
    reject(new StoreError('STORE_FAILED', message, { cause }));
  endWhenIdle();
}
