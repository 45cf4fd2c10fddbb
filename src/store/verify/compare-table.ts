import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { textFields } from '../../records/log.ts';

const contents = {
  logs: ['entry', 'byte_offset', 'byte_length', 'time', 'logCode', 'elapsed', 'extra', ...textFields],
  terms: textFields.map((field) => `${field}_tokens`),
  unreadable: ['entry', 'byte_offset', 'byte_length', 'raw'],
} as const;

const differences = v.tuple([v.number(), v.array(v.number()), v.number(), v.array(v.number())]);

/** Rows of a table of a part that differ from what was read again. */
interface Compared {
  readonly altered: number;
  /** The first ones. */
  readonly positions: readonly number[];
  readonly terms: number;
  readonly termPositions: readonly number[];
}

/** So many are named. */
const named = 10;

/** Compares the rows that a table has of a part with those that were read again into the table of the same name in `temp`. */
export async function compareTable(connection: DuckDBConnection, table: 'logs' | 'unreadable', part: number) {
  const counted = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM temp.${table}`);
  const [records] = v.parse(v.tuple([v.number()]), counted.getRowsJS()[0]);
  let all: Compared = { altered: 0, positions: [], terms: 0, termPositions: [] };
  for (const span of await spansOf(connection, table)) {
    const more = await compareSpan(connection, table, { part, span });
    all = {
      altered: all.altered + more.altered,
      positions: [...all.positions, ...more.positions].slice(0, named),
      terms: all.terms + more.terms,
      termPositions: [...all.termPositions, ...more.termPositions].slice(0, named),
    };
  }
  return { ...all, records };
}

/** The records of a span are to have not much more than so many bytes: the database holds the texts of both sides. */
const bytesAtATime = 32 * 1024 * 1024;

const lastPositions = v.array(v.tuple([v.number()]));

/** Conditions, each of which some positions meet; whatever stands as a position meets one of them. */
async function spansOf(connection: DuckDBConnection, table: 'logs' | 'unreadable'): Promise<string[]> {
  const ends = await connection.runAndReadAll(
    `SELECT max(position) FROM (
       SELECT position, sum(byte_length) OVER (ORDER BY position) // ${bytesAtATime} AS span FROM temp.${table})
     GROUP BY span ORDER BY span`,
  );
  const last = v.parse(lastPositions, ends.getRowsJS()).map(([position]) => position);
  const [first, ...next] = last.slice(0, -1);
  if (first === undefined) return ['true'];
  return [
    `(position <= ${first} OR position IS NULL)`,
    ...next.map((end, index) => `position > ${last[index]} AND position <= ${end}`),
    `position > ${last.at(-2)}`,
  ];
}

async function compareSpan(
  connection: DuckDBConnection,
  table: 'logs' | 'unreadable',
  { part, span }: { readonly part: number; readonly span: string },
): Promise<Compared> {
  const terms = table === 'logs' ? differ(contents.terms) : 'false';
  const result = await connection.runAndReadAll(
    `WITH kept AS (FROM stored.${table} WHERE part = $1 AND ${span}),
     reread AS (FROM temp.${table} WHERE ${span}),
     compared AS (
       SELECT s.position, r.position IS NULL OR ${differ(contents[table])} AS altered,
         r.position IS NOT NULL AND (${terms}) AS other_terms
       FROM kept s LEFT JOIN reread r USING (position))
     SELECT count(*) FILTER (altered)::DOUBLE,
       coalesce(min(position, ${named}) FILTER (altered), []),
       count(*) FILTER (other_terms)::DOUBLE,
       coalesce(min(position, ${named}) FILTER (other_terms), [])
     FROM compared`,
    [part],
  );
  const [altered, positions, other, termPositions] = v.parse(differences, result.getRowsJS()[0]);
  return { altered, positions, terms: other, termPositions };
}

function differ(columns: readonly string[]): string {
  return columns.map((column) => `s."${column}" IS DISTINCT FROM r."${column}"`).join(' OR ');
}
