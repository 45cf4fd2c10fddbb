import * as v from 'valibot';
import { wordsSql } from '../../language/index.ts';
import { textFields } from '../../records/index.ts';
import { type Case, readCase } from '../file/case.ts';

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
