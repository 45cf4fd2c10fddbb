import { compareCursors, type LogCursor, type LogOrder, type StoredLog } from '../case/index.ts';

/** A log of one of several cases. */
export type LogOfCase<L extends StoredLog = StoredLog> = L & {
  /** Index of its case in the queried cases, from 0. */
  readonly ofCase: number;
};

/** A cursor in the order of the logs of several cases, after which a page may begin. */
export interface CursorInCases extends LogCursor {
  readonly ofCase: number;
}

/**
 * Converts a cursor over several cases to a cursor in one of them: logs of the same time are
 * ordered by their cases.
 */
export function cursorInCase({ ofCase, ...place }: CursorInCases, index: number, order: LogOrder): LogCursor {
  if (index === ofCase) return place;
  const isPassed = index < ofCase;
  return { ...place, id: isPassed === (order === 'newest') ? 0 : Number.MAX_SAFE_INTEGER };
}

/**
 * Merges streams of logs of several cases, each in the given order. Logs of the same time are
 * ordered by their cases.
 *
 * ```ts
 * const streams = [incident].map((each) => streamLogs(each, filter, { order: 'newest' }));
 * for await (const { log, ofCase } of mergeLogs(streams, 'newest')) console.log(ofCase, log.msg);
 * ```
 */
export function mergeLogs<L extends StoredLog>(
  streams: readonly AsyncIterable<L>[],
  order: LogOrder,
): AsyncGenerator<LogOfCase<L>, void, undefined> {
  return mergeStreams(streams, (first, second) => compareTimes(first, second, order));
}

/**
 * Merges streams of logs of several cases by a comparison, each stream being in that order. Equal
 * logs are ordered by their cases.
 */
export async function* mergeStreams<L extends StoredLog>(
  streams: readonly AsyncIterable<L>[],
  compare: Compare<L>,
): AsyncGenerator<LogOfCase<L>, void, undefined> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
    for (;;) {
      const next = firstOf(heads, compare);
      if (next === undefined) return;
      yield { ...next.log, ofCase: next.ofCase };
      const iterator = iterators[next.ofCase];
      if (iterator) heads[next.ofCase] = await iterator.next();
    }
  } finally {
    await Promise.all(iterators.map((iterator) => iterator.return?.()));
  }
}

/** Compares two logs: negative if the first precedes. */
type Compare<L> = (first: L, second: L) => number;

function firstOf<L extends StoredLog>(
  heads: readonly IteratorResult<L, unknown>[],
  compare: Compare<L>,
): { readonly log: L; readonly ofCase: number } | undefined {
  let first: { readonly log: L; readonly ofCase: number } | undefined;
  for (const [ofCase, head] of heads.entries()) {
    if (head.done) continue;
    if (!first || compare(head.value, first.log) < 0) first = { log: head.value, ofCase };
  }
  return first;
}

/** Compares by time alone, so that the case decides the order of logs of the same time. */
export function compareTimes(first: StoredLog, second: StoredLog, order: LogOrder): number {
  const place = ({ log: { time } }: StoredLog): LogCursor => ({ ...(time !== undefined && { time }), id: 0 });
  return compareCursors(place(first), place(second), order);
}
