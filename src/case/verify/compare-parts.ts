import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { textFields } from '../../records/index.ts';
import { openPartWriter, type PartWriter } from '../loading/part-writer.ts';
import type { TakeBatch } from '../loading/read-entry.ts';
import { textsBytes } from '../rows/text-heap.ts';

/** A part whose rows are compared. */
export interface ComparedPart {
  readonly part: number;
  readonly entry: string;
  /** Id of its first log, if ids are compared too. */
  readonly firstId: number | undefined;
}

/** Result of comparing a part with its records. */
export interface PartDifferences {
  readonly logs: RowDifferences;
  readonly unreadable: RowDifferences;
}

/**
 * Compares parts with their records, which are read again, one part after the other. The connection
 * is busy until disposal.
 */
export interface PartsComparison extends AsyncDisposable {
  /** Starts a part, to which subsequent records belong. */
  readonly beginPart: (part: ComparedPart) => void;
  readonly take: TakeBatch;
  /** Ends a part; `use` receives its result later. */
  readonly endPart: (use: (found: PartDifferences) => void) => Promise<void>;
  /** Ends a part without a result. */
  readonly abandonPart: () => void;
  /** Compares all remaining records. */
  readonly finish: () => Promise<void>;
}

/** Bytes of texts as stored: their rows are several times as long, and the database holds both sides. */
const longestSpan = 8 * 1024 * 1024;

/** Maximum parts of a span. A statement takes as long as comparing some hundred rows, so parts share it. */
const mostParts = 500;

/** A part of the current span. */
interface Open extends ComparedPart {
  /** Result of earlier spans. */
  found: PartDifferences;
  /** Last position compared in earlier spans. */
  after?: number;
  logs: number;
  use?: (found: PartDifferences) => void;
}

const noDifferences: RowDifferences = {
  records: 0,
  altered: 0,
  positions: [],
};

const nothing: PartDifferences = { logs: noDifferences, unreadable: noDifferences };

/**
 * Compares parts with their records one span at a time. Small parts share a span, and a large one
 * takes several, which bounds memory and the number of statements.
 */
export function openPartsComparison(connection: DuckDBConnection): PartsComparison {
  let span: Open[] = [];
  let current: Open | undefined;
  let writer: PartWriter | undefined;
  let length = 0;
  return {
    beginPart: begin,
    take,
    endPart: end,
    abandonPart: abandon,
    finish,
    [Symbol.asyncDispose]: endWriter,
  };

  function begin(part: ComparedPart): void {
    current = { ...part, found: nothing, logs: 0 };
    span.push(current);
    beginInWriter();
  }

  function beginInWriter(): void {
    if (!writer || !current) return;
    const { part, entry, firstId = 1, logs } = current;
    writer.beginPart({ part, entry, firstId: firstId + logs });
  }

  async function take(batch: Parameters<TakeBatch>[0], before: number): Promise<void> {
    if (!writer) {
      writer = await beginWriter();
      beginInWriter();
    }
    const { rows } = batch.logs;
    length += textsBytes(batch.logs.texts) + textsBytes(batch.unreadable.texts);
    await writer.add(batch, before);
    if (current) current.logs += rows;
    if (longestSpan <= length) await compare();
  }

  async function end(use: (found: PartDifferences) => void): Promise<void> {
    if (current) current.use = use;
    current = undefined;
    if (mostParts <= span.length) await compare();
  }

  function abandon(): void {
    span = span.filter((each) => each !== current);
    current = undefined;
  }

  async function finish(): Promise<void> {
    if (0 < span.length) await compare();
  }

  async function beginWriter(): Promise<PartWriter> {
    await makeRereadTables(connection);
    return openPartWriter(connection, { schema: 'temp' });
  }

  /**
   * Compares the rows of the parts of a span with the records read since it began; for an
   * unfinished part, up to its current position.
   */
  async function compare(): Promise<void> {
    writer ??= await beginWriter();
    await writer.finish();
    await endWriter();
    const upTo = current && (await lastPosition(connection, current.part));
    // Nothing of a new part may have been read yet.
    const begun = span.filter((each) => each !== current || upTo !== undefined);
    const parts = begun.map((each): SpanPart => {
      const bounds = { after: each.after, upTo: each === current ? upTo : undefined };
      return { part: each.part, withIds: each.firstId !== undefined, ...bounds };
    });
    const logs = await compareRows(connection, 'logs', parts);
    const unreadable = await compareRows(connection, 'unreadable', parts);
    for (const each of begun) {
      each.found = {
        logs: mergeDifferences(each.found.logs, logs.get(each.part) ?? noDifferences),
        unreadable: mergeDifferences(each.found.unreadable, unreadable.get(each.part) ?? noDifferences),
      };
      each.use?.(each.found);
    }
    if (current && upTo !== undefined) current.after = upTo;
    span = current ? [current] : [];
    length = 0;
  }

  async function endWriter(): Promise<void> {
    await writer?.[Symbol.asyncDispose]();
    writer = undefined;
  }
}

/** Creates empty tables for the records read again. They end with the connection. */
async function makeRereadTables(connection: DuckDBConnection): Promise<void> {
  for (const table of ['logs', 'unreadable'])
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM stored.${table} LIMIT 0`);
}

/** Returns the position of the last record read again of a part. */
async function lastPosition(connection: DuckDBConnection, part: number): Promise<number | undefined> {
  const result = await connection.runAndReadAll(
    `SELECT max(position) FROM (
       SELECT part, position FROM temp.logs UNION ALL SELECT part, position FROM temp.unreadable)
     WHERE part = $1`,
    [part],
  );
  return v.parse(v.nullable(v.number()), result.getRowsJS()[0]?.[0] ?? null) ?? undefined;
}

const contents = {
  logs: ['entry', 'byte_offset', 'byte_length', 'time', 'logCode', 'elapsed', 'extra', ...textFields],
  unreadable: ['entry', 'byte_offset', 'byte_length', 'raw'],
} as const;

/** Differences between the rows of a part and its records. */
interface RowDifferences {
  /** Number of records read again. */
  readonly records: number;
  readonly altered: number;
  /** Positions of the first altered rows. */
  readonly positions: readonly number[];
}

/** A part whose rows are compared: those at positions above `after`, up to and including `upTo`. */
interface SpanPart {
  readonly part: number;
  readonly after?: number | undefined;
  readonly upTo?: number | undefined;
  /** Compares the ids of its logs too. */
  readonly withIds: boolean;
}

/** Maximum number of reported positions. */
const named = 10;

const positions = v.array(v.number());
const compared = v.array(v.tuple([v.number(), v.number(), v.number(), positions]));

/**
 * Compares the rows of parts in a table with the records read again into the `temp` table of the
 * same name. Returns the differences by part; parts without rows are omitted.
 */
async function compareRows(
  connection: DuckDBConnection,
  table: 'logs' | 'unreadable',
  parts: readonly SpanPart[],
): Promise<ReadonlyMap<number, RowDifferences>> {
  if (parts.length === 0) return new Map();
  const withIds = parts.filter((part) => part.withIds).map(({ part }) => part);
  const otherId = `(${isIn('s.part', withIds)} AND s.id IS DISTINCT FROM r.id)`;
  const altered = `${differ(contents[table])}${table === 'logs' ? ` OR ${otherId}` : ''}`;
  const result = await connection.runAndReadAll(
    `WITH kept AS (FROM stored.${table} WHERE ${within(parts)}),
     compared AS (
       SELECT s.part, s.position, r.position IS NULL OR ${altered} AS altered
       FROM kept s LEFT JOIN temp.${table} r USING (part, position)),
     found AS (
       SELECT part, count(*) FILTER (altered) AS altered,
         coalesce(min(position, ${named}) FILTER (altered), []) AS positions
       FROM compared GROUP BY part),
     read_again AS (SELECT part, count(*) AS records FROM temp.${table} GROUP BY part)
     SELECT part, coalesce(records, 0)::DOUBLE, coalesce(altered, 0)::DOUBLE, coalesce(positions, [])
     FROM found FULL JOIN read_again USING (part)`,
  );
  return new Map(
    v
      .parse(compared, result.getRowsJS())
      .map(([part, records, altered, positions]) => [part, { records, altered, positions }]),
  );
}

/**
 * SQL condition on the rows of parts. Every possible position is in one of the consecutive spans of
 * a part.
 */
function within(parts: readonly SpanPart[]): string {
  const isWhole = ({ after, upTo }: SpanPart) => after === undefined && upTo === undefined;
  const whole = parts.filter(isWhole).map(({ part }) => part);
  const others = parts.filter((part) => !isWhole(part)).map(isInPart);
  return [isIn('part', whole), ...others].join(' OR ');
}

function isIn(column: string, parts: readonly number[]): string {
  return parts.length === 0 ? 'false' : `${column} IN (${parts.map(Number).join(', ')})`;
}

function isInPart({ part, after, upTo }: SpanPart): string {
  const ends = [
    ...(after === undefined ? [] : [`position > ${after}`]),
    ...(upTo === undefined ? [] : [`position <= ${upTo}`]),
  ];
  const isBetween = ends.join(' AND ') || 'true';
  const isWithin = after === undefined ? `(${isBetween} OR position IS NULL)` : isBetween;
  return `(part = ${part} AND ${isWithin})`;
}

function differ(columns: readonly string[]): string {
  return columns.map((column) => `s."${column}" IS DISTINCT FROM r."${column}"`).join(' OR ');
}

/** Merges the results of two spans, in order. */
function mergeDifferences(first: RowDifferences, next: RowDifferences): RowDifferences {
  return {
    records: first.records + next.records,
    altered: first.altered + next.altered,
    positions: [...first.positions, ...next.positions].slice(0, named),
  };
}
