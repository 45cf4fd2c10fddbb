import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { streamRows, toStoreError } from '../../database/index.ts';
import { wordsSql } from '../../language/index.ts';
import { textFields } from '../../records/index.ts';
import { type Case, connectToCase, readCase, readCaseSnapshot } from '../file/case.ts';
import { rowDigests } from '../file/chain.ts';
import { readParts, type StoredPart } from '../file/parts.ts';
import { openParquetWriter } from '../rows/parquet.ts';

/** A part with what identifies its contents. */
export interface IdentifiedPart extends StoredPart {
  /** SHA-256 in hexadecimal: equal for the same logs of the same entry, in any case. */
  readonly key: string;
  /** Ids of its first and last log; absent if it has none. */
  readonly ids?: { readonly first: number; readonly last: number };
  /** Its logs by the day of their time: days since the epoch, and their number. Logs without a time are on no date. */
  readonly days: readonly (readonly [day: number, logs: number])[];
}

const days = v.array(v.tuple([v.number(), v.number(), v.number()]));

const facts = v.tuple([v.number(), v.number(), v.number(), v.string()]);

/** Returns the parts of a case in their order, each with its key. */
export function identifyParts(of: Case): Promise<readonly IdentifiedPart[]> {
  return readCaseSnapshot(of, async (connection) => {
    const parts = await readParts(connection);
    const result = await connection.runAndReadAll(
      // The positions say which records of the entry are in the part.
      `SELECT part::DOUBLE, min(id)::DOUBLE, max(id)::DOUBLE,
         (sum(position), sum(position::HUGEINT * position))::VARCHAR FROM stored.logs GROUP BY part`,
    );
    const rows = new Map(
      result.getRowsJS().map((row) => {
        const [part, first, last, positions] = v.parse(facts, row);
        return [part, { ids: { first, last }, positions }] as const;
      }),
    );
    const dayRows = await connection.runAndReadAll(
      // Like the division of the cluster this one rounds to zero; the least time stands for none.
      `SELECT part::DOUBLE, (coalesce(epoch_ms("time"), -9223372036854775808) // 86400000)::DOUBLE, count(*)::DOUBLE
       FROM stored.logs GROUP BY ALL`,
    );
    const byPart = new Map<number, [day: number, logs: number][]>();
    for (const [part, day, logs] of v.parse(days, dayRows.getRowsJS()))
      byPart.set(part, [...(byPart.get(part) ?? []), [day, logs]]);
    // Logs of a program have no file whose hash would identify them.
    const fileless = parts.filter(({ fileSha256 }) => fileSha256 === undefined).map(({ part }) => part);
    const digests = await rowDigests(connection, { table: 'logs', columns: digestColumns, parts: fileless });
    return parts.map((part) => {
      const { ids, positions } = rows.get(part.part) ?? {};
      const { fileSha256, entryNumber, entry, entrySha256, zone, logs, unreadable, problem } = part;
      const identity = [
        ...[fileSha256, entryNumber, entry, entrySha256, zone, logs, unreadable, problem?.code],
        ...[positions, digests.get(part.part)],
      ];
      const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
      return { ...part, key, ...(ids && { ids }), days: byPart.get(part.part) ?? [] };
    });
  });
}

/** Columns of a log with the words of its texts. */
const logColumns = [
  'id, part, entry, position, byte_offset, byte_length, epoch_ms("time") AS "time", "logCode", elapsed, extra',
  ...textFields.map((field) => `"${field}", ${wordsSql(`"${field}"`)} AS "${field}_tokens"`),
].join(', ');

const digestColumns = ['position', 'time', 'logCode', 'elapsed', 'extra', 'msg', 'source', 'requestID'];

/** Rows of one part. */
export interface PartRows {
  readonly part: number;
  /** Only logs with ids from the first to the last; default: the unreadable records. */
  readonly ids?: { readonly first: number; readonly last: number } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes logs of a part, or its unreadable records, to a Parquet file with all their columns in the case; `time`
 * is in milliseconds since the epoch, and a column `F_tokens` follows each text `F`. Returns the number of rows.
 */
export async function writePartRows(
  from: Case,
  path: string,
  { part, ids, signal }: PartRows,
): Promise<number> {
  const connection = await connectToCase(from);
  try {
    await using writer = await openParquetWriter(path);
    const sql = ids
      ? `SELECT ${logColumns} FROM stored.logs
          WHERE part = $1::INTEGER AND id BETWEEN $2::BIGINT AND $3::BIGINT`
      : 'SELECT * FROM stored.unreadable WHERE part = $1::INTEGER';
    const parameters = ids ? [part, ids.first, ids.last] : [part];
    const rows = await streamRows(connection, { sql, parameters, signal });
    const count = await writer.add(rows, { signal });
    await writer.finish();
    return count;
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    connection.closeSync();
  }
}

/** Digests of the rows of a part: sums modulo 2^64 of the first 64 bits of the SHA-256 of each row. */
export interface PartDigests {
  /** Digests of the logs by the day of their time, in days since the epoch. */
  readonly days: ReadonlyMap<number, bigint>;
  /** Digest of the unreadable records. */
  readonly unreadable: bigint;
}

/** Terms of a row as text, in the order of `digestColumns`: each with its length in bytes, so that none runs into the next. */
const netstrings = (terms: readonly string[]) =>
  terms.map((term) => `strlen(${term})::VARCHAR || ':' || ${term}`).join(" || ',' || ");

const asText = (column: string) => `coalesce("${column}"::VARCHAR, '')`;

/** Microseconds: the digits of a fraction are written differently elsewhere. */
const elapsed = `CASE WHEN elapsed IS NULL THEN '' WHEN abs(elapsed) < 9e9 THEN floor(elapsed * 1e6)::BIGINT::VARCHAR ELSE 'large' END`;

const terms: Readonly<Record<'logs' | 'unreadable', readonly string[]>> = {
  logs: [
    ...['entry', 'position', 'byte_offset', 'byte_length'].map(asText),
    `coalesce(epoch_ms("time")::VARCHAR, '')`,
    asText('logCode'),
    elapsed,
    asText('extra'),
    ...textFields.flatMap((field) => [asText(field), `trim(coalesce(${wordsSql(`"${field}"`)}, ''), ' ')`]),
  ],
  unreadable: ['entry', 'position', 'code', 'reason', 'raw'].map(asText),
};

const digest = (row: string) =>
  `(sum(('0x' || sha256(${row})[1:16])::UBIGINT) % 18446744073709551616)::VARCHAR`;

const row = v.tuple([
  v.number(),
  v.pipe(
    v.string(),
    v.transform((text): bigint => BigInt(text)),
  ),
]);

/** Computes the digests of the rows of a part. `cluster/loading/row-digests.ts` computes the same in a cluster. */
export function digestPart(of: Case, part: number): Promise<PartDigests> {
  return readCase(of, async (connection) => {
    const logs = await connection.runAndReadAll(
      `SELECT (coalesce(epoch_ms("time"), -9223372036854775808) // 86400000)::DOUBLE AS day, ${digest(netstrings(terms.logs))}
       FROM stored.logs WHERE part = $1::INTEGER GROUP BY day`,
      [part],
    );
    const unreadable = await connection.runAndReadAll(
      `SELECT 0::DOUBLE, coalesce(${digest(netstrings(terms.unreadable))}, '0') FROM stored.unreadable WHERE part = $1::INTEGER`,
      [part],
    );
    const [only] = v.parse(v.array(row), unreadable.getRowsJS());
    return { days: new Map(v.parse(v.array(row), logs.getRowsJS())), unreadable: only?.[1] ?? 0n };
  });
}
