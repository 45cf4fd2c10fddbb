import type { JS } from '@duckdb/node-api';
import * as v from 'valibot';
import type { FieldValue } from '../../meaning/document.ts';
import type { Filter } from '../../meaning/filter.ts';
import { toNumberValue } from '../../meaning/number-value.ts';
import type { LogField } from '../../records/log.ts';
import { type Case, toStoreError } from '../case/case.ts';
import type { Condition } from '../case/column-test.ts';
import { behind, comparePlaces, type Order, orders, type Place } from '../case/log-order.ts';
import { streamWhole } from '../database/stream-whole.ts';
import { idsOf } from '../token-index/bitmap.ts';
import { firstIds } from '../token-index/times.ts';
import { type Search, searching, startSearch } from './search.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';
import { stretchesOf, within } from './stretches.ts';

/** Which of the selected logs are wanted. */
export interface FindOptions {
  /** At most this many. */
  readonly limit: number;
  /** `newest` by default. */
  readonly order?: Order;
  /** So many are passed over first. */
  readonly offset?: number;
  /** Only those behind this place: pages that begin there stay the same whatever is added. */
  readonly after?: Place;
}

/** The logs that a filter selects, the newest first unless asked otherwise. */
export async function findLogs(
  from: Case,
  filter: Filter,
  { limit, order = 'newest', offset = 0, after }: FindOptions,
): Promise<readonly StoredLog[]> {
  if (mostPicked < offset + limit) {
    const found: StoredLog[] = [];
    const options = { order, limit: offset + limit, ...(after && { after }) };
    for await (const log of streamLogs(from, filter, options)) found.push(log);
    return found.slice(offset);
  }
  return await searching(from, filter, async (search) => {
    const { connection } = search;
    const { sql, parameters, isFew } = await pageOf(search, { order, count: offset + limit, after });
    // Few logs are sorted here, which takes less than planning it.
    const select = isFew
      ? `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql}`
      : selectFirst(sql, order, `LIMIT ${toCount(limit)} OFFSET ${toCount(offset)}`);
    // Where there is nothing to bind, it is planned once.
    const result = await connection.runAndReadAll(
      select,
      parameters.length === 0 ? undefined : [...parameters],
    );
    const found = result.getRowsJS().map(toStoredLog);
    found.sort((first, second) => comparePlaces(placeOf(first), placeOf(second), order));
    return isFew ? found.slice(offset, offset + limit) : found;
  });
}

/**
 * A SELECT of the first logs of a condition, in their order, which what is behind a LIMIT keeps. Their texts are put
 * together there, so that it is not done for logs that are none of them.
 */
function selectFirst(sql: string, order: Order, limit: string): string {
  const first = `SELECT * FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]} ${limit}`;
  return `SELECT ${storedLogColumns} FROM (${first})`;
}

function placeOf({ id, log: { time } }: StoredLog): Place {
  return time === undefined ? { id } : { id, time };
}

/** Which of the selected logs a stream gives. */
export interface StreamOptions extends Partial<Pick<FindOptions, 'limit' | 'order' | 'after'>> {
  /** Ends the stream, also while the first log is looked for: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The logs that a filter selects one after the other, the oldest first unless
 * asked otherwise. They are as of the beginning, whatever is added meanwhile.
 */
export async function* streamLogs(
  from: Case,
  filter: Filter,
  { order = 'oldest', limit, after, signal }: StreamOptions = {},
): AsyncGenerator<StoredLog, void, undefined> {
  const count = limit ?? Number.POSITIVE_INFINITY;
  const toSelects = count <= mostPicked ? selectPage : selectStretches;
  let left = count;
  for await (const row of streamSearch(from, filter, { signal, toSelects })) {
    if (left-- <= 0) return;
    yield toStoredLog(row);
  }

  async function* selectPage(search: Search): AsyncGenerator<Condition> {
    const { sql, parameters } = await pageOf(search, { order, count, after });
    yield { sql: selectFirst(sql, order, limitTo(limit)), parameters };
  }

  async function* selectStretches({ connection, condition }: Search): AsyncGenerator<Condition> {
    const wanted = page(condition(), order, after);
    for (const stretch of await stretchesOf(connection, wanted, order)) {
      if (left <= 0) return;
      const { sql, parameters } = within(wanted, stretch, order);
      const select = `SELECT ${storedLogColumns} FROM stored.logs WHERE ${sql} ORDER BY ${orders[order]}`;
      yield { sql: select, parameters };
    }
  }
}

/** What is to be streamed of a search: one SELECT after the other. */
interface Streamed {
  readonly signal: AbortSignal | undefined;
  readonly toSelects: (search: Search) => AsyncIterable<Condition>;
}

/** The rows of SELECTs on what a filter selects one after the other. */
export async function* streamSearch(
  from: Case,
  filter: Filter,
  { signal, toSelects }: Streamed,
): AsyncGenerator<readonly JS[], void, undefined> {
  const { end, ...search } = await startSearch(from, filter, signal);
  try {
    for await (const { sql, parameters } of toSelects(search)) {
      const result = await streamWhole(search.connection, { sql, parameters, signal });
      for await (const rows of result.yieldRowsJs()) {
        signal?.throwIfAborted();
        yield* rows;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    end();
  }
}

/**
 * Up to so many logs are picked out by their times here, or sorted by the
 * database while it reads them. For more it would sort all that are selected.
 */
const mostPicked = 1000;

/** No more hits than this need no picking: they are sorted as they are read. */
const fewHits = 100;

/** The condition of the first logs of a search in an order, or of more than those; whether it selects few. */
interface Page extends Condition {
  readonly isFew: boolean;
}

async function pageOf(
  { hits, condition }: Search,
  {
    order,
    count,
    after,
  }: { readonly order: Order; readonly count: number; readonly after: Place | undefined },
): Promise<Page> {
  const isPicked = hits && count <= mostPicked && fewHits < hits.count;
  const times = isPicked ? await hits.times() : undefined;
  if (hits && times) {
    const first = firstIds(times, hits.bitmap(), { order, count, after });
    return { sql: await hits.among(first), parameters: [], isFew: true };
  }
  if (!hits || mostPicked < hits.count) return { ...page(condition(), order, after), isFew: false };
  const all = { sql: await hits.among(idsOf(hits.bitmap())), parameters: [] };
  return { ...page(all, order, after), isFew: hits.count <= fewHits };
}

/** The end of a SELECT that gives at most so many rows. */
export function limitTo(limit: number | undefined): string {
  return limit === undefined ? '' : `LIMIT ${toCount(limit)}`;
}

/** The condition of the selected logs behind a place. */
export function page(condition: Condition, order: Order, after: Place | undefined): Condition {
  if (!after) return condition;
  const rest = behind(after, order, condition.parameters.length + 1);
  return {
    sql: `(${condition.sql}) AND ${rest.sql}`,
    parameters: [...condition.parameters, ...rest.parameters],
  };
}

/** How many logs a filter selects. */
export function countLogs(from: Case, filter: Filter): Promise<number> {
  return searching(from, filter, async ({ connection, condition, hits }) => {
    if (hits) return hits.count;
    const { sql, parameters } = condition();
    const count = `SELECT count(*)::DOUBLE FROM stored.logs WHERE ${sql}`;
    const result = await connection.runAndReadAll(count, [...parameters]);
    return Number(result.getRowsJS()[0]?.[0]);
  });
}

/** How many logs have one value of a field. */
export interface ValueCount {
  /** Absent in the count of the logs that have no value. */
  readonly value?: FieldValue;
  readonly count: number;
}

/** The values that a field has in the logs that a filter selects, the most frequent first; at most 100 unless asked otherwise. */
export function countBy(
  from: Case,
  field: LogField,
  filter: Filter,
  { limit = 100 }: { readonly limit?: number } = {},
): Promise<readonly ValueCount[]> {
  return searching(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const result = await connection.runAndReadAll(
      `SELECT ${fieldValue(field)} AS value, count(*)::DOUBLE AS count FROM stored.logs WHERE ${sql}
       GROUP BY ALL ORDER BY count DESC, value NULLS LAST LIMIT ${toCount(limit)}`,
      [...parameters],
    );
    return result.getRowsJS().map(([value, count]) => ({
      ...v.parse(foundValue, value),
      count: Number(count),
    }));
  });
}

/** The value of a field as SQL: a text, a double, or a BIGINT. */
export function fieldValue(field: LogField): string {
  return field === 'time' ? 'epoch_ms("time")::DOUBLE' : `"${field}"`;
}

/** Checks what `fieldValue` came to, and gives it as the value of a log; nothing where it is NULL. */
export const foundValue = v.pipe(
  v.nullable(v.union([v.string(), v.number(), v.pipe(v.bigint(), v.transform(toNumberValue))])),
  v.transform((value): { readonly value?: FieldValue } => (value === null ? {} : { value })),
);

/** A number that may stand in SQL: whole, not negative. Infinity asks for all there are. */
export function toCount(value: number): string {
  return String(Math.min(Math.max(0, Math.trunc(value) || 0), Number.MAX_SAFE_INTEGER));
}
