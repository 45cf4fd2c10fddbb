import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { isNonLogFormat, textFields } from '../../records/index.ts';
import { type Case, readCase, readCaseSnapshot } from '../file/case.ts';
import { type Action, readActions } from '../file/chain.ts';
import { readParts, type StoredPart } from '../file/parts.ts';
import { isArchiveFormat } from '../originals/entries.ts';
import { findJobs, type StoredJob } from './exports.ts';

/** Contents of a case. */
export interface CaseSummary {
  readonly logs: number;
  readonly unreadable: number;
  /** Times of the first and last log: milliseconds since the epoch. Absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  readonly parts: readonly StoredPart[];
  readonly jobs: readonly StoredJob[];
}

const times = v.tuple([v.number(), v.number(), v.nullable(v.number()), v.nullable(v.number())]);

/**
 * Summarises a case by counting its rows, not from the recorded counts.
 *
 * ```ts
 * const { parts, jobs } = await summary(incident);
 * ```
 */
export async function summary(of: Case): Promise<CaseSummary> {
  const jobs = await findJobs(of);
  return readCaseSnapshot(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT count(*)::DOUBLE, (SELECT count(*) FROM stored.unreadable)::DOUBLE,
         epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE FROM stored.logs`,
    );
    const [logs, unreadable, first, last] = v.parse(times, result.getRowsJS()[0]);
    return {
      logs,
      unreadable,
      ...(first !== null && { first }),
      ...(last !== null && { last }),
      parts: await readParts(connection),
      jobs,
    };
  });
}

/** A stored record that could not be read. */
export interface UnreadableInCase {
  readonly part: number;
  readonly entry: string;
  /** Number of the record in its entry, from 1. */
  readonly position: number;
  readonly code: string;
  readonly reason: string;
  /** Text of the record, or its beginning. */
  readonly raw: string;
}

const unreadable = v.object({
  part: v.number(),
  entry: v.string(),
  position: v.number(),
  code: v.string(),
  reason: v.string(),
  raw: v.string(),
});

/**
 * Returns the unreadable records in the order in which they were read.
 *
 * ```ts
 * const records = await findUnreadable(incident, { limit: 10 });
 * ```
 */
export function findUnreadable(
  from: Case,
  { limit }: { readonly limit: number },
): Promise<readonly UnreadableInCase[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT part, entry, position, code, reason, coalesce(raw, '') AS raw FROM stored.unreadable
       ORDER BY part, position LIMIT $1::BIGINT`,
      [limit],
    );
    return result.getRowObjectsJS().map((row) => v.parse(unreadable, row));
  });
}

const fileRows = v.array(v.tuple([v.string(), v.string()]));

/** Returns the names of the files that logs of a case were read from, by their SHA-256. */
export async function filesWithLogs(of: Case): Promise<ReadonlyMap<string, string>> {
  return readCase(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT file_sha256, min(file) FROM stored.parts
       WHERE file_sha256 IS NOT NULL AND 0 < logs GROUP BY file_sha256 ORDER BY min(part)`,
    );
    return new Map(v.parse(fileRows, result.getRowsJS()));
  });
}

/**
 * The last action of a case, with the counts of its contents at that moment. A copy of it proves later what the
 * case contained.
 */
export interface ChainHead {
  /** Number of the last action. */
  readonly number: number;
  /** Its hash: 64 hexadecimal digits. `verifyCase` takes it as `head`. */
  readonly hash: string;
  /** Time of the action: milliseconds since the epoch. */
  readonly done: number;
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
}

const row = v.object({
  number: v.number(),
  hash: v.string(),
  done: v.number(),
  files: v.number(),
  parts: v.number(),
  logs: v.number(),
  unreadable: v.number(),
});

/**
 * Reads the last action of a case and the counts of the same snapshot. Does not check them: `verifyCase` does.
 * Undefined if the record of actions is gone.
 *
 * ```ts
 * const head = await chainHead(incident);
 * ```
 */
export function chainHead(of: Case): Promise<ChainHead | undefined> {
  return readCaseSnapshot(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT number::DOUBLE AS number, hash, epoch_ms(done)::DOUBLE AS done,
         (SELECT count(DISTINCT sha256) FROM stored.files)::DOUBLE AS files,
         (SELECT count(*) FROM stored.parts)::DOUBLE AS parts,
         (SELECT count(*) FROM stored.logs)::DOUBLE AS logs,
         (SELECT count(*) FROM stored.unreadable)::DOUBLE AS unreadable
       FROM stored.actions ORDER BY number DESC NULLS LAST LIMIT 1`,
    );
    const [found] = result.getRowObjectsJS();
    return found && v.parse(row, found);
  });
}

/**
 * Returns the actions of a case in order. The hash of the last one covers all of them.
 *
 * ```ts
 * for (const { done, action } of await findActions(incident)) console.log(new Date(done), action);
 * ```
 */
export function findActions(of: Case): Promise<readonly Action[]> {
  return readCase(of, readActions);
}

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
  const sameBytes = files.flatMap((file) => pairsBy(file, ({ entrySha256 }) => entrySha256));
  const candidates = files
    .flatMap((file) => groupBy(file, ({ logs }) => (0 < logs ? String(logs) : undefined)))
    .filter((group) => 1 < group.length);
  const digests = await logDigests(of, candidates.flat());
  const sameTexts = candidates
    .flatMap((candidate) => pairsBy(candidate, ({ part }) => digests.get(part)))
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

/** An entry whose logs are missing in the case, with the reason. */
export interface Loss {
  readonly entry: string;
  /** One sentence. */
  readonly message: string;
}

/**
 * Returns the losses among the parts of one file: entries that could not be read as logs, or a zip without any
 * log file. The intended contents of the latter are unknown, so it counts as lost.
 *
 * ```ts
 * const { parts } = await addFile(incident, 'logs.zip');
 * for (const { message } of lossesOf(parts)) console.warn(message);
 * ```
 */
export function lossesOf(parts: readonly StoredPart[]): readonly Loss[] {
  const lost = parts.flatMap((part) => {
    const { entry, problem } = part;
    return problem && !isSideFile(part)
      ? [{ entry, message: `The entry "${shortenName(entry)}" was not loaded: ${problem.message}` }]
      : [];
  });
  if (0 < lost.length) return lost;
  const others = parts.filter((part) => !isZipOfParts(part));
  const [first] = others.filter(isNoLogFile);
  if (!first || !others.every(isNoLogFile)) return [];
  return [
    {
      entry: first.entry,
      message: `The zip contains no log file, only files like "${shortenName(first.entry)}"`,
    },
  ];
}

/** Reports if a part is recognised as something else than a log. */
export function isNoLogFile(part: StoredPart): boolean {
  return part.problem === undefined ? isNonLogFormat(part.format) : isSideFile(part);
}

/** Names of files that programs put beside the contents of an archive to describe them. */
const sideNames =
  /(?:^|[-_./ ])(?:manifest|metadata|meta|info|about|summary|index|contents|checksums?|version|schema)[-_. ]/i;

/** Reports if a part only describes its archive: by its name, and as none of its records is a log. */
function isSideFile({ entry, problem, logs }: StoredPart): boolean {
  return problem?.code === 'NOT_LOGS' && logs === 0 && sideNames.test(entry);
}

/** Reports if a part is a nested archive whose entries are parts. */
export function isZipOfParts({ format, problem }: StoredPart): boolean {
  return problem === undefined && isArchiveFormat(format);
}

/** Shortens an entry name for a message: names come from others and have any length. */
function shortenName(name: string): string {
  return name.length <= 120 ? name : `${name.slice(0, 120)}…`;
}
