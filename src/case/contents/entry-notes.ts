import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { textFields } from '../../records/index.ts';
import { type Case, readCase, readCaseSnapshot } from '../file/case.ts';
import { readParts, type StoredPart } from '../file/parts.ts';
import { isNoLogFile } from './losses.ts';

/** A remark about entries of zips that is no loss. `files` counts the zips to which it applies. */
export type EntryNote =
  /** The entry is no log file, but a picture or a text for people. The original has it. */
  | { readonly kind: 'no log file'; readonly entry: string; readonly format: string; readonly files: number }
  /** Both entries hold the same logs. Those of the second were left out if their bytes are identical. */
  | {
      readonly kind: 'same logs';
      readonly entries: readonly [string, string];
      readonly isLeftOut: boolean;
      readonly files: number;
    };

/**
 * Returns the remarks about parts of a case, one for all zips whose entries have the same names.
 *
 * ```ts
 * const { parts } = await addFile(incident, 'logs.zip');
 * const notes = await entryNotes(incident, parts);
 * ```
 */
export async function entryNotes(of: Case, parts: readonly StoredPart[]): Promise<readonly EntryNote[]> {
  const noLogs = parts.filter(isNoLogFile).map(({ entry, format }) => {
    return { kind: 'no log file', entry, format } as const;
  });
  const notes = new Map<string, EntryNote>();
  for (const note of [...noLogs, ...(await sameLogs(of, parts))]) {
    const key = JSON.stringify(note);
    notes.set(key, { ...note, files: (notes.get(key)?.files ?? 0) + 1 });
  }
  return [...notes.values()];
}

/** Returns the remarks about the parts of certain export jobs. */
export async function entryNotesOfJobs(of: Case, jobs: ReadonlySet<string>): Promise<readonly EntryNote[]> {
  const parts = await readCase(of, (connection) => readParts(connection));
  return await entryNotes(
    of,
    parts.filter(({ job }) => job !== undefined && jobs.has(job)),
  );
}

/** Two entries of one zip that may hold the same logs. */
interface Pair {
  readonly first: StoredPart;
  readonly second: StoredPart;
}

async function sameLogs(of: Case, parts: readonly StoredPart[]) {
  const files = groupBy(parts, ({ fileSha256 }) => fileSha256);
  const sameBytes = files.flatMap((each) => pairsBy(each, ({ entrySha256 }) => entrySha256));
  const candidates = files
    .flatMap((each) => groupBy(each, ({ logs }) => (0 < logs ? String(logs) : undefined)))
    .filter((each) => 1 < each.length);
  const digests = await logDigests(of, candidates.flat());
  const sameTexts = candidates
    .flatMap((each) => pairsBy(each, ({ part }) => digests.get(part)))
    .filter(({ first, second }) => first.entrySha256 !== second.entrySha256);
  return [...sameBytes, ...sameTexts].map(({ first, second }) => {
    const entries = [first.entry, second.entry] as const;
    return { kind: 'same logs', entries, isLeftOut: second.logs === 0 } as const;
  });
}

/** Groups items by key; items without a key are left out. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(item);
  }
  return [...groups.values()];
}

/** Pairs the first part of each key, if it has logs, with every later one. */
function pairsBy(
  parts: readonly StoredPart[],
  keyOf: (part: StoredPart) => string | undefined,
): readonly Pair[] {
  return groupBy(parts, keyOf).flatMap(([first, ...others]) =>
    first && 0 < first.logs ? others.map((second) => ({ first, second })) : [],
  );
}

const fields = ['time', 'logCode', 'elapsed', ...textFields].map((field) => `"${field}"`).join(', ');

/** Digests independent of the order of logs: a cheap one of their times, and one of all fields. */
const cheapDigest = `concat_ws(' ', min("time"), max("time"), sum("logCode"), sum(length(msg)))`;
const fullDigest = `concat_ws(' ', sum(hash(${fields})::HUGEINT), bit_xor(hash(${fields})))`;

/** Digests the logs of parts, by part number. Parts whose cheap digest is unique are absent. */
async function logDigests(of: Case, parts: readonly StoredPart[]): Promise<ReadonlyMap<number, string>> {
  if (parts.length === 0) return new Map();
  return readCaseSnapshot(of, async (connection) => {
    const alike = await digestsOf(
      connection,
      cheapDigest,
      parts.map(({ part }) => part),
    );
    return await digestsOf(connection, fullDigest, [...alike.keys()]);
  });
}

const digestRows = v.array(v.tuple([v.number(), v.string()]));

/** Digests the logs of parts, by part number. Parts whose digest is unique are absent. */
async function digestsOf(
  connection: DuckDBConnection,
  digest: string,
  parts: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (parts.length === 0) return new Map();
  // A zip can have a hundred thousand parts: planning a literal for each takes minutes.
  const result = await connection.runAndReadAll(
    `SELECT part, ${digest} AS digest FROM stored.logs
     WHERE part IN (SELECT unnest(string_split($1, ','))::INTEGER) GROUP BY part
     QUALIFY 1 < count(*) OVER (PARTITION BY digest)`,
    [parts.join()],
  );
  return new Map(v.parse(digestRows, result.getRowsJS()));
}
