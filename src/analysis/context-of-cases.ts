import type { Filter } from '../meaning/filter.ts';
import {
  type Case,
  comparePlaces,
  type LogInContext,
  type Order,
  type StoredLog,
  streamContext,
  streamLogs,
} from '../store/index.ts';
import { type LogOfCase, mergeLogs, type PlaceInCases, placeInCase } from './several-cases.ts';

/** Which logs of several cases are wanted, and how much of what is around them. */
export interface ContextOfCasesOptions {
  /** So many logs before and after each that is selected, of its case. */
  readonly around: number;
  /** At most so many that are selected. */
  readonly limit?: number;
  readonly order: Order;
  /** Only those behind this place. */
  readonly after?: PlaceInCases;
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A log that was asked for, or stands near one. */
export interface ListedInContext extends LogInContext {
  /** Whether it was asked for. What stands near may be selected as well, and belong to the page before or behind. */
  readonly isListed: boolean;
}

/**
 * The logs of several cases that a filter selects, in one order, and with each
 * those around it in its case. `limit` counts the selected ones of all cases,
 * so that nothing is passed over by a page that begins behind the last one.
 */
export async function* contextOfCases(
  cases: readonly Case[],
  filter: Filter,
  { around, limit, order, after, signal }: ContextOfCasesOptions,
): AsyncGenerator<LogOfCase<ListedInContext>, void, undefined> {
  const optionsOf = (index: number, most = limit) => ({
    order,
    ...(signal && { signal }),
    ...(most !== undefined && { limit: most }),
    ...(after && { after: placeInCase(after, index, order) }),
  });
  const hits = cases.map((each, index) => streamLogs(each, filter, optionsOf(index)));
  const first = limit === undefined ? undefined : await firstOf(mergeLogs(hits, order), limit);
  const streams = cases.map((each, index) =>
    streamContext(each, filter, { ...optionsOf(index, first && (first.counts.get(index) ?? 0)), around }),
  );
  for await (const log of mergeLogs(streams, order)) {
    const isBehind = (place: PlaceInCases) =>
      0 < comparePlaces(placeOf(log), placeInCase(place, log.ofCase, order), order);
    const isOfPage = (!after || isBehind(after)) && !(first?.last && isBehind(first.last));
    yield { ...log, isListed: log.isHit && isOfPage };
  }
}

/** How many of the first logs are of each case, and where the last of them is. */
async function firstOf(
  logs: AsyncIterable<LogOfCase>,
  limit: number,
): Promise<{ readonly counts: ReadonlyMap<number, number>; readonly last?: PlaceInCases }> {
  const counts = new Map<number, number>();
  let last: PlaceInCases | undefined;
  let count = 0;
  for await (const log of logs) {
    counts.set(log.ofCase, (counts.get(log.ofCase) ?? 0) + 1);
    last = placeOf(log);
    if (++count === limit) break;
  }
  return { counts, ...(last && { last }) };
}

function placeOf({ id, log: { time }, ofCase }: LogOfCase<StoredLog>): PlaceInCases {
  return { ...(time !== undefined && { time }), id, ofCase };
}
