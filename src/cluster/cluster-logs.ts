import { join } from 'node:path';
import * as v from 'valibot';
import {
  addStoredLogs,
  addStoredParts,
  type Case,
  type ContextOptions,
  type LogInContext,
  type LogSource,
  openCase,
  problemCodes,
  type RemarkCount,
  type SevereValue,
  type StoredLog,
  type StoredPart,
  type StreamOptions,
  type TimeSpan,
  type UnreadableInCase,
} from '../case/index.ts';
import {
  type ClickhouseParameter,
  type Field,
  type FieldStatistics,
  type FieldValue,
  type Filter,
  match,
  matchAllFilter,
  needsOf,
  noTime,
  packParameters,
  type Statistics,
  toNumberValue,
  toParameter,
} from '../language/index.ts';
import {
  compareCursors,
  type Extra,
  intervalShift,
  type Log,
  type LogCursor,
  type LogField,
  type LogOrder,
  remarkCodes,
  textFields,
} from '../records/index.ts';
import { ClusterError } from './address.ts';
import { findBestLogs, type RankedRows } from './best-logs.ts';
import { conditionOf, deploymentParameters, nearTerms, ofDeployment, termsOf } from './condition.ts';
import type { Cluster, ClusterRow, QueryOptions } from './connection.ts';
import { readCoverages } from './coverage.ts';
import { documentedFilter, runClusterSql } from './run-sql.ts';
import { quotedName, visibleLogs } from './schema.ts';

/** Options of the logs of a cluster. */
export interface ClusterLogsOptions {
  /** Ends every query. */
  readonly signal?: AbortSignal | undefined;
  /** Place for copies. */
  readonly copies?: () => Promise<CopyTarget>;
}

/** Returns the logs of a cluster, or of the one deployment that its address names. */
export function clusterLogs(cluster: Cluster, { signal, copies }: ClusterLogsOptions = {}): LogSource {
  const from = visibleLogs(cluster.address.database);
  const ending = (other: AbortSignal | undefined) =>
    signal && other ? AbortSignal.any([signal, other]) : (signal ?? other);
  const select = async (
    filter: Filter,
    sqlOf: (condition: string) => string,
    queryOptions: QueryOptions = {},
  ) => {
    const options = { signal: ending(queryOptions.signal) };
    const { sql, parameters } = await conditionOf(cluster, filter, options);
    return cluster.query(sqlOf(`${from} AND ${sql}`), { parameters, ...options });
  };
  const countLogs = async (filter: Filter, options?: QueryOptions) =>
    Number((await select(filter, (rows) => `SELECT count() FROM ${rows}`, options))[0]?.[0]);
  const streamOf = (filter: Filter, options?: StreamOptions) => {
    const end = ending(options?.signal);
    return streamLogs(cluster, filter, { ...options, ...(end && { signal: end }) });
  };
  const rankOf = async (cursor: LogCursor): Promise<number> => {
    const { before, where } = rankIn(await recordedDays(cluster, { signal }), cursor);
    const rows = await select(matchAllFilter, (logs) => `SELECT count() FROM ${logs} AND ${where}`);
    return before + Number(rows[0]?.[0]);
  };
  const timeSpan = async (filter: Filter, options?: QueryOptions): Promise<TimeSpan> => {
    const timed = `time != ${noTime}`;
    const [row] = await select(
      filter,
      (logs) =>
        `SELECT minIf(time, ${timed}), maxIf(time, ${timed}), countIf(${timed}), countIf(NOT ${timed}) FROM ${logs}`,
      options,
    );
    const [first = 0, last = 0, count = 0, timeless = 0] = (row ?? []).map(Number);
    return { ...(0 < count && { first, last }), count, timeless };
  };
  const countByTime: LogSource['countByTime'] = async (filter, { every, by, ...options }) => {
    const shift = intervalShift(every);
    const start = `floor((toFloat64(time) + ${shift}) / toFloat64(${every})) * toFloat64(${every}) - ${shift}`;
    const rows = await select(
      filter,
      (logs) =>
        `SELECT ${start} AS start, ${by === undefined ? 'NULL' : valueSql(by)} AS value, count() FROM ${logs} AND time != ${noTime}
           GROUP BY start, value ORDER BY start, value ASC NULLS LAST`,
      options,
    );
    return rows.map(([at, value, count]) => ({
      start: Number(at),
      count: Number(count),
      ...(by !== undefined && toValue(by, value)),
    }));
  };
  return {
    countLogs,
    streamLogs: streamOf,
    streamContext: (filter, options) => streamContext({ streamLogs: streamOf, rankOf }, filter, options),
    countEach: async (filters, oneIn) => {
      const sample = `intDiv(id, ${logsOfBlock}) % ${Math.trunc(oneIn)} = 0`;
      const counts: number[] = [];
      for (const filter of filters) {
        const rows = await select(filter, (logs) => `SELECT count() FROM ${logs} AND ${sample}`);
        counts.push(Number(rows[0]?.[0]));
      }
      return counts;
    },
    countBy: async (field, filter, { limit, ...options }) => {
      const rows = await select(
        filter,
        (logs) =>
          `SELECT ${valueSql(field)} AS value, count() AS logs FROM ${logs}
           GROUP BY value ORDER BY logs DESC, value ASC NULLS LAST ${limitSql(limit)}`,
        options,
      );
      return rows.map(([value, count]) => ({ ...toValue(field, value), count: Number(count) }));
    },
    countByTime,
    timeSpan,
    times: async (filter, options) => {
      const counts = await countByTime(filter, { every: 1, ...options });
      return counts.map(({ start }) => start);
    },
    countSevereBy: async (field, { limit }) => {
      const rows = await select(matchAllFilter, (logs) => severeSql(valueSql(field), logs, limit));
      return rows.map(([value, ...cells]) => ({ ...toValue(field, value), ...toSevere(cells) }));
    },
    contents: async () => {
      const { first, last } = await timeSpan(matchAllFilter);
      const [row] = await cluster.query(
        `SELECT count() FROM ${quotedName(cluster.address.database)}.unreadable WHERE true${ofDeployment(cluster)}`,
        { parameters: deploymentParameters(cluster), signal },
      );
      return {
        ...(first !== undefined && { first }),
        ...(last !== undefined && { last }),
        unreadable: Number(row?.[0]),
        parts: await readStoredParts(cluster, { signal }),
      };
    },
    until: (other) => clusterLogs(cluster, { signal: ending(other), ...(copies && { copies }) }),
    nearTerms: (fuzzy) => nearTerms(cluster, fuzzy, { signal }),
    readLog: async (id) => {
      const rows = await cluster.query(
        `SELECT ${storedLogColumns} FROM ${from} AND id = ${Math.trunc(id)}${ofDeployment(cluster)}`,
        { parameters: deploymentParameters(cluster), signal },
      );
      return rows.map(toStoredLog)[0];
    },
    relevanceStatistics: (filter) => clusterStatistics(cluster, filter, { signal }),
    findBest: async (scored, options) => {
      const { signal: other, ...selection } = options;
      const end = { signal: ending(other) };
      const { sql, parameters } = await conditionOf(cluster, scored.filter, end);
      const read: RankedRows['select'] = (sqlOf, own) =>
        cluster.query(sqlOf(`${from} AND ${sql}`), { parameters: [...parameters, ...own], ...end });
      return await findBestLogs(
        { select: read, columns: storedLogColumns, toLog: toStoredLog },
        scored,
        selection,
      );
    },
    logsToRead: async (filter) => {
      const rows = await select(
        filter,
        (logs) =>
          `SELECT sum(rows) FROM (EXPLAIN ESTIMATE SELECT id FROM ${logs}) WHERE table LIKE 'log\\_rows%'`,
      );
      return Number(rows[0]?.[0]);
    },
    runSql: (sql, { limit, signal: other }) =>
      runClusterSql(cluster, sql, { limit, signal: ending(other), toFilter: documentedFilter }),
    readPart: async (part) => (await readStoredParts(cluster, { signal }, part))[0],
    coverage: () => readCoverages(cluster, { signal }),
    copyLogs: async (filter, { contents, ...options } = {}) => {
      if (!copies) throw new Error('There is no place for copies');
      const { limit = Number.POSITIVE_INFINITY, after } = options;
      return copyIntoCase(
        {
          count: Math.min(limit, await countLogs(filter)),
          // A page after a cursor may have fewer.
          isExact: after === undefined,
          logs: () => streamOf(filter, options),
          ...(contents === 'whole' && {
            parts: await readStoredParts(cluster, { signal }),
            unreadable: await readUnreadable(cluster, { signal }),
          }),
        },
        await copies(),
      );
    },
  };
}

/** Logs of a block of a sample, as in a case. */
const logsOfBlock = 2_048;

async function* streamLogs(
  cluster: Cluster,
  filter: Filter,
  { order = 'oldest', limit = Number.POSITIVE_INFINITY, after, signal }: StreamOptions,
): AsyncGenerator<StoredLog, void, undefined> {
  const { sql, parameters } = await conditionOf(cluster, filter, { signal });
  let left = limit;
  for await (const page of pagesOf(cluster, { order, limit, after }, { signal })) {
    if (left <= 0) return;
    const select = `SELECT ${storedLogColumns} FROM ${visibleLogs(cluster.address.database)}
      AND ${sql} AND ${page.where} ORDER BY ${page.order} ${limitSql(left)}`;
    for await (const rows of cluster.stream(select, { parameters, signal }))
      for (const row of rows) {
        yield toStoredLog(row);
        left -= 1;
      }
  }
}

/** A selection of logs that is read at once. */
interface LogsPage {
  readonly where: string;
  readonly order: string;
}

/**
 * Yields SQL of the logs after a cursor in pieces: those with a time, a window of days after the other, then those without one, which
 * come last in both orders.
 */
async function* pagesOf(
  cluster: Cluster,
  {
    order,
    limit,
    after,
  }: { readonly order: LogOrder; readonly limit: number; readonly after: LogCursor | undefined },
  options: QueryOptions,
): AsyncGenerator<LogsPage, void, undefined> {
  const [sign, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
  const { time, id } = after ?? {};
  const timeless = `time = ${noTime}${id !== undefined && time === undefined ? ` AND id ${sign} ${id}` : ''}`;
  if (id === undefined || time !== undefined) {
    const isAfter =
      id === undefined
        ? `time != ${noTime}`
        : `time != ${noTime} AND (time ${sign} ${time} OR time = ${time} AND id ${sign} ${id})`;
    const windows = windowsOf(await recordedDays(cluster, options), { order, limit, time });
    for (const within of windows)
      yield { where: `${isAfter} AND ${within}`, order: `time ${direction}, id ${direction}` };
  }
  yield { where: timeless, order: `id ${direction}` };
}

/** Logs of a day, as their loads recorded them: days since the epoch. */
interface RecordedDay {
  readonly day: number;
  readonly logs: number;
}

/** The day of logs without a time. */
const timelessDay = Number(noTime / 86_400_000n);

const recordedDay = v.pipe(
  v.tuple([v.union([v.string(), v.number()]), v.union([v.string(), v.number()])]),
  v.transform(([day, logs]): RecordedDay => ({ day: Number(day), logs: Number(logs) })),
);

/** Returns the days of the logs that count with a time, the oldest first: from the records of loads, so that no log is read. */
async function recordedDays(cluster: Cluster, options: QueryOptions): Promise<readonly RecordedDay[]> {
  const rows = await cluster.query(
    `SELECT day, sum(logs) FROM (SELECT mapKeys(days) AS d, mapValues(days) AS n FROM ${quotedName(cluster.address.database)}.parts
     WHERE true${ofDeployment(cluster)}) ARRAY JOIN d AS day, n AS logs GROUP BY day ORDER BY day`,
    { ...options, parameters: deploymentParameters(cluster) },
  );
  return rows.map((row) => v.parse(recordedDay, row)).filter(({ day }) => day !== timelessDay);
}

/** Logs of the first window, and how much larger each following one is. */
const [firstWindow, windowGrowth] = [65_536, 8];

/**
 * Returns SQL of windows of days that cover all times in an order: few logs are mostly in the first, and where they are rare,
 * no more is read than at once. Days before a time of the order are in the first window.
 */
function windowsOf(
  days: readonly RecordedDay[],
  {
    order,
    limit,
    time,
  }: { readonly order: LogOrder; readonly limit: number; readonly time: number | undefined },
): readonly string[] {
  // All logs are read at once, in the order in which the server has them.
  if (!Number.isFinite(limit)) return ['true'];
  const [from, to] = order === 'newest' ? ['<', '>='] : ['>=', '<'];
  const edges: number[] = [];
  let [logs, most] = [0, Math.max(firstWindow, limit)];
  for (const each of order === 'newest' ? days.toReversed() : days) {
    const [start, end] = daySpan(each.day);
    if (time !== undefined && (order === 'newest' ? time < start : end <= time)) continue;
    // The day does not fit into the window: the next one begins with it.
    if (0 < logs && most < logs + each.logs) {
      edges.push(order === 'newest' ? end : start);
      [logs, most] = [0, most * windowGrowth];
    }
    logs += each.logs;
  }
  const [begins, ends] = [
    [undefined, ...edges],
    [...edges, undefined],
  ];
  return begins.map((begin, index) => {
    const end = ends[index];
    const bounds = [
      ...(begin === undefined ? [] : [`time ${from} ${begin}`]),
      ...(end === undefined ? [] : [`time ${to} ${end}`]),
    ];
    return bounds.length === 0 ? 'true' : bounds.join(' AND ');
  });
}

const dayLength = 86_400_000;

/** The first time of a day, and the first behind it: division rounds to zero, so day 0 is two days long. */
function daySpan(day: number): readonly [start: number, end: number] {
  return [
    day <= 0 ? (day - 1) * dayLength + 1 : day * dayLength,
    day < 0 ? day * dayLength + 1 : (day + 1) * dayLength,
  ];
}

/** Returns the logs of the days before a log, and SQL of those of its own day up to it, the oldest first. */
function rankIn(
  days: readonly RecordedDay[],
  { time, id }: LogCursor,
): { readonly before: number; readonly where: string } {
  const logsOf = (some: readonly RecordedDay[]) => some.reduce((sum, { logs }) => sum + logs, 0);
  if (time === undefined) return { before: logsOf(days), where: `time = ${noTime} AND id <= ${id}` };
  const [start] = daySpan(Math.trunc(time / dayLength));
  return {
    before: logsOf(days.filter(({ day }) => daySpan(day)[1] <= start)),
    where: `${start} <= time AND (time < ${time} OR time = ${time} AND id <= ${id})`,
  };
}

/** The questions that the context of logs needs. */
interface RankedLogs extends Pick<LogSource, 'streamLogs'> {
  /** Counts all logs up to a cursor, this one too, the oldest first. */
  readonly rankOf: (cursor: LogCursor) => Promise<number>;
}

/**
 * Streams the logs that a filter selects, each with its neighbours in time among all logs. Asks for those of each
 * selected log, as ranking all logs would take too long.
 */
async function* streamContext(
  of: RankedLogs,
  filter: Filter,
  options: ContextOptions,
): AsyncGenerator<LogInContext, void, undefined> {
  const { around, order = 'oldest', signal } = options;
  const abort = signal ? { signal } : {};
  const step = order === 'oldest' ? 1 : -1;
  let last: StoredLog | undefined;
  let rank = 0;
  // The neighbours of the previous hit that are still to come.
  let behind: readonly StoredLog[] = [];
  const listed = async (log: StoredLog, isNext: boolean): Promise<LogInContext> => {
    rank = isNext ? rank + step : await of.rankOf(cursorOf(log));
    last = log;
    const gap = log.log.time === undefined ? around + 1 : 0;
    return { ...log, isHit: match(filter, log.log), rank: rank + gap };
  };
  for await (const hit of of.streamLogs(filter, options)) {
    const [before, after] = await Promise.all([
      // One more shows if there are logs between this context and the previous one.
      neighbours(of, hit, { order: opposite[order], limit: around + 1, ...abort }),
      neighbours(of, hit, { order, limit: around, ...abort }),
    ]);
    for (const log of behind) if (isBefore(log, hit, order)) yield await listed(log, true);
    const near = [...before.slice(0, around).toReversed(), hit];
    let isNext = last !== undefined && before[around]?.id === last.id;
    for (const log of near) {
      if (last && !isBefore(last, log, order)) isNext = true;
      else {
        yield await listed(log, isNext);
        isNext = true;
      }
    }
    behind = after;
  }
  for (const log of behind) yield await listed(log, true);
}

const opposite = { oldest: 'newest', newest: 'oldest' } as const;

/** Returns the next logs after one in an order. Logs with and without a time are no neighbours. */
async function neighbours(
  of: RankedLogs,
  log: StoredLog,
  options: Omit<StreamOptions, 'after'>,
): Promise<readonly StoredLog[]> {
  const found: StoredLog[] = [];
  for await (const neighbour of of.streamLogs(matchAllFilter, { ...options, after: cursorOf(log) }))
    if ((neighbour.log.time === undefined) === (log.log.time === undefined)) found.push(neighbour);
  return found;
}

function cursorOf({ id, log: { time } }: StoredLog): LogCursor {
  return { id, ...(time !== undefined && { time }) };
}

function isBefore(first: StoredLog, second: StoredLog, order: LogOrder): boolean {
  return compareCursors(cursorOf(first), cursorOf(second), order) < 0;
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

/** Options of a copy. */
interface CopyTarget {
  /** Existing folder for the file of the case. */
  readonly folder: string;
  /** The most logs: beyond it the copy is refused before it begins. */
  readonly mostLogs: number;
  readonly onProgress?: ((logs: number) => void) | undefined;
}

/** Logs to copy. */
interface CopiedLogs {
  /** Their number, or the most that they can be. */
  readonly count: number;
  readonly isExact: boolean;
  readonly logs: () => AsyncIterable<StoredLog>;
  /** Parts and unreadable records that belong to them. */
  readonly parts?: readonly StoredPart[];
  readonly unreadable?: readonly UnreadableInCase[];
}

let copies = 0;

/**
 * Copies logs into a new case, with their ids. Rejects with `CLUSTER_LIMIT` if there are too many; a log that is
 * missing or too many is an error.
 */
async function copyIntoCase(
  { count, isExact, logs, parts = [], unreadable = [] }: CopiedLogs,
  { folder, mostLogs, onProgress }: CopyTarget,
): Promise<Case> {
  if (mostLogs < count)
    throw new ClusterError(
      'CLUSTER_LIMIT',
      `This question is answered from a copy of the selected logs, and these are ${count}, more than ${mostLogs}. ` +
        'Select fewer, for instance by --from and --to, or raise LOGQUARRY_CLUSTER_LOGS',
    );
  copies += 1;
  const path = join(folder, `copied-${copies}.duckdb`);
  const into = await openCase(path, { access: 'write', create: true, originals: 'in place' });
  try {
    const copied = await addStoredLogs(into, logs(), onProgress);
    if (isExact && copied < count)
      throw new ClusterError(
        'CLUSTER_INCOMPLETE',
        `Of ${count} logs of the cluster ${copied} arrived. Some may have been deleted for their age meanwhile: repeat the command`,
      );
    await addStoredParts(into, parts, unreadable);
    return into;
  } catch (error) {
    await into[Symbol.asyncDispose]();
    throw error;
  }
}

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger());

const remarks = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.object({
      code: v.picklist(Object.keys(remarkCodes) as RemarkCount['code'][]),
      field: v.string(),
      about: v.optional(v.string()),
      count: v.number(),
    }),
  ),
);

const problemCode = v.picklist(['', ...(Object.keys(problemCodes) as (keyof typeof problemCodes)[])]);

const partRow = v.tuple([
  ...([number, v.string(), v.string(), v.string(), number, v.string(), number, v.string()] as const),
  ...([number, number, remarks, problemCode, v.string(), v.string(), number, v.string()] as const),
]);

const partColumns = `part, file, file_sha256, entry, entry_number, entry_sha256, bytes, format, logs, unreadable, remarks, problem,
  problem_message, job, toUnixTimestamp64Milli(added), zone`;

/** Reads the parts of a cluster or of the deployment that its address names: all, or the one of a number. */
async function readStoredParts(
  cluster: Cluster,
  options: QueryOptions,
  part?: number,
): Promise<readonly StoredPart[]> {
  const where = part === undefined ? 'true' : `part = ${Math.trunc(part)}`;
  const rows = await cluster.query(
    `SELECT ${partColumns} FROM ${quotedName(cluster.address.database)}.parts WHERE ${where}${ofDeployment(cluster)} ORDER BY part`,
    { ...options, parameters: deploymentParameters(cluster) },
  );
  return rows.map(toPart);
}

function toPart(row: ClusterRow): StoredPart {
  const [part, file, fileSha256, entry, entryNumber, entrySha256, bytes, format, ...rest] = v.parse(
    partRow,
    row,
  );
  const [logs, unreadable, remarkCounts, code, message, job, added, zone] = rest;
  return {
    part,
    file,
    entry,
    entryNumber,
    bytes,
    format,
    logs,
    unreadable,
    remarks: remarkCounts,
    added,
    ...(fileSha256 !== '' && { fileSha256 }),
    ...(entrySha256 !== '' && { entrySha256 }),
    ...(code !== '' && { problem: { code, message } }),
    ...(job !== '' && { job }),
    ...(zone !== '' && { zone }),
  };
}

const unreadableRow = v.tuple([number, v.string(), number, v.string(), v.string(), v.string()]);

/** Reads all unreadable records of a cluster or of the deployment that its address names. */
async function readUnreadable(cluster: Cluster, options: QueryOptions): Promise<readonly UnreadableInCase[]> {
  const rows = await cluster.query(
    `SELECT part, entry, position, code, reason, raw FROM ${quotedName(cluster.address.database)}.unreadable
     WHERE true${ofDeployment(cluster)} ORDER BY part, position`,
    { ...options, parameters: deploymentParameters(cluster) },
  );
  return rows.map((row) => {
    const [part, entry, position, code, reason, raw] = v.parse(unreadableRow, row);
    return { part, entry, position, code, reason, raw };
  });
}

const severe = "upperUTF8(toString(`logLevel`)) = 'SEVERE'";
const timed = `${severe} AND time != ${noTime}`;

/** SQL of the values of logs with their numbers, and the first and last severe log of each, the most severe first. */
function severeSql(value: string, logs: string, limit: number): string {
  return `SELECT ${value} AS value, count() AS logs, countIf(${severe}) AS severe, countIf(${timed}) AS timed,
      minIf((time, id), ${timed}) AS first, maxIf((time, id), ${timed}) AS last
    FROM ${logs} GROUP BY value ORDER BY severe DESC, logs DESC, value ASC NULLS LAST
    ${Number.isFinite(limit) ? `LIMIT ${Math.max(0, Math.trunc(limit))}` : ''}`;
}

const severeValuesNumber = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger());

const log = v.pipe(
  v.tuple([v.union([v.string(), v.number()]), v.union([v.string(), v.number()])]),
  v.transform(([time, id]) => ({ id: Number(id), time: Number(time) })),
);

const row = v.tuple([severeValuesNumber, severeValuesNumber, severeValuesNumber, log, log]);

/** Reads a row of `severeSql` behind its value. */
function toSevere(cells: readonly unknown[]): Omit<SevereValue, 'value'> {
  const [count, severeCount, timedCount, firstSevere, lastSevere] = v.parse(row, cells);
  return { count, severe: severeCount, ...(0 < timedCount && { firstSevere, lastSevere }) };
}

/** Columns that `toStoredLog` reads, in its order. */
const storedLogColumns = [
  'id, part, entry, position, extra, time, `logCode`, elapsed',
  ...textFields.map((field) => `\`${field}\``),
].join(', ');

const storedLogNumber = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const whole = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value): bigint => BigInt(value)),
);

const storedLogRow = v.looseTuple([
  storedLogNumber,
  storedLogNumber,
  v.string(),
  storedLogNumber,
  v.string(),
  whole,
  v.nullable(whole),
  v.nullable(storedLogNumber),
]);

/** Converts a row of `storedLogColumns` to a log. */
function toStoredLog(cells: ClusterRow): StoredLog {
  const [id, part, entry, position, extra, time, logCode, elapsed, ...texts] = v.parse(storedLogRow, cells);
  const log: { -readonly [F in keyof Log]: Log[F] } = {};
  if (time !== noTime) log.time = Number(time);
  if (logCode !== null) log.logCode = toNumberValue(logCode);
  if (elapsed !== null) log.elapsed = elapsed;
  for (const [index, field] of textFields.entries()) {
    const text = texts[index];
    if (typeof text === 'string' && text !== '') log[field] = text;
  }
  return {
    id,
    part,
    entry,
    position,
    log,
    ...(extra !== '' && { extra: JSON.parse(extra) as Extra }),
  };
}

const clusterStatisticsNumber = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(Number),
  v.safeInteger(),
);

/** Computes the statistics of all logs of a cluster on which the relevance for a filter depends, in one pass over them. */
async function clusterStatistics(
  cluster: Cluster,
  filter: Filter,
  options: QueryOptions,
): Promise<Statistics> {
  const parameters: ClickhouseParameter[] = [...deploymentParameters(cluster)];
  const columns: string[] = [];
  const fields: { readonly name: string; readonly terms: ReadonlySet<string> }[] = [];
  for (const { field, terms: needed, near } of needsOf(filter)) {
    const terms = new Set(needed);
    for (const each of near) for (const term of await termsOf(cluster, each, options)) terms.add(term);
    const { documents, tokens } = lengthSql(field);
    const counts = [...terms].map((term) => {
      const name = `t${parameters.length}`;
      parameters.push(toParameter(name, 'String', term));
      return `countIf(${hasTermSql(field, `{${name}:String}`)})`;
    });
    columns.push(documents, tokens, ...counts);
    fields.push({ name: field.name, terms });
  }
  if (fields.length === 0) return new Map();
  const packed = packParameters({
    sql: `SELECT ${columns.join(', ')} FROM ${visibleLogs(cluster.address.database)}${ofDeployment(cluster)}`,
    parameters,
  });
  const [row] = await cluster.query(packed.sql, { ...options, parameters: packed.parameters });
  const cells = v.parse(v.array(clusterStatisticsNumber), row)[Symbol.iterator]();
  const next = () => cells.next().value ?? 0;
  const found = new Map<string, FieldStatistics>();
  for (const { name, terms } of fields)
    found.set(name, {
      documents: next(),
      tokens: next(),
      terms: new Map([...terms].map((term) => [term, next()])),
    });
  return found;
}

function hasTermSql({ name, type }: Field, term: string): string {
  return type === 'text' ? `has(${quotedName(`${name}_tokens`)}, ${term})` : `${keywordSql(name)} = ${term}`;
}

function keywordSql(name: string): string {
  return `toString(${quotedName(name)})`;
}

/** The numbers of logs with a field, and of its tokens. */
function lengthSql({ name, type }: Field): { readonly documents: string; readonly tokens: string } {
  const tokens = quotedName(`${name}_tokens`);
  if (type === 'text') return { documents: `countIf(notEmpty(${tokens}))`, tokens: `sum(length(${tokens}))` };
  const documents = `countIf(${keywordSql(name)} != '')`;
  return { documents, tokens: documents };
}
