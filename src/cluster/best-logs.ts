import * as v from 'valibot';
import type { BestOptions, ScoredLog, StoredLog } from '../case/index.ts';
import {
  type ClickhouseParameter,
  type CountedLeaf,
  type Counts,
  type Filter,
  noTime,
  type Scored,
  type ScoreLeaf,
  type Statistics,
  toClickhouse,
  toParameter,
  toScorer,
  withoutProhibited,
} from '../language/index.ts';
import { compareCursors, type LogCursor } from '../records/index.ts';
import type { ClusterRow } from './connection.ts';
import { quotedName } from './schema.ts';

/** The questions to a cluster that the best logs need: the SQL stands for rows that a filter selects. */
export interface RankedRows {
  /** Reads rows of a SELECT behind whose FROM the logs stand. */
  readonly select: (
    sqlOf: (logs: string) => string,
    parameters: readonly ClickhouseParameter[],
  ) => Promise<readonly ClusterRow[]>;
  /** Columns of a log, and how a row of them is read. */
  readonly columns: string;
  readonly toLog: (row: ClusterRow) => StoredLog;
}

/** The most logs that are picked by their kinds. */
const maxPicked = 1000;

/** The most kinds that are scored here. */
const maxKinds = 100_000;

/**
 * Finds the most relevant logs that a filter selects. Each shard groups its logs by what their score depends on: the frequency of each word
 * and the number of words. The score of each such kind is computed here, and only the logs of the best kinds are read. Undefined if
 * SQL does not count a part of the query, if there are too many kinds, or without a limit.
 */
export async function findBestLogs(
  { select, columns, toLog }: RankedRows,
  scored: Scored,
  { limit, after, statistics }: Omit<BestOptions, 'filter' | 'offset'> & { readonly statistics: Statistics },
): Promise<readonly ScoredLog[] | undefined> {
  if (limit === undefined || maxPicked < limit) return undefined;
  const { leaves, score } = toScorer(withoutProhibited(scored), statistics);
  const counted = leafColumns(leaves);
  if (!counted) return undefined;
  const { sql, parameters, read } = counted;
  const kind = `tuple(${sql.join(', ')})`;
  const rows = await select(
    (logs) => `SELECT ${kind} AS kind, count() FROM ${logs} GROUP BY kind LIMIT ${maxKinds + 1}`,
    parameters,
  );
  if (maxKinds < rows.length) return undefined;
  const kinds = rows.map((row) => {
    const [values, logs] = v.parse(kindRow, row);
    return { values, logs, score: score(read(values)) ?? 0 };
  });
  const found: ScoredLog[] = [];
  // All logs of a score follow those of a better one; of the last score the newest are enough.
  for (const group of groupsOf(kinds, { limit, after })) {
    const tuples = group.kinds.map(({ values }) => `tuple(${values.join(', ')})`).join(', ');
    const scores = new Map(group.kinds.map(({ values, score }) => [values.join(), score]));
    const page = group.after ? afterSql(group.after) : 'true';
    const logs = await select(
      (from) =>
        `SELECT ${kind} AS kind, ${columns} FROM ${from} AND kind IN (${tuples}) AND ${page} ORDER BY time DESC, id DESC LIMIT ${group.limit}`,
      parameters,
    );
    for (const [values, ...row] of logs)
      found.push({ ...toLog(row), score: scores.get(v.parse(leafValues, values).join()) ?? 0 });
  }
  const ofLog = ({ id, log: { time } }: StoredLog) => ({ id, ...(time !== undefined && { time }) });
  return found
    .sort((one, other) => other.score - one.score || compareCursors(ofLog(one), ofLog(other), 'newest'))
    .slice(0, limit);
}

const leafValue = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.safeInteger());
const leafValues = v.array(leafValue);
const kindRow = v.tuple([leafValues, leafValue]);

/** Logs with the same inputs of a score. */
interface Kind {
  readonly values: readonly number[];
  readonly logs: number;
  readonly score: number;
}

/** Kinds whose logs are read at once, at most as many. */
interface KindGroup {
  readonly kinds: readonly Kind[];
  readonly limit: number;
  /** Only logs after this one, the newest first. */
  readonly after?: LogCursor;
}

/** Returns the kinds of the best logs after a cursor: those with its score, those whose logs are all wanted, and those of the last score. */
function groupsOf(
  kinds: readonly Kind[],
  { limit, after }: { readonly limit: number; readonly after: BestOptions['after'] },
): readonly KindGroup[] {
  const groups: KindGroup[] = [];
  const tied = after ? kinds.filter(({ score }) => score === Math.fround(after.score)) : [];
  if (after && 0 < tied.length) groups.push({ kinds: tied, limit, after });
  const rest = kinds.filter(({ score }) => !after || score < Math.fround(after.score));
  const scores = [...new Set(rest.map(({ score }) => score))].sort((one, other) => other - one);
  const whole: Kind[] = [];
  let logs = 0;
  for (const score of scores) {
    const ofScore = rest.filter((kind) => kind.score === score);
    const count = ofScore.reduce((sum, kind) => sum + kind.logs, 0);
    if (limit < logs + count) {
      groups.push({ kinds: ofScore, limit });
      break;
    }
    whole.push(...ofScore);
    logs += count;
  }
  if (0 < whole.length) groups.push({ kinds: whole, limit: logs });
  return groups;
}

/** SQL of the logs after one, the newest first: those without a time, whose number is the least, come last. */
function afterSql({ time, id }: LogCursor): string {
  const at = time ?? noTime;
  return `(time < ${at} OR time = ${at} AND id < ${id})`;
}

/** Columns of the inputs of a score. */
interface LeafColumns {
  /** SQL of whole numbers. */
  readonly sql: readonly string[];
  readonly parameters: readonly ClickhouseParameter[];
  /** Derives the counts of a log from the values of the columns. */
  readonly read: (values: readonly number[]) => Counts;
}

/** The most inputs that the shards compute for each log. */
const maxLeaves = 64;

/** Returns columns of the inputs of a score; undefined if SQL does not give one of them exactly. */
function leafColumns(leaves: readonly ScoreLeaf[]): LeafColumns | undefined {
  if (maxLeaves < leaves.length) return undefined;
  const parameters: ClickhouseParameter[] = [];
  const counts: string[] = [];
  for (const leaf of leaves) {
    const count = leaf.kind === 'counted' ? frequencySql(leaf, parameters) : testSql(leaf.filter, parameters);
    if (count === undefined) return undefined;
    counts.push(count);
  }
  /** The column with the length of each field. */
  const fields = new Map<string, number>();
  // A tuple of one value is no list of values.
  const sql = ['0', ...counts];
  for (const leaf of leaves) {
    if (leaf.kind !== 'counted' || fields.has(leaf.filter.field.name)) continue;
    const { name, type } = leaf.filter.field;
    const length = type === 'text' ? `length(${quotedName(`${name}_tokens`)})` : '1';
    const ofField = counts.filter((_, index) => isOfField(leaves[index], name));
    fields.set(name, sql.length);
    // Of a log without the words, the length does not matter: it would make a kind of its own.
    sql.push(`if(0 < ${ofField.join(' + ')}, ${length}, 0)`);
  }
  return {
    sql: sql.length === 1 ? ['0', '0'] : sql,
    parameters,
    read: (values) => ({
      frequency: (leaf) => values[1 + leaf] ?? 0,
      length: (leaf) => {
        const part = leaves[leaf];
        const column = part?.kind === 'counted' ? fields.get(part.filter.field.name) : undefined;
        return column === undefined ? 0 : (values[column] ?? 0);
      },
    }),
  };
}

function isOfField(leaf: ScoreLeaf | undefined, name: string): boolean {
  return leaf?.kind === 'counted' && leaf.filter.field.name === name;
}

/** SQL that counts a word or a phrase in a log; undefined for a phrase with a slop, whose matches weigh by their moves. */
function frequencySql({ filter }: CountedLeaf, parameters: ClickhouseParameter[]): string | undefined {
  const { name, type } = filter.field;
  const bind = (value: string | readonly string[], of: 'String' | 'Array(String)') => {
    const parameter = `leaf${parameters.length}`;
    parameters.push(toParameter(parameter, of, value));
    return `{${parameter}:${of}}`;
  };
  const tokens = quotedName(`${name}_tokens`);
  if (filter.kind === 'term')
    return type === 'text'
      ? `countEqual(${tokens}, ${bind(filter.term, 'String')})`
      : `toUInt64(toString(${quotedName(name)}) = ${bind(filter.term, 'String')})`;
  if (type !== 'text' || filter.slop !== 0) return undefined;
  const terms = bind(filter.terms, 'Array(String)');
  const isHere = `arraySlice(${tokens}, start, ${filter.terms.length}) = ${terms}`;
  return `if(hasSubstr(${tokens}, ${terms}), arrayCount(start -> ${isHere}, arrayEnumerate(${tokens})), 0)`;
}

/** SQL of 1 for a log that a filter selects, else 0; undefined if SQL does not express it. */
function testSql(filter: Filter, parameters: ClickhouseParameter[]): string | undefined {
  const { sql, parameters: own, losses } = toClickhouse(filter);
  if (0 < losses.length) return undefined;
  const prefix = `leaf${parameters.length}x`;
  parameters.push(...own.map((parameter) => ({ ...parameter, name: `${prefix}${parameter.name}` })));
  // The SQL has no text of the query: every brace belongs to a parameter.
  const named = sql.replaceAll(/\{(\w+):/g, (_, name: string) => `{${prefix}${name}:`);
  return `toUInt64(coalesce(${named}, false))`;
}
