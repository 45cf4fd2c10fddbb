import * as v from 'valibot';
import { noTime } from '../../language/index.ts';
import { textFields } from '../../records/index.ts';
import type { Cluster, QueryOptions } from '../connection.ts';
import { dayExpression, quotedName } from '../schema.ts';

/** Rows of a load: their number and digest, by the day of the logs, and of the unreadable records. */
export interface LoadDigests {
  readonly days: ReadonlyMap<number, RowsDigest>;
  readonly unreadable: RowsDigest;
}

/** Number of rows, and the sum modulo 2^64 of the first 64 bits of the SHA-256 of each. */
export interface RowsDigest {
  readonly rows: number;
  readonly digest: bigint;
}

/** The digest of no rows. */
export const noRows: RowsDigest = { rows: 0, digest: 0n };

const netstrings = (terms: readonly string[]) =>
  `concat(${terms.map((term) => `toString(length(${term})), ':', ${term}`).join(", ',', ")})`;

const asText = (column: string) => `ifNull(toString(\`${column}\`), '')`;

const terms: Readonly<Record<'logs' | 'unreadable', readonly string[]>> = {
  logs: [
    ...['entry', 'position', 'byte_offset', 'byte_length'].map(asText),
    `if(time = ${noTime}, '', toString(time))`,
    asText('logCode'),
    `multiIf(isNull(elapsed), '', abs(assumeNotNull(elapsed)) < 9e9, toString(toInt64(floor(assumeNotNull(elapsed) * 1e6))), 'large')`,
    asText('extra'),
    ...textFields.flatMap((field) => [asText(field), `arrayStringConcat(\`${field}_tokens\`, ' ')`]),
  ],
  unreadable: ['entry', 'position', 'code', 'reason', 'raw'].map(asText),
};

const digest = (row: string) =>
  `toString(sum(reinterpretAsUInt64(reverse(substring(SHA256(${row}), 1, 8)))))`;

const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number));
const row = v.tuple([
  v.string(),
  number,
  number,
  v.pipe(
    v.string(),
    v.transform((text): bigint => BigInt(text)),
  ),
]);

/**
 * Computes the digests of the rows of all loads, or of one, by their ids: the same as `digestPart` of the store.
 * Reads every row.
 */
export async function loadDigests(
  cluster: Cluster,
  options: QueryOptions,
  load?: string,
): Promise<ReadonlyMap<string, LoadDigests>> {
  const base = quotedName(cluster.address.database);
  const where = load === undefined ? '' : `WHERE load = '${load}'`;
  const ofLogs = await cluster.query(
    `SELECT toString(load), ${dayExpression} AS d, count(), ${digest(netstrings(terms.logs))} FROM ${base}.log_rows ${where} GROUP BY load, d`,
    options,
  );
  const ofUnreadable = await cluster.query(
    `SELECT toString(load), 0, count(), ${digest(netstrings(terms.unreadable))} FROM ${base}.unreadable_rows ${where} GROUP BY load`,
    options,
  );
  const days = new Map<string, Map<number, RowsDigest>>();
  for (const each of ofLogs) {
    const [of, at, rows, sum] = v.parse(row, each);
    days.set(of, (days.get(of) ?? new Map<number, RowsDigest>()).set(at, { rows, digest: sum }));
  }
  const unreadable = new Map(
    ofUnreadable.map((each) => {
      const [of, , rows, sum] = v.parse(row, each);
      return [of, { rows, digest: sum }] as const;
    }),
  );
  const loads = new Set([...days.keys(), ...unreadable.keys()]);
  return new Map(
    [...loads].map((of) => [
      of,
      { days: days.get(of) ?? new Map<number, RowsDigest>(), unreadable: unreadable.get(of) ?? noRows },
    ]),
  );
}
