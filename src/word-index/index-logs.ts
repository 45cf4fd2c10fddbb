import type { DuckDBConnection } from '@duckdb/node-api';
import type { AddedTexts, SegmentFacts, SegmentOrder } from './segment-maker.ts';
import { makeHere, makeInThread, type SegmentThread } from './segment-threads.ts';
import { type IdRange, readTextBlocks, type TextReader } from './text-blocks.ts';
import type { TextBatch } from './text-sink.ts';

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
 * bytes. At the end the connection of the reader is free. Throws a `RangeError` if the ids of logs were altered, else as `makeInThread` does.
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
  const thread = inThread ? makeInThread(order) : makeHere(order);
  try {
    const lastId = await addBlocks(reader, thread, stop);
    if (lastId < order.firstId) throw new RangeError(`There is no log from ${order.firstId} on`);
    return {
      ...{ firstId: order.firstId, lastId },
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
