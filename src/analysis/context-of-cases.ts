import { compareCursors, type LogInContext, type LogOrder, type StoredLog } from '../case/index.ts';
import type { Filter } from '../language/index.ts';
import { type Asked, streamLogs } from './log-source.ts';
import { type CursorInCases, cursorInCase, type LogOfCase, mergeLogs } from './several-cases.ts';
import { streamContext } from './stream-context.ts';

/** Selection of logs of several cases with their context. */
export interface ContextOfCasesOptions {
  /** Number of logs of the same case before and after each selected log. */
  readonly around: number;
  /** Maximum number of selected logs. */
  readonly limit?: number;
  readonly order: LogOrder;
  /** Only logs after this cursor. */
  readonly after?: CursorInCases;
  /** Aborts the stream, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A selected log, or a log in the context of one. */
export interface ListedInContext extends LogInContext {
  /** The log is selected on this page. Context logs may match too, and belong to the page before or after. */
  readonly isListed: boolean;
}

/**
 * Yields the logs of several cases that a filter selects, in one order, each with its context in
 * its case. `limit` counts the selected logs of all cases, so that a page that begins after the
 * last one skips nothing.
 *
 * ```ts
 * for await (const { log, isHit } of contextOfCases([incident], filter, { around: 2, limit: 10, order: 'newest' })) console.log(isHit, log.msg);
 * ```
 */
export async function* contextOfCases(
  cases: readonly Asked[],
  filter: Filter,
  { around, limit, order, after, signal }: ContextOfCasesOptions,
): AsyncGenerator<LogOfCase<ListedInContext>, void, undefined> {
  const optionsOf = (index: number, most = limit) => ({
    order,
    ...(signal && { signal }),
    ...(most !== undefined && { limit: most }),
    ...(after && { after: cursorInCase(after, index, order) }),
  });
  const hits = cases.map((each, index) => streamLogs(each, filter, optionsOf(index)));
  const first = limit === undefined ? undefined : await firstOf(mergeLogs(hits, order), limit);
  const streams = cases.map((each, index) =>
    streamContext(each, filter, { ...optionsOf(index, first && (first.counts.get(index) ?? 0)), around }),
  );
  for await (const log of mergeLogs(streams, order)) {
    const isBehind = (place: CursorInCases) =>
      0 < compareCursors(placeOf(log), cursorInCase(place, log.ofCase, order), order);
    const isOfPage = (!after || isBehind(after)) && !(first?.last && isBehind(first.last));
    yield { ...log, isListed: log.isHit && isOfPage };
  }
}

/** Counts the first logs by case, and returns the cursor of the last. */
async function firstOf(
  logs: AsyncIterable<LogOfCase>,
  limit: number,
): Promise<{ readonly counts: ReadonlyMap<number, number>; readonly last?: CursorInCases }> {
  const counts = new Map<number, number>();
  let last: CursorInCases | undefined;
  let count = 0;
  for await (const log of logs) {
    counts.set(log.ofCase, (counts.get(log.ofCase) ?? 0) + 1);
    last = placeOf(log);
    if (++count === limit) break;
  }
  return { counts, ...(last && { last }) };
}

function placeOf({ id, log: { time }, ofCase }: LogOfCase<StoredLog>): CursorInCases {
  return { ...(time !== undefined && { time }), id, ofCase };
}
