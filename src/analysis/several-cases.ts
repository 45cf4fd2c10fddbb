import {
  type LogInContext,
  type ScoredLog,
  type StoredLog,
  sourceOf,
  streamBest,
  timesOfCase,
} from '../case/index.ts';
import { boolFilter, type Field, type Filter, joinStatistics, type Scored } from '../language/index.ts';
import { compareCursors, type LogCursor, type LogOrder } from '../records/index.ts';
import { type AnyLogSource, isCase } from './log-source.ts';

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
export function cursorInCase(
  { ofCase, ...cursor }: CursorInCases,
  index: number,
  order: LogOrder,
): LogCursor {
  if (index === ofCase) return cursor;
  const isPassed = index < ofCase;
  return { ...cursor, id: isPassed === (order === 'newest') ? 0 : Number.MAX_SAFE_INTEGER };
}

/**
 * Merges streams of logs of several cases, each in the given order. Logs of the same time are
 * ordered by their cases. A stream of a case whose times are known begins when the others have reached them.
 *
 * ```ts
 * const streams = [incident].map((each) => streamLogs(each, filter, { order: 'newest' }));
 * for await (const { log, ofCase } of mergeLogs(streams, 'newest')) console.log(ofCase, log.msg);
 * ```
 */
export function mergeLogs<L extends StoredLog>(
  streams: readonly AsyncIterable<L>[],
  order: LogOrder,
  cases: readonly AnyLogSource[] = [],
): AsyncGenerator<LogOfCase<L>, void, undefined> {
  const compare: Compare<L> = (first, second) => compareTimes(first, second, order);
  return mergeStreams(streams, compare, { order, cases });
}

/**
 * Merges streams of logs of several cases by a comparison, each stream being in that order. Equal
 * logs are ordered by their cases.
 */
export async function* mergeStreams<L extends StoredLog>(
  streams: readonly AsyncIterable<L>[],
  compare: Compare<L>,
  beginnings?: Beginnings,
): AsyncGenerator<LogOfCase<L>, void, undefined> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  try {
    const heads = new Map<number, L>();
    const advance = async (ofCase: number) => {
      const head = await iterators[ofCase]?.next();
      if (head === undefined || head.done) heads.delete(ofCase);
      else heads.set(ofCase, head.value);
    };
    const waiting = beginnings ? inOrderOfBeginning(streams.length, beginnings) : [];
    if (!beginnings) await Promise.all([...streams.keys()].map(advance));
    for (let together = 1; ; ) {
      const next = firstOf(heads, compare);
      const begun = toBegin(waiting, next?.log, { beginnings, together });
      if (0 < begun.length) {
        waiting.splice(0, begun.length);
        await Promise.all(begun.map(({ ofCase }) => advance(ofCase)));
        // Nothing was found so far, so that several are needed.
        together = Math.min(2 * together, mostBegunTogether);
        continue;
      }
      if (next === undefined) return;
      yield { ...next.log, ofCase: next.ofCase };
      await advance(next.ofCase);
    }
  } finally {
    await Promise.all(iterators.map((iterator) => iterator.return?.()));
  }
}

/** Streams that are begun side by side if the logs of earlier ones do not suffice. */
const mostBegunTogether = 8;

/** What is known of the first logs of streams: their order, and the cases with the times. */
interface Beginnings {
  readonly order: LogOrder;
  readonly cases: readonly AnyLogSource[];
}

/** A stream that has not begun, with the earliest place of its first log; undefined if that may be anywhere. */
interface Waiting {
  readonly ofCase: number;
  readonly place: LogCursor | undefined;
}

/** The streams in the order in which they have to begin. */
function inOrderOfBeginning(count: number, { order, cases }: Beginnings): Waiting[] {
  const waiting = Array.from({ length: count }, (_, ofCase): Waiting => {
    const from = cases[ofCase];
    const times = from && isCase(from) ? timesOfCase(from) : undefined;
    if (times === undefined) return { ofCase, place: undefined };
    const time = order === 'newest' ? times.last : times.first;
    return { ofCase, place: { ...(time !== undefined && { time }), id: 0 } };
  });
  return waiting.sort((one, other) => {
    if (one.place && other.place) return compareCursors(one.place, other.place, order);
    return Number(one.place !== undefined) - Number(other.place !== undefined);
  });
}

/** The waiting streams that have to begin before a log is the next one; some of them if there is no log yet. */
function toBegin(
  waiting: readonly Waiting[],
  next: StoredLog | undefined,
  { beginnings, together }: { readonly beginnings: Beginnings | undefined; readonly together: number },
): readonly Waiting[] {
  if (!beginnings) return [];
  const isAnywhere = waiting.filter(({ place }) => place === undefined).length;
  if (0 < isAnywhere) return waiting.slice(0, isAnywhere);
  if (!next) return waiting.slice(0, together);
  const { time } = next.log;
  const reached: LogCursor = { ...(time !== undefined && { time }), id: 0 };
  const isLater = ({ place }: Waiting) =>
    place !== undefined && 0 < compareCursors(place, reached, beginnings.order);
  const end = waiting.findIndex(isLater);
  return end === -1 ? [...waiting] : waiting.slice(0, end);
}

/** Compares two logs: negative if the first precedes. */
type Compare<L> = (first: L, second: L) => number;

/** The first of the logs at which streams are, by their cases. */
function firstOf<L extends StoredLog>(
  heads: ReadonlyMap<number, L>,
  compare: Compare<L>,
): { readonly log: L; readonly ofCase: number } | undefined {
  let first: { readonly log: L; readonly ofCase: number } | undefined;
  for (const [ofCase, log] of heads) {
    const order = first ? compare(log, first.log) || ofCase - first.ofCase : -1;
    if (order < 0) first = { log, ofCase };
  }
  return first;
}

/** Compares by time alone, so that the case decides the order of logs of the same time. */
export function compareTimes(first: StoredLog, second: StoredLog, order: LogOrder): number {
  const cursorOf = ({ log: { time } }: StoredLog): LogCursor => ({
    ...(time !== undefined && { time }),
    id: 0,
  });
  return compareCursors(cursorOf(first), cursorOf(second), order);
}

/** Options of `cursorsOfCases`. */
export interface CursorsOfCasesOptions {
  readonly order: LogOrder;
  /** Distance between two cursors, in logs. */
  readonly every: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the positions of each `every`-th log that a filter selects in some cases. Page `n + 1`
 * of `every` logs begins after cursor `n`, counted from 0.
 */
export async function cursorsOfCases(
  cases: readonly AnyLogSource[],
  filter: Filter,
  { order, every, signal }: CursorsOfCasesOptions,
): Promise<readonly CursorInCases[]> {
  // The positions of several cases depend on every log of each.
  const options = { order, every: cases.length === 1 ? every : 1, signal };
  const found = await Promise.all(
    cases.map((from) => {
      const { logCursors } = sourceOf(from);
      if (!logCursors) throw new Error('The positions in a cluster are found one at a time: use cursorAt');
      return logCursors(filter, options);
    }),
  );
  const all = found.flatMap((cursors, ofCase) => cursors.map((cursor) => ({ ...cursor, ofCase })));
  if (cases.length === 1) return all;
  all.sort((first, second) => compareInCases(first, second, order));
  return all.filter((_, index) => (index + 1) % every === 0);
}

/** Reports if all positions of a source can be listed at once: a cluster would have to number all its logs. */
export function hasCursors(source: AnyLogSource): boolean {
  return sourceOf(source).logCursors !== undefined;
}

/** Place of a log among those that a filter selects. */
export interface CursorAtOptions {
  readonly order: LogOrder;
  /** Number of the log in the order, from 1. */
  readonly number: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the position of one of the logs that a filter selects in some sources; undefined if they are fewer. Logs are
 * counted by days and then by the minutes of one day, so that none but those of a minute are listed.
 */
export async function cursorAt(
  sources: readonly AnyLogSource[],
  filter: Filter,
  { order, number, signal }: CursorAtOptions,
): Promise<CursorInCases | undefined> {
  let [within, left] = [filter, number];
  for (const every of [86_400_000, 60_000]) {
    const found = await intervalOf(sources, within, { order, number: left, every, signal });
    left = found.left;
    // Those without a time are behind all others.
    const part = found.start === undefined ? withoutTime : inInterval(found.start, every);
    within = boolFilter({ must: [within, part] });
    if (found.start === undefined) break;
  }
  const streams = sources.map((source) =>
    sourceOf(source).streamLogs(within, { order, limit: left, ...(signal && { signal }) }),
  );
  for await (const log of mergeLogs(streams, order)) {
    left -= 1;
    if (left === 0) return placeOf(log);
  }
  return undefined;
}

const timeField: Field = { name: 'time', type: 'date', about: 'when it was logged' };

const withoutTime = boolFilter({ mustNot: [{ kind: 'exists', field: timeField }] });

function inInterval(start: number, every: number): Filter {
  const [lower, upper] = [start, start + every];
  return {
    kind: 'range',
    field: timeField,
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: false },
  };
}

/** Finds the interval of a log in an order, and its number there; no interval for one behind all with a time. */
async function intervalOf(
  sources: readonly AnyLogSource[],
  filter: Filter,
  { order, number, every, signal }: CursorAtOptions & { readonly every: number },
): Promise<{ readonly start?: number; readonly left: number }> {
  const counts = new Map<number, number>();
  for (const source of sources)
    for (const { start, count } of await sourceOf(source).countByTime(filter, { every, signal }))
      counts.set(start, (counts.get(start) ?? 0) + count);
  const direction = order === 'newest' ? -1 : 1;
  let left = number;
  for (const [start, count] of [...counts].sort(([first], [second]) => direction * (first - second))) {
    if (left <= count) return { start, left };
    left -= count;
  }
  return { left };
}

/** Orders by time, then by case, then by id. */
function compareInCases(first: CursorInCases, second: CursorInCases, order: LogOrder): number {
  const byTime = compareCursors({ ...first, id: 0 }, { ...second, id: 0 }, order);
  return byTime || first.ofCase - second.ofCase || compareCursors(first, second, order);
}

/** A cursor in the relevance order of the logs of several cases. */
export interface ScoredCursorInCases extends CursorInCases {
  readonly score: number;
}

/** Selection of logs of several cases. */
export interface BestOfCasesOptions {
  /** Maximum number of logs. */
  readonly limit?: number;
  /** Only logs after this cursor, which stays valid as long as no logs are added. */
  readonly after?: ScoredCursorInCases;
  /** Aborts the stream, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Yields the logs of several cases that a filter selects, most relevant first. Scores are computed
 * as if all logs were in one case, so that the case of a log does not matter. Equal scores are
 * ordered newest first, equal times by the order of their cases.
 *
 * ```ts
 * const scored = resolveScored(parse('timeout database').query);
 * for await (const { log, score, ofCase } of bestOfCases([incident], scored, { limit: 10 })) console.log(ofCase, score, log.msg);
 * ```
 */
export async function* bestOfCases(
  cases: readonly AnyLogSource[],
  scored: Scored,
  { limit, after, signal }: BestOfCasesOptions,
): AsyncGenerator<LogOfCase<ScoredLog>, void, undefined> {
  const known = await Promise.all(cases.map((source) => sourceOf(source).relevanceStatistics(scored.filter)));
  const statistics = joinStatistics(known);
  const streams = await Promise.all(
    cases.map(async (each, index) => {
      const source = sourceOf(each);
      const options = {
        statistics,
        ...(limit !== undefined && { limit }),
        ...(signal && { signal }),
        ...(after && { after: { ...cursorInCase(after, index, 'newest'), score: after.score } }),
      };
      const found = await source.findBest?.(scored, options);
      return found ? streamOf(found) : streamBest(await source.copyLogs(scored.filter), scored, options);
    }),
  );
  yield* mergeStreams(
    streams,
    (first, second) => second.score - first.score || compareTimes(first, second, 'newest'),
  );
}

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

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
  cases: readonly AnyLogSource[],
  filter: Filter,
  { around, limit, order, after, signal }: ContextOfCasesOptions,
): AsyncGenerator<LogOfCase<ListedInContext>, void, undefined> {
  const optionsOf = (index: number, max = limit) => ({
    order,
    ...(signal && { signal }),
    ...(max !== undefined && { limit: max }),
    ...(after && { after: cursorInCase(after, index, order) }),
  });
  const hits = cases.map((source, index) => sourceOf(source).streamLogs(filter, optionsOf(index)));
  const first = limit === undefined ? undefined : await firstLogOf(mergeLogs(hits, order, cases), limit);
  const streams = cases.map((source, index) =>
    sourceOf(source).streamContext(filter, {
      ...optionsOf(index, first && (first.counts.get(index) ?? 0)),
      around,
    }),
  );
  for await (const log of mergeLogs(streams, order, cases)) {
    const isBehind = (cursor: CursorInCases) =>
      0 < compareCursors(placeOf(log), cursorInCase(cursor, log.ofCase, order), order);
    const isOfPage = (!after || isBehind(after)) && !(first?.last && isBehind(first.last));
    yield { ...log, isListed: log.isHit && isOfPage };
  }
}

/** Counts the first logs by case, and returns the cursor of the last. */
async function firstLogOf(
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
