import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { textFields } from '../../records/log.ts';

const contents = {
  logs: ['entry', 'byte_offset', 'byte_length', 'time', 'logCode', 'elapsed', 'extra', ...textFields],
  terms: textFields.map((field) => `${field}_tokens`),
  unreadable: ['entry', 'byte_offset', 'byte_length', 'raw'],
} as const;

/** How rows of a part differ from what was read again. */
export interface Compared {
  /** How many records were read again. */
  readonly records: number;
  readonly altered: number;
  /** Of the first ones that were altered. */
  readonly positions: readonly number[];
  /** Logs with other terms than their texts have. */
  readonly terms: number;
  readonly termPositions: readonly number[];
}

export const nothingCompared: Compared = {
  records: 0,
  altered: 0,
  positions: [],
  terms: 0,
  termPositions: [],
};

/** Positions of a part: those above `after`, up to and with `upTo`. */
export interface Span {
  readonly after?: number | undefined;
  readonly upTo?: number | undefined;
}

/** So many positions are named. */
const named = 10;

const positions = v.array(v.number());
const compared = v.tuple([v.number(), v.number(), positions, v.number(), positions]);

/** Compares the rows that a table has of a span of a part with those that were read again into the table of the same name in `temp`. */
export async function compareRows(
  connection: DuckDBConnection,
  table: 'logs' | 'unreadable',
  { part, span }: { readonly part: number; readonly span: Span },
): Promise<Compared> {
  const terms = table === 'logs' ? differ(contents.terms) : 'false';
  const result = await connection.runAndReadAll(
    `WITH kept AS (FROM stored.${table} WHERE part = $1 AND ${within(span)}),
     compared AS (
       SELECT s.position, r.position IS NULL OR ${differ(contents[table])} AS altered,
         r.position IS NOT NULL AND (${terms}) AS other_terms
       FROM kept s LEFT JOIN temp.${table} r USING (position))
     SELECT (SELECT count(*) FROM temp.${table})::DOUBLE,
       count(*) FILTER (altered)::DOUBLE,
       coalesce(min(position, ${named}) FILTER (altered), []),
       count(*) FILTER (other_terms)::DOUBLE,
       coalesce(min(position, ${named}) FILTER (other_terms), [])
     FROM compared`,
    [part],
  );
  const [records, altered, positions, other, termPositions] = v.parse(compared, result.getRowsJS()[0]);
  return { records, altered, positions, terms: other, termPositions };
}

/** A condition on positions. Whatever stands as a position is in one of the spans that follow one another. */
function within({ after, upTo }: Span): string {
  const ends = [
    ...(after === undefined ? [] : [`position > ${after}`]),
    ...(upTo === undefined ? [] : [`position <= ${upTo}`]),
  ];
  const isBetween = ends.join(' AND ') || 'true';
  return after === undefined ? `(${isBetween} OR position IS NULL)` : isBetween;
}

function differ(columns: readonly string[]): string {
  return columns.map((column) => `s."${column}" IS DISTINCT FROM r."${column}"`).join(' OR ');
}

/** What was found of two spans, the first one first. */
export function together(first: Compared, next: Compared): Compared {
  return {
    records: first.records + next.records,
    altered: first.altered + next.altered,
    positions: [...first.positions, ...next.positions].slice(0, named),
    terms: first.terms + next.terms,
    termPositions: [...first.termPositions, ...next.termPositions].slice(0, named),
  };
}
