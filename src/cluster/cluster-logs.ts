import * as v from 'valibot';
import type { FieldValue } from '../meaning/document.ts';
import type { Filter, FuzzyFilter } from '../meaning/filter.ts';
import { toNumberValue } from '../meaning/number-value.ts';
import { intervalShift } from '../records/interval-start.ts';
import type { LogField } from '../records/log.ts';
import type {
  LogCursor,
  LogOrder,
  StoredLog,
  StreamOptions,
  TimeCount,
  TimeSpan,
  ValueCount,
} from '../store/index.ts';
import { noTime, toClickhouse } from '../translate/clickhouse.ts';
import type { ClickhouseParameter } from '../translate/clickhouse-parameter.ts';
import type { Cluster, QueryOptions } from './connection.ts';
import { exactFilter, nearTerms } from './exact-filter.ts';
import type { ClusterRow } from './read-rows.ts';
import { quotedName } from './schema.ts';
import { storedLogColumns, toStoredLog } from './stored-log.ts';

/** The questions about logs that a cluster answers like a case. */
export interface ClusterLogs {
  readonly countLogs: (filter: Filter) => Promise<number>;
  /** Streams logs in an order of their times. Ending it early ends the query at the server. */
  readonly streamLogs: (
    filter: Filter,
    options?: StreamOptions,
  ) => AsyncGenerator<StoredLog, void, undefined>;
  /** Counts the values of a field, most frequent first. */
  readonly countBy: (field: LogField, filter: Filter, limit: number) => Promise<readonly ValueCount[]>;
  /** Counts logs by intervals of `every` milliseconds, in the order of time. */
  readonly countByTime: (
    filter: Filter,
    options: { readonly every: number; readonly by?: LogField },
  ) => Promise<readonly TimeCount[]>;
  readonly timeSpan: (filter: Filter) => Promise<TimeSpan>;
  /** Returns the nearest terms of a fuzzy term, at most as many as it may expand to. */
  readonly nearTerms: (fuzzy: FuzzyFilter) => Promise<readonly string[]>;
}

/** Returns the logs of a cluster, or of the one deployment that its address names. `signal` ends every query. */
export function clusterLogs(cluster: Cluster, signal?: AbortSignal): ClusterLogs {
  const from = `${quotedName(cluster.address.database)}.searchable_logs`;
  const select = async (filter: Filter, sqlOf: (condition: string) => string) => {
    const { sql, parameters } = await conditionOf(cluster, filter, { signal });
    return cluster.query(sqlOf(`${from} WHERE ${sql}`), { parameters, signal });
  };
  return {
    countLogs: async (filter) =>
      Number((await select(filter, (rows) => `SELECT count() FROM ${rows}`))[0]?.[0]),
    streamLogs: (filter, options) => streamLogs(cluster, filter, { ...options, ...(signal && { signal }) }),
    countBy: async (field, filter, limit) => {
      const rows = await select(
        filter,
        (each) =>
          `SELECT ${valueSql(field)} AS value, count() AS logs FROM ${each}
           GROUP BY value ORDER BY logs DESC, value ASC NULLS LAST ${limitSql(limit)}`,
      );
      return rows.map(([value, count]) => ({ ...toValue(field, value), count: Number(count) }));
    },
    countByTime: async (filter, { every, by }) => {
      const shift = intervalShift(every);
      const start = `floor((toFloat64(time) + ${shift}) / toFloat64(${every})) * toFloat64(${every}) - ${shift}`;
      const rows = await select(
        filter,
        (each) =>
          `SELECT ${start} AS start, ${by === undefined ? 'NULL' : valueSql(by)} AS value, count() FROM ${each} AND time != ${noTime}
           GROUP BY start, value ORDER BY start, value ASC NULLS LAST`,
      );
      return rows.map(([at, value, count]) => ({
        ...{ start: Number(at), count: Number(count) },
        ...(by !== undefined && toValue(by, value)),
      }));
    },
    timeSpan: async (filter) => {
      const timed = `time != ${noTime}`;
      const [row] = await select(
        filter,
        (each) =>
          `SELECT minIf(time, ${timed}), maxIf(time, ${timed}), countIf(${timed}), countIf(NOT ${timed}) FROM ${each}`,
      );
      const [first = 0, last = 0, count = 0, timeless = 0] = (row ?? []).map(Number);
      return { ...(0 < count && { first, last }), count, timeless };
    },
    nearTerms: (fuzzy) => nearTerms(cluster, fuzzy, { signal }),
  };
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly ClickhouseParameter[];
}

async function conditionOf(cluster: Cluster, filter: Filter, options: QueryOptions): Promise<Condition> {
  const { sql, parameters } = toClickhouse(await exactFilter(cluster, filter, options));
  const { deployment } = cluster.address;
  if (deployment === undefined) return { sql: `(${sql})`, parameters };
  return {
    sql: `(${sql}) AND deployment = {deployment:String}`,
    parameters: [...parameters, { name: 'deployment', type: 'String', value: deployment }],
  };
}

async function* streamLogs(
  cluster: Cluster,
  filter: Filter,
  { order = 'oldest', limit = Number.POSITIVE_INFINITY, after, signal }: StreamOptions,
): AsyncGenerator<StoredLog, void, undefined> {
  const { sql, parameters } = await conditionOf(cluster, filter, { signal });
  let left = limit;
  for (const page of pagesOf(order, after)) {
    if (left <= 0) return;
    const select = `SELECT ${storedLogColumns} FROM ${quotedName(cluster.address.database)}.searchable_logs
      WHERE ${sql} AND ${page.where} ORDER BY ${page.order} ${limitSql(left)}`;
    for await (const rows of cluster.stream(select, { parameters, signal }))
      for (const row of rows) {
        yield toStoredLog(row);
        left -= 1;
      }
  }
}

/** SQL of the logs after a cursor: those with a time, then those without one, which come last in both orders. */
function pagesOf(order: LogOrder, after: LogCursor | undefined) {
  const [sign, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
  const { time, id } = after ?? {};
  const timed =
    id === undefined
      ? `time != ${noTime}`
      : `time != ${noTime} AND (time ${sign} ${time} OR time = ${time} AND id ${sign} ${id})`;
  const timeless = { where: `time = ${noTime}`, order: `id ${direction}` };
  if (id !== undefined && time === undefined)
    return [{ ...timeless, where: `${timeless.where} AND id ${sign} ${id}` }];
  return [{ where: timed, order: `time ${direction}, id ${direction}` }, timeless];
}

function limitSql(limit: number): string {
  return Number.isFinite(limit) ? `LIMIT ${Math.max(0, Math.trunc(limit))}` : '';
}

const numberFields: ReadonlySet<LogField> = new Set<LogField>(['logCode', 'elapsed']);

function valueSql(field: LogField): string {
  if (field === 'time') return `nullIf(time, ${noTime})`;
  return numberFields.has(field) ? quotedName(field) : `nullIf(toString(${quotedName(field)}), '')`;
}

const value = v.nullable(v.union([v.string(), v.number()]));

function toValue(field: LogField, cell: ClusterRow[number]): { readonly value?: FieldValue } {
  const read = v.parse(value, cell);
  if (read === null) return {};
  if (field === 'logCode') return { value: toNumberValue(BigInt(read)) };
  return { value: field === 'time' || field === 'elapsed' ? Number(read) : read };
}
