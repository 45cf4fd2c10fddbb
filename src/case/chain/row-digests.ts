import { createHash, type Hash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { wordsSql } from '../../language/index.ts';
import { textFields } from '../../records/index.ts';

/** Selects the rows to digest. */
export interface DigestedRows {
  readonly table: 'logs' | 'unreadable';
  /** Default: all columns but the part, and of logs the words behind each text. */
  readonly columns?: readonly string[];
  readonly parts: readonly number[];
  /** Only rows at positions above this. */
  readonly after?: number;
  /** Only rows at positions up to this. */
  readonly upTo?: number;
}

/** All columns of a log. The words of texts were columns up to version 7 of a case, whose digests still count. */
const logColumns = [
  'part, id, entry, position, byte_offset, byte_length, "time", "logCode", elapsed, extra',
  ...textFields.map((field) => `"${field}", ${wordsSql(`"${field}"`)} AS "${field}_tokens"`),
].join(', ');

/** Rows in one page, and parts in one statement. */
const page = { rows: 5_000, parts: 1_000 };

const cells = v.array(v.nullable(v.string()));

/**
 * Computes SHA-256 of the rows of parts in the order of their positions as texts, by part number. Each row is hashed
 * as a JSON list of texts and a line feed. Parts without rows are absent. Memory use does not depend on the number
 * of rows.
 */
export async function rowDigests(
  connection: DuckDBConnection,
  { parts, ...rows }: DigestedRows,
): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, Hash>();
  for (let from = 0; from < parts.length; from += page.parts)
    await addRows(connection, { ...rows, parts: parts.slice(from, from + page.parts) }, hashes);
  return new Map([...hashes].map(([part, hash]) => [part, hash.digest('hex')]));
}

async function addRows(
  connection: DuckDBConnection,
  { table, columns, parts, after = 0, upTo }: DigestedRows,
  hashes: Map<number, Hash>,
): Promise<void> {
  const isWithin = upTo === undefined ? `position > ${after}` : `position BETWEEN ${after + 1} AND ${upTo}`;
  const names = columns ? `[${columns.map((name) => `'${name}'`).join(', ')}]` : '* EXCLUDE (part)';
  const source =
    table === 'logs' && !columns ? `(SELECT ${logColumns} FROM stored.logs)` : `stored."${table}"`;
  const select = `SELECT part::VARCHAR, position::VARCHAR, COLUMNS(${names})::VARCHAR
    FROM ${source} AS rows WHERE part IN (${parts.map(Number).join(', ')}) AND ${isWithin}`;
  let cursor = '';
  for (;;) {
    const found = await connection.runAndReadAll(
      `${select} ${cursor} ORDER BY rows.part, rows.position::VARCHAR LIMIT ${page.rows}`,
    );
    const rows = v.parse(v.array(cells), found.getRowsJson());
    for (const [part, , ...values] of rows)
      hashOf(hashes, Number(part)).update(`${JSON.stringify(values)}\n`);
    const [part, position] = rows.at(-1) ?? [];
    if (rows.length < page.rows) return;
    // Pages follow the same order as rows: a comparison of numbers would leave out rows.
    cursor = `AND (part > ${Number(part)} OR (part = ${Number(part)} AND position::VARCHAR > '${Number(position)}'))`;
  }
}

function hashOf(hashes: Map<number, Hash>, part: number): Hash {
  const hash = hashes.get(part) ?? createHash('sha256');
  hashes.set(part, hash);
  return hash;
}

/** Digests the pairs of position and id of the logs of parts, by part number. */
export function idDigests(
  connection: DuckDBConnection,
  parts: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  return rowDigests(connection, { table: 'logs', columns: ['position', 'id'], parts });
}
