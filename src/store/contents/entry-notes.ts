import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { textFields } from '../../records/log.ts';
import { type Case, reading, readingState } from '../case/case.ts';
import { type Part, readParts } from '../case/parts.ts';
import { isNoLogFile } from './losses.ts';

/** Something to know of entries of zips that is no loss. `files` is the number of zips that it is true of. */
export type EntryNote =
  /** The entry is a picture, a text for people or the like. It is kept in the original. */
  | { readonly kind: 'no log file'; readonly entry: string; readonly format: string; readonly files: number }
  /** Both entries hold the same logs. Those of the second were left out where their bytes are the same too. */
  | {
      readonly kind: 'same logs';
      readonly entries: readonly [string, string];
      readonly isLeftOut: boolean;
      readonly files: number;
    };

/** Notes on parts of a case, each once for all zips that have entries of the same names. */
export async function entryNotes(of: Case, parts: readonly Part[]): Promise<readonly EntryNote[]> {
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

/** Notes on the parts that came from some export jobs. */
export async function entryNotesOfJobs(of: Case, jobs: ReadonlySet<string>): Promise<readonly EntryNote[]> {
  const parts = await reading(of, (connection) => readParts(connection));
  return await entryNotes(
    of,
    parts.filter(({ job }) => job !== undefined && jobs.has(job)),
  );
}

/** Two entries of one zip that may hold the same logs. */
interface Pair {
  readonly first: Part;
  readonly second: Part;
}

async function sameLogs(of: Case, parts: readonly Part[]) {
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

/** Items in groups of the same key, without those that have none. */
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

/** Pairs of the first part of each key, which has logs, with every later one. */
function pairsBy(parts: readonly Part[], keyOf: (part: Part) => string | undefined): readonly Pair[] {
  return groupBy(parts, keyOf).flatMap(([first, ...others]) =>
    first && 0 < first.logs ? others.map((second) => ({ first, second })) : [],
  );
}

const fields = ['time', 'logCode', 'elapsed', ...textFields].map((field) => `"${field}"`).join(', ');

/** Digests that do not depend on the order of the logs: a cheap one of their times, and one of all their fields. */
const cheapDigest = `concat_ws(' ', min("time"), max("time"), sum("logCode"), sum(length(msg)))`;
const fullDigest = `concat_ws(' ', sum(hash(${fields})::HUGEINT), bit_xor(hash(${fields})))`;

/** Digests of the logs of parts, by their numbers. Absent where no other part of them can have the same. */
async function logDigests(of: Case, parts: readonly Part[]): Promise<ReadonlyMap<number, string>> {
  if (parts.length === 0) return new Map();
  return readingState(of, async (connection) => {
    const cheap = await digestsOf(
      connection,
      cheapDigest,
      parts.map(({ part }) => part),
    );
    const alike = groupBy([...cheap], ([, digest]) => digest).filter((each) => 1 < each.length);
    return await digestsOf(
      connection,
      fullDigest,
      alike.flat().map(([part]) => part),
    );
  });
}

const digestRows = v.array(v.tuple([v.number(), v.string()]));

async function digestsOf(
  connection: DuckDBConnection,
  digest: string,
  parts: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (parts.length === 0) return new Map();
  const result = await connection.runAndReadAll(
    `SELECT part, ${digest} FROM stored.logs WHERE part IN (${parts.map(Number).join(', ')}) GROUP BY part`,
  );
  return new Map(v.parse(digestRows, result.getRowsJS()));
}
