import { comparePlaces, type Order, type Place, type StoredLog } from '../store/index.ts';

/** A log of one of several cases. */
export type LogOfCase<L extends StoredLog = StoredLog> = L & {
  /** The number of its case among those that were asked, from 0. */
  readonly ofCase: number;
};

/** A place in the order of the logs of several cases, after which a page may begin. */
export interface PlaceInCases extends Place {
  readonly ofCase: number;
}

/**
 * The place in one of several cases that lies where a place among all of them
 * does: logs of the same time come in the order of their cases.
 */
export function placeInCase({ ofCase, ...place }: PlaceInCases, index: number, order: Order): Place {
  if (index === ofCase) return place;
  const isPassed = index < ofCase;
  return { ...place, id: isPassed === (order === 'newest') ? 0 : Number.MAX_SAFE_INTEGER };
}

/** The logs of several cases in one order, each stream being in that order. Logs of the same time come in the order of their cases. */
export function mergeLogs<L extends StoredLog>(
  streams: readonly AsyncIterable<L>[],
  order: Order,
): AsyncGenerator<LogOfCase<L>, void, undefined> {
  return mergeStreams(streams, (first, second) => compareTimes(first, second, order));
}

/** The logs of several cases as they are compared, each stream being in that order. Those that are alike come in the order of their cases. */
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

/** Which comes first of two logs: negative when it is the first. */
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

/** By time alone, so that the case decides among logs of the same time. */
export function compareTimes(first: StoredLog, second: StoredLog, order: Order): number {
  const place = ({ log: { time } }: StoredLog): Place => ({ ...(time !== undefined && { time }), id: 0 });
  return comparePlaces(place(first), place(second), order);
}
