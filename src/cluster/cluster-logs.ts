import { join } from 'node:path';
import * as v from 'valibot';
import {
  addStoredLogs,
  addStoredParts,
  type Case,
  type CaseSummary,
  openCase,
  problemCodes,
  type RemarkCount,
  type SevereValue,
  type SqlPiece,
  type StoredLog,
  type StoredPart,
  type StreamOptions,
  type TimeCount,
  type TimeSpan,
  type UnreadableInCase,
  type ValueCount,
} from '../case/index.ts';
import {
  type ClickhouseParameter,
  type Field,
  type FieldNeeds,
  type FieldStatistics,
  type FieldValue,
  type Filter,
  type FuzzyFilter,
  matchAllFilter,
  needsOf,
  noTime,
  packParameters,
  type Statistics,
  toNumberValue,
  toParameter,
} from '../language/index.ts';
import type { LogCursor, LogOrder } from '../records/index.ts';
import {
  type Extra,
  intervalShift,
  type Log,
  type LogField,
  remarkCodes,
  textFields,
} from '../records/index.ts';
import { ClusterError } from './address.ts';
import { conditionOf, deploymentParameters, nearTerms, ofDeployment, termsOf } from './condition.ts';
import type { Cluster, ClusterRow, QueryOptions } from './connection.ts';
import { type PushedCoverage, readCoverages } from './coverage.ts';
import { documentedFilter, runClusterSql } from './run-sql.ts';
import { quotedName } from './schema.ts';

/** The questions about logs that a cluster answers like a case. */
export interface ClusterLogs {
  readonly countLogs: (filter: Filter) => Promise<number>;
  /** Streams logs in an order of their times. Ending it early ends the query at the server. */
  readonly streamLogs: (
    filter: Filter,
    options?: StreamOptions,
  ) => AsyncGenerator<StoredLog, void, undefined>;
  /** Counts the logs that each filter selects, in one block of logs in this number of blocks. */
  readonly countEach: (filters: readonly Filter[], oneIn: number) => Promise<readonly number[]>;
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
  /** Counts all logs up to a cursor, this one too, the oldest first; only those after another one if given. */
  readonly countUpTo: (to: LogCursor, after?: LogCursor) => Promise<number>;
  readonly readLog: (id: number) => Promise<StoredLog | undefined>;
  /** Returns the statistics of all logs on which the relevance for a filter depends. */
  readonly relevanceStatistics: (filter: Filter) => Promise<Statistics>;
  /** Counts the values of a field in all logs, with the first and last severe log of each, the most severe first. */
  readonly countSevereBy: (field: LogField, limit: number) => Promise<readonly SevereValue[]>;
  readonly contents: () => Promise<Pick<CaseSummary, 'parts' | 'unreadable' | 'first' | 'last'>>;
  /** Returns the position of each `every`-th selected log. */
  readonly logCursors: (
    filter: Filter,
    options: { readonly order: LogOrder; readonly every: number },
  ) => Promise<readonly LogCursor[]>;
  /** Returns the same logs, whose questions a signal ends. */
  readonly until: (signal: AbortSignal) => ClusterLogs;
  /** Estimates how many logs a search reads at the server that is asked, before it begins. */
  readonly logsToRead: (filter: Filter) => Promise<number>;
  /** Runs one SELECT of a user, at most as many rows. `matches` reads queries by the documented fields. */
  readonly runSql: (sql: string, limit: number) => AsyncGenerator<SqlPiece, void, undefined>;
  readonly readPart: (part: number) => Promise<StoredPart | undefined>;
  /** Reads the times that the exports of the pushed cases requested, for each case. */
  readonly coverage: () => Promise<readonly PushedCoverage[]>;
  /** Copies the selected logs into a new case of the folder for copies; the caller closes it. */
  readonly copyLogs: (
    filter: Filter,
    options?: StreamOptions & { readonly contents?: 'whole' },
  ) => Promise<Case>;
}

/** Options of the logs of a cluster. */
export interface ClusterLogsOptions {
  /** Ends every query. */
  readonly signal?: AbortSignal | undefined;
  /** Place for copies. */
  readonly copies?: () => Promise<CopyTarget>;
}

/** Returns the logs of a cluster, or of the one deployment that its address names. */
export function clusterLogs(cluster: Cluster, { signal, copies }: ClusterLogsOptions = {}): ClusterLogs {
  const from = `${quotedName(cluster.address.database)}.searchable_logs`;
  const select = async (filter: Filter, sqlOf: (condition: string) => string) => {
    const { sql, parameters } = await conditionOf(cluster, filter, { signal });
    return cluster.query(sqlOf(`${from} WHERE ${sql}`), { parameters, signal });
  };
  const countLogs = async (filter: Filter) =>
    Number((await select(filter, (rows) => `SELECT count() FROM ${rows}`))[0]?.[0]);
  const timeSpan = async (filter: Filter): Promise<TimeSpan> => {
    const timed = `time != ${noTime}`;
    const [row] = await select(
      filter,
      (each) =>
        `SELECT minIf(time, ${timed}), maxIf(time, ${timed}), countIf(${timed}), countIf(NOT ${timed}) FROM ${each}`,
    );
    const [first = 0, last = 0, count = 0, timeless = 0] = (row ?? []).map(Number);
    return { ...(0 < count && { first, last }), count, timeless };
  };
  return {
    countLogs,
    streamLogs: (filter, options) => streamLogs(cluster, filter, { ...(signal && { signal }), ...options }),
    countEach: async (filters, oneIn) => {
      const sample = `intDiv(id, ${logsOfBlock}) % ${Math.trunc(oneIn)} = 0`;
      const counts: number[] = [];
      for (const each of filters) {
        const rows = await select(each, (logs) => `SELECT count() FROM ${logs} AND ${sample}`);
        counts.push(Number(rows[0]?.[0]));
      }
      return counts;
    },
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
    timeSpan,
    countSevereBy: async (field, limit) => {
      const rows = await select(matchAllFilter, (each) => severeSql(valueSql(field), each, limit));
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
        ...{ unreadable: Number(row?.[0]), parts: await readStoredParts(cluster, { signal }) },
      };
    },
    logCursors: async (filter, { order, every }) => {
      const direction = order === 'newest' ? 'DESC' : 'ASC';
      const places = `time = ${noTime}, time ${direction}, id ${direction}`;
      const rows = await select(
        filter,
        (each) =>
          `SELECT if(time = ${noTime}, NULL, time), id FROM (SELECT time, id, row_number() OVER (ORDER BY ${places}) AS n FROM ${each})
           WHERE n % ${Math.trunc(every)} = 0 ORDER BY n`,
      );
      return rows.map(([time, id]) => ({ id: Number(id), ...(time !== null && { time: Number(time) }) }));
    },
    until: (other) =>
      clusterLogs(cluster, {
        signal: signal ? AbortSignal.any([signal, other]) : other,
        ...(copies && { copies }),
      }),
    nearTerms: (fuzzy) => nearTerms(cluster, fuzzy, { signal }),
    countUpTo: async (to, after) => {
      const rows = await select(matchAllFilter, (each) => {
        const condition = after ? `${upToSql(to)} AND NOT ${upToSql(after)}` : upToSql(to);
        return `SELECT count() FROM ${each} AND ${condition}`;
      });
      return Number(rows[0]?.[0]);
    },
    readLog: async (id) => {
      const rows = await cluster.query(
        `SELECT ${storedLogColumns} FROM ${from} WHERE id = ${Math.trunc(id)}${ofDeployment(cluster)}`,
        { parameters: deploymentParameters(cluster), signal },
      );
      return rows.map(toStoredLog)[0];
    },
    relevanceStatistics: (filter) => clusterStatistics(cluster, filter, { signal }),
    logsToRead: async (filter) => {
      const rows = await select(
        filter,
        (each) =>
          `SELECT sum(rows) FROM (EXPLAIN ESTIMATE SELECT id FROM ${each}) WHERE table LIKE 'log\\_rows%'`,
      );
      return Number(rows[0]?.[0]);
    },
    runSql: (sql, limit) => runClusterSql(cluster, sql, { limit, signal, toFilter: documentedFilter }),
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
          logs: () => streamLogs(cluster, filter, { ...options, ...(signal && { signal }) }),
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

/** SQL of the logs up to a cursor, the oldest first. */
function upToSql({ time, id }: LogCursor): string {
  return time === undefined
    ? `(time != ${noTime} OR id <= ${id})`
    : `(time != ${noTime} AND (time < ${time} OR time = ${time} AND id <= ${id}))`;
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
    ...{ part, file, entry, entryNumber, bytes, format, logs, unreadable, remarks: remarkCounts, added },
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
  return rows.map((each) => {
    const [part, entry, position, code, reason, raw] = v.parse(unreadableRow, each);
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
    ...{ id, part, entry, position, log },
    ...(extra !== '' && { extra: JSON.parse(extra) as Extra }),
  };
}

const clusterStatisticsNumber = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(Number),
  v.safeInteger(),
);

/** Computes the statistics of all logs of a cluster on which the relevance for a filter depends. */
async function clusterStatistics(
  cluster: Cluster,
  filter: Filter,
  options: QueryOptions,
): Promise<Statistics> {
  const found = new Map<string, FieldStatistics>();
  for (const need of needsOf(filter))
    found.set(need.field.name, await fieldStatistics(cluster, need, options));
  return found;
}

async function fieldStatistics(
  cluster: Cluster,
  { field, terms: wanted, near }: FieldNeeds,
  options: QueryOptions,
): Promise<FieldStatistics> {
  const terms = new Set(wanted);
  for (const each of near) for (const term of await termsOf(cluster, each, options)) terms.add(term);
  const parameters: ClickhouseParameter[] = [...deploymentParameters(cluster)];
  const counts = [...terms].map((term, index) => {
    parameters.push(toParameter(`t${index}`, 'String', term));
    return `countIf(${hasTermSql(field, `{t${index}:String}`)})`;
  });
  const { documents, tokens } = lengthSql(field);
  const packed = packParameters({
    sql: `SELECT ${[documents, tokens, ...counts].join(', ')} FROM ${quotedName(cluster.address.database)}.searchable_logs
     WHERE true${ofDeployment(cluster)}`,
    parameters,
  });
  const [row] = await cluster.query(packed.sql, { ...options, parameters: packed.parameters });
  const [documentCount = 0, tokenCount = 0, ...termCounts] = v.parse(v.array(clusterStatisticsNumber), row);
  return {
    ...{ documents: documentCount, tokens: tokenCount },
    terms: new Map([...terms].map((term, index) => [term, termCounts[index] ?? 0])),
  };
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
