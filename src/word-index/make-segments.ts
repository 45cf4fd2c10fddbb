import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBScalarFunction,
  INTEGER,
} from '@duckdb/node-api';
import { blobBytes, builtFile, messageOf, StoreError } from '../database/index.ts';
import { wordsSql } from '../language/index.ts';
import {
  type AddedTexts,
  batchBits,
  type IdRange,
  indexedFields,
  memoryOf,
  type SegmentAnswer,
  type SegmentFacts,
  type SegmentOrder,
  type SegmentTask,
  segmentMaker,
  type TextBatch,
  type WrittenBytes,
} from './segment-maker.ts';
import {
  blobsOf,
  headOf,
  makePagesTable,
  pageBytes,
  pagesName,
  pagesTable,
  type Segment,
} from './stored-segments.ts';

/** A segment whose words are collected, and whose pages are written when they are asked for. */
export interface CollectedSegment extends Disposable {
  readonly firstId: number;
  readonly lastId: number;
  /** Yields the bytes of the pages, each time a number of whole pages but the last; returns the facts. */
  readonly write: () => AsyncGenerator<Uint8Array, SegmentFacts, undefined>;
}

/** Options of `collectSegments`. */
export interface CollectOptions extends SegmentOrder {
  /** Threads beside the calling one: none, one that makes a segment, or two. */
  readonly threads: number;
}

/** Starts to read the texts of the logs in a range of ids. Throws a `RangeError` if an id was altered. */
export function readTexts(connection: DuckDBConnection, range: IdRange): TextReader {
  // The compiled program counts in 32 bits.
  if (2 ** 31 <= range.lastId) throw new RangeError(`The id ${range.lastId} of a log is too large`);
  return readTextBlocks(connection, range);
}

/**
 * Collects the words of the logs in a range of ids, in segments that have `maxBytes` in memory. With two threads, the
 * next segment is collected while the caller has the one before, which is valid until then. The same logs give the same
 * bytes. At the end the connection of the reader is free. Throws a `RangeError` if the ids of logs were altered, else as `buildInWorker` does.
 */
export async function* collectSegments(
  reader: TextReader,
  { firstId, lastId, maxBytes, threads }: CollectOptions,
): AsyncGenerator<CollectedSegment, void, undefined> {
  const stop = new AbortController();
  const collect = (from: number) => {
    const order = { firstId: from, lastId, maxBytes };
    const collected = collectSegment(reader, order, { inThread: 0 < threads, stop: stop.signal });
    // It may reject while the caller has the segment before.
    collected.catch(() => undefined);
    return collected;
  };
  let next: Promise<CollectedSegment> | undefined;
  try {
    for (let from = firstId; from <= lastId; ) {
      using collected = await (next ?? collect(from));
      from = collected.lastId + 1;
      next = 1 < threads && from <= lastId ? collect(from) : undefined;
      yield collected;
    }
  } finally {
    stop.abort();
    const unused = await next?.catch(() => undefined);
    unused?.[Symbol.dispose]();
    await reader.end();
  }
}

async function collectSegment(
  reader: TextReader,
  order: SegmentOrder,
  { inThread, stop }: { readonly inThread: boolean; readonly stop: AbortSignal },
): Promise<CollectedSegment> {
  const thread = inThread ? buildInWorker(order) : buildInline(order);
  try {
    const lastId = await addBlocks(reader, thread, stop);
    if (lastId < order.firstId) throw new RangeError(`There is no log from ${order.firstId} on`);
    return {
      firstId: order.firstId,
      lastId,
      write: () => writePages(thread),
      [Symbol.dispose]: () => thread[Symbol.dispose](),
    };
  } catch (error) {
    thread[Symbol.dispose]();
    throw error;
  }
}

/**
 * Adds blocks until none is left or the segment is full; the reader gets back what was not added. Returns the id of
 * the last log.
 */
async function addBlocks(reader: TextReader, thread: SegmentThread, stop: AbortSignal): Promise<number> {
  const pending: Promise<AddedTexts>[] = [];
  const left: TextBatch[] = [];
  let lastId = 0;
  const endFirst = async () => {
    const added = await pending.shift();
    left.push(...(added?.left ?? []));
    lastId = added?.lastId ?? lastId;
  };
  while (left.length === 0) {
    const block = await reader.next();
    stop.throwIfAborted();
    if (!block) break;
    const adding = thread.add(block);
    // It may reject while the next block is read.
    adding.catch(() => undefined);
    pending.push(adding);
    if (thread.capacity <= pending.length) await endFirst();
  }
  while (0 < pending.length) await endFirst();
  reader.unread(left);
  return lastId;
}

/** Bytes of pages that a thread writes at a time. */
const writtenBytes = 1024 * 1024;

async function* writePages(thread: SegmentThread): AsyncGenerator<Uint8Array, SegmentFacts, undefined> {
  for (let memory = new ArrayBuffer(writtenBytes); ; ) {
    const { bytes, facts } = await thread.write(memory);
    yield bytes;
    if (facts) return facts;
    memory = bytes.buffer;
  }
}

/** Reads the texts of logs block by block, one ahead. */
export interface TextReader {
  /** Returns the next block: batches in ascending order. Undefined after the last. */
  readonly next: () => Promise<readonly TextBatch[] | undefined>;
  /** Gives back batches that were read and not used, in their order: they are the next ones. */
  readonly unread: (batches: readonly TextBatch[]) => void;
  /** Waits until no statement uses the connection: closing it then would crash the driver. */
  readonly end: () => Promise<void>;
}

/** Most batches that one statement reads: the texts of some ten thousand logs. */
const maxBatches = 64;

/** Bytes of texts that one statement reads, about. */
const usualBytes = 16 * 1024 * 1024;

/** Starts to read the texts of the logs in a range of ids. The connection is used until the last block is read. */
export function readTextBlocks(connection: DuckDBConnection, { firstId, lastId }: IdRange): TextReader {
  let unread: readonly TextBatch[] = [];
  let [from, batches] = [firstId, maxBatches];
  let ahead: ReturnType<TextReader['next']> | undefined;

  async function read(): ReturnType<TextReader['next']> {
    if (lastId < from) return undefined;
    const end = ((from >>> batchBits) + batches) * 2 ** batchBits;
    const sql = textsSql({ firstId: from, lastId: Math.min(lastId, end - 1) });
    const block = await takeTexts(connection, sql);
    const bytes = block.reduce((sum, { texts }) => sum + texts.length, 0);
    const fitting = Math.floor((batches * usualBytes) / (bytes + 1));
    batches = Math.max(1, Math.min(maxBatches, 2 * batches, fitting));
    from = end;
    return block;
  }

  return {
    next: async () => {
      const first = unread;
      unread = [];
      if (0 < first.length) return first;
      const block = await (ahead ?? read());
      ahead = block && read();
      // It rejects for the caller once it is asked for.
      ahead?.catch(() => undefined);
      return block;
    },
    unread: (left) => {
      unread = [...left, ...unread];
    },
    end: async () => {
      await ahead?.catch(() => undefined);
    },
  };
}

/** SQL of the texts of logs: a row for each batch, in any order, as `addLogs` takes it. */
function textsSql({ firstId, lastId }: IdRange): string {
  const texts = indexedFields.map((name) => `${textSql(name)}, chr(31)`);
  return `SELECT id >> ${batchBits} AS batch, encode(string_agg(concat(id, chr(31), ${texts.join(', ')}), '')) AS texts
     FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId} GROUP BY 1`;
}

/** SQL of a field as `addLogs` takes it. A code is one word with its sign; words of texts that are not plain are cut. */
function textSql(name: (typeof indexedFields)[number]): string {
  const text = `"${name}"`;
  if (name === 'logCode') return `chr(128) || ' ' || ${text} || ' '`;
  const isPlain = `length(${text}) = strlen(${text}) AND NOT contains(${text}, chr(31))`;
  return `CASE WHEN NOT (${isPlain}) THEN chr(128) || ${wordsSql(text)} ELSE ${text} END`;
}

/** Batches of the running statements, by the number in their SQL. */
const running = new Map<number, TextBatch[]>();

let lastNumber = 0;

/**
 * Registers the function `take_texts(number, batch, texts)`, by which a statement passes texts to this program. As a
 * result they would occupy the memory of the database until the garbage collector finds it.
 */
export function addTextSink(connection: DuckDBConnection): void {
  const added = DuckDBScalarFunction.create({
    name: 'take_texts',
    parameterTypes: [INTEGER, BIGINT, BLOB],
    returnType: BOOLEAN,
    volatile: true,
    mainFunction: (_info, input, output) => {
      const [numbers, batches] = [input.getColumnVector(0), input.getColumnVector(1)];
      const texts = input.getColumnVector(2);
      for (let row = 0; row < input.rowCount; row += 1) {
        const taken = running.get(Number(numbers.getItem(row)));
        taken?.push({ batch: Number(batches.getItem(row)), texts: blobBytes(texts, row) });
        output.setItem(row, taken !== undefined);
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(added);
}

/** Runs a SELECT of the columns `batch` and `texts`. Returns its rows in ascending order. */
export async function takeTexts(connection: DuckDBConnection, select: string): Promise<readonly TextBatch[]> {
  // An INTEGER of the database; numbers wrap around long after the first statements have ended.
  lastNumber = (lastNumber % 2 ** 30) + 1;
  const number = lastNumber;
  const taken: TextBatch[] = [];
  running.set(number, taken);
  try {
    await connection.run(`SELECT count(take_texts(${number}, batch, texts)) FROM (${select})`);
  } finally {
    running.delete(number);
  }
  return taken.sort((first, second) => first.batch - second.batch);
}

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
export function buildInline(order: SegmentOrder): SegmentThread {
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
export function buildInWorker(order: SegmentOrder): SegmentThread {
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

/** A segment that is stored: its number, the first of its logs, and what was collected of them. */
interface NewSegment {
  readonly segment: number;
  readonly collected: CollectedSegment;
}

/** Stores a segment, in the transaction of the caller. Returns its facts. */
export async function writeSegment(
  connection: DuckDBConnection,
  { segment, collected }: NewSegment,
): Promise<SegmentFacts> {
  await makePagesTable(connection, segment);
  const appender = await connection.createAppender(pagesName(segment), 'stored');
  const checksums: number[] = [];
  const facts = await forEachPages(collected, (pages) => {
    for (const page of pages) {
      appender.appendBlob(page);
      appender.endRow();
      checksums.push(crc32(page));
    }
    appender.flushSync();
  });
  appender.closeSync();
  const head = new DuckDBBlobValue(headOf(collected.firstId, facts.fields, checksums));
  await connection.run(
    'INSERT INTO stored.segments VALUES ($1::INTEGER, $2::BIGINT, $3::BIGINT, $4::BIGINT, $5::BIGINT, $6)',
    [segment, collected.firstId, facts.lastId, facts.logs, tokensOf(facts), head],
  );
  return facts;
}

/** Calls a function with the pages of a segment, some at a time. Returns the facts of the segment. */
async function forEachPages(
  collected: CollectedSegment,
  onPages: (pages: readonly Uint8Array[]) => void | Promise<void>,
): Promise<SegmentFacts> {
  for (const pieces = collected.write(); ; ) {
    const { value, done } = await pieces.next();
    if (done) return value;
    const pages = Array.from({ length: Math.ceil(value.length / pageBytes) }, (_, index) =>
      value.subarray(index * pageBytes, (index + 1) * pageBytes),
    );
    await onPages(pages);
  }
}

/** Returns the number of tokens in all fields. */
export function tokensOf({ fields }: SegmentFacts): number {
  return fields.reduce((sum, field) => sum + field.tokens, 0);
}

/**
 * Compares a stored segment with what was collected of its logs. Returns the difference in words, or undefined if
 * there is none.
 */
export async function findDifference(
  connection: DuckDBConnection,
  { segment, firstId, tokens }: Segment,
  collected: CollectedSegment,
): Promise<string | undefined> {
  const checksums: number[] = [];
  let differing: number | undefined;
  const facts = await forEachPages(collected, async (pages) => {
    const stored = await readPages(connection, segment, { from: checksums.length, count: pages.length });
    for (const [index, page] of pages.entries()) {
      if (Buffer.compare(page, stored[index] ?? new Uint8Array()) !== 0) differing ??= checksums.length;
      checksums.push(crc32(page));
    }
  });
  const expectedTokens = tokensOf(facts);
  if (tokens !== expectedTokens) return `there are ${expectedTokens} tokens, not ${tokens}`;
  const heads = await connection.run('SELECT head FROM stored.segments WHERE segment = $1', [segment]);
  const [head] = blobsOf(heads);
  if (!head || Buffer.compare(head, headOf(firstId, facts.fields, checksums)) !== 0)
    return 'its head differs';
  if (differing !== undefined) return `page ${differing + 1} of its terms differs`;
  const all = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${pagesTable(segment)}`);
  const more = Number(all.getRowsJS()[0]?.[0]) - checksums.length;
  return more === 0 ? undefined : `there are ${more} pages too many`;
}

async function readPages(
  connection: DuckDBConnection,
  segment: number,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly Uint8Array[]> {
  return blobsOf(
    await connection.run(
      `SELECT bytes FROM ${pagesTable(segment)} WHERE rowid BETWEEN ${from} AND ${from + count - 1} ORDER BY rowid`,
    ),
  );
}
