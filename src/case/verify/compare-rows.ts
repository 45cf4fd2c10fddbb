import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { textFields } from '../../records/index.ts';

const contents = {
  logs: ['entry', 'byte_offset', 'byte_length', 'time', 'logCode', 'elapsed', 'extra', ...textFields],
  unreadable: ['entry', 'byte_offset', 'byte_length', 'raw'],
} as const;

/** Differences between the rows of a part and its records. */
export interface RowDifferences {
  /** Number of records read again. */
  readonly records: number;
  readonly altered: number;
  /** Positions of the first altered rows. */
  readonly positions: readonly number[];
}

export const noDifferences: RowDifferences = {
  records: 0,
  altered: 0,
  positions: [],
};

/** A part whose rows are compared: those at positions above `after`, up to and including `upTo`. */
export interface SpanPart {
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
export async function compareRows(
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
export function mergeDifferences(first: RowDifferences, next: RowDifferences): RowDifferences {
  return {
    records: first.records + next.records,
    altered: first.altered + next.altered,
    positions: [...first.positions, ...next.positions].slice(0, named),
  };
}
