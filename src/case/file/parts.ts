import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type ColumnValue, insertRows, type ShareText, textSharing } from '../../database/index.ts';
import { type RemarkCode, remarkCodes } from '../../records/index.ts';
import { dropSegmentsOfParts } from '../../word-index/index.ts';
import { type NewAction, rowDigests } from './chain.ts';

/** Format of parts whose logs this program created. */
export const programFormat = 'program';

/** One entry of an added file, or logs of a program: the unit that is loaded completely or not at all. */
export interface StoredPart {
  /** Number of the part in the case, from 1. */
  readonly part: number;
  /** Name of its file, without folders. */
  readonly file: string;
  readonly fileSha256?: string;
  /** Name of the entry in the archive; for a single file, its name. */
  readonly entry: string;
  /** Number of the entry in the archive, from 0; folders count. */
  readonly entryNumber: number;
  /** SHA-256 of the inflated entry. */
  readonly entrySha256?: string;
  /** Size of the inflated entry. */
  readonly bytes: number;
  /**
   * Format recognised by the content: `ndjson`, `json`, `csv`, …, or `program`. Without a problem, `zip` is a
   * zip whose entries are parts, and one of `noLogFormats` a file that is no log.
   */
  readonly format: string;
  readonly logs: number;
  readonly unreadable: number;
  /** Logs that were not added, as duplicates or as not requested. Present only right after adding. */
  readonly leftOut?: number;
  /** Which other parts have the logs that were left out as duplicates. Present only right after adding. */
  readonly overlap?: Overlap;
  /** Values that did not fit the fields of a log, and assumptions. */
  readonly remarks: readonly RemarkCount[];
  /** Reason why the entry was not loaded; its `logs` is then 0. */
  readonly problem?: PartProblem;
  /** Id of its export job. */
  readonly job?: string;
  /** Time of adding: milliseconds since the epoch. */
  readonly added: number;
  /** Time zone for times without one; absent for UTC. */
  readonly zone?: string;
}

/** Logs of a part that others of the case have too. */
export interface Overlap {
  readonly part: number;
  /** Its logs that are there too: as many copies of each as are there. */
  readonly logs: number;
  /** The parts that have them, those with most of them first; the part itself if one of its replies has them. */
  readonly earlier: readonly { readonly part: number; readonly logs: number }[];
}

/** Number of remarks of one kind about a field. */
export interface RemarkCount {
  readonly code: RemarkCode;
  /** A field, or another member of the records. */
  readonly field: string;
  /** What the remark is about beside the field, such as the tool that wrote the records. */
  readonly about?: string | undefined;
  readonly count: number;
}

/** Reason why an entry was not loaded. */
export interface PartProblem {
  readonly code: ProblemCode;
  readonly message: string;
}

/** Reasons for an entry that is not loaded. The codes are stable; the manual prints the texts. */
export const problemCodes = {
  BAD_NAME: 'The name of the entry leads out of the archive, and the version that added it did not read it',
  ENCRYPTED: 'The entry is encrypted',
  BAD_METHOD: 'The entry is compressed by a method that is not read',
  BAD_DATA: 'The compressed bytes of the entry are damaged',
  WRONG_CRC: 'The bytes of the entry do not have its checksum',
  WRONG_SIZE: 'The entry has another size than the archive says',
  NESTED_ARCHIVE: 'The entry is an archive itself that cannot be opened',
  NOT_YET: 'The format of the entry was known, but not read by the version that added it',
  NOT_LOGS: 'The entry holds no logs',
  IMPLAUSIBLE_TIME: 'Times of the entry are implausible, and it was added with --strict',
} as const;

/** Stable code of a reason for an entry that is not loaded. */
export type ProblemCode = keyof typeof problemCodes;

const columns = `part, file, file_sha256, entry, entry_number, entry_sha256, bytes, format, logs, unreadable,
  remarks, problem, problem_message, job, epoch_ms(added) AS added, zone`;

const remarkCounts = v.array(
  v.object({
    code: v.picklist(Object.keys(remarkCodes) as RemarkCode[]),
    field: v.string(),
    about: v.optional(v.string()),
    count: v.number(),
  }),
);

const text = v.nullable(v.string());
const count = v.pipe(v.bigint(), v.transform(Number));

const row = v.object({
  part: v.number(),
  file: v.string(),
  file_sha256: text,
  entry: v.string(),
  entry_number: v.number(),
  entry_sha256: text,
  bytes: count,
  format: v.string(),
  logs: count,
  unreadable: count,
  remarks: v.pipe(v.string(), v.parseJson(), remarkCounts),
  problem: v.nullable(v.picklist(Object.keys(problemCodes) as ProblemCode[])),
  problem_message: text,
  job: text,
  added: count,
  zone: text,
});

/** Reads the parts of the case in the order of their numbers, or those of one file. */
export async function readParts(connection: DuckDBConnection, fileSha256?: string): Promise<StoredPart[]> {
  const result = await connection.run(
    `SELECT ${columns} FROM stored.parts WHERE $1::VARCHAR IS NULL OR file_sha256 = $1 ORDER BY part`,
    [fileSha256 ?? null],
  );
  const parts: StoredPart[] = [];
  const share = textSharing();
  // Rows of a chunk at a time: a case can have hundreds of thousands of parts.
  for await (const rows of result.yieldRowObjectJs())
    for (const values of rows) parts.push(toPart(v.parse(row, values), share));
  return parts;
}

/** Reads the valid parts of the case and counts the others: invalid rows were altered. */
export async function readValidParts(
  connection: DuckDBConnection,
): Promise<{ readonly parts: readonly StoredPart[]; readonly unsound: number }> {
  const result = await connection.run(
    `SELECT * REPLACE (CASE WHEN isfinite(added) THEN epoch_ms(added) END AS added) FROM stored.parts ORDER BY part`,
  );
  const parts: StoredPart[] = [];
  const share = textSharing();
  let unsound = 0;
  for await (const rows of result.yieldRowObjectJs())
    for (const values of rows) {
      const { success, output } = v.safeParse(row, values);
      if (success) parts.push(toPart(output, share));
      else unsound += 1;
    }
  return { parts, unsound };
}

function toPart(found: v.InferOutput<typeof row>, share: ShareText): StoredPart {
  return {
    part: found.part,
    file: share('file', found.file),
    ...(found.file_sha256 !== null && { fileSha256: share('fileSha256', found.file_sha256) }),
    entry: found.entry,
    entryNumber: found.entry_number,
    ...(found.entry_sha256 !== null && { entrySha256: found.entry_sha256 }),
    bytes: found.bytes,
    format: share('format', found.format),
    logs: found.logs,
    unreadable: found.unreadable,
    remarks: found.remarks,
    ...(found.problem && { problem: { code: found.problem, message: found.problem_message ?? '' } }),
    ...(found.job !== null && { job: found.job }),
    added: found.added,
    ...(found.zone !== null && { zone: found.zone }),
  };
}

const table = {
  table: 'stored.parts',
  columns: [
    ...['?::INTEGER', '?::VARCHAR', '?::VARCHAR', '?::VARCHAR', '?::INTEGER', '?::VARCHAR', '?::BIGINT'],
    ...['?::VARCHAR', '?::BIGINT', '?::BIGINT', '?::VARCHAR', '?::VARCHAR', '?::VARCHAR', '?::VARCHAR'],
    ...['epoch_ms(?::BIGINT)', '?::VARCHAR'],
  ],
};

/** Inserts the rows of parts. */
export function insertParts(connection: DuckDBConnection, parts: readonly StoredPart[]): Promise<void> {
  return insertRows(connection, table, parts.map(toColumns));
}

function toColumns(part: StoredPart): ColumnValue[] {
  return [
    part.part,
    part.file,
    part.fileSha256 ?? null,
    part.entry,
    part.entryNumber,
    part.entrySha256 ?? null,
    part.bytes,
    part.format,
    part.logs,
    part.unreadable,
    JSON.stringify(part.remarks),
    part.problem?.code ?? null,
    part.problem?.message ?? null,
    part.job ?? null,
    part.added,
    part.zone ?? null,
  ];
}

/** Facts about a part that its row does not have. */
interface PartFacts {
  /** Id of its first log; the others follow without gaps. */
  readonly firstId?: number | undefined;
  /** SHA-256 of its unreadable records, from `rowDigests`. */
  readonly unreadableSha256?: string | undefined;
}

/** Returns the action that records a part with all its facts. */
export function partAction(part: StoredPart, facts: PartFacts = {}): NewAction {
  const { remarks, problem, overlap: _later, ...others } = part;
  const refused = problem && { problem: problem.code, problemMessage: problem.message };
  return {
    action: 'add part',
    details: { ...others, ...refused, remarks: JSON.stringify(remarks), ...facts },
  };
}

/** Digests the unreadable records of the parts that have any, by part number. */
export function unreadableDigests(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
): Promise<ReadonlyMap<number, string>> {
  const numbers = parts.filter(({ unreadable }) => 0 < unreadable).map(({ part }) => part);
  return rowDigests(connection, { table: 'unreadable', parts: numbers });
}

/** Deletes parts, at least one, and everything that belongs to them. */
export async function deleteParts(connection: DuckDBConnection, parts: readonly number[]): Promise<void> {
  await dropSegmentsOfParts(connection, parts);
  for (const table of ['logs', 'unreadable', 'parts'])
    await connection.run(`DELETE FROM stored.${table} WHERE part IN (${parts.map(Number).join(', ')})`);
}

/** The id behind those of a part, by the action that added it; NULL for the logs of a program. */
const endOfPart = `try_cast(details->>'firstId' AS BIGINT) + try_cast(details->>'logs' AS BIGINT)
  + coalesce(try_cast(details->>'leftOut' AS BIGINT), 0)`;

/**
 * Returns the numbers for the next part and the next log. Numbers of unfinished parts are not used again, nor are ids of
 * the last part from which logs were deleted.
 */
export async function nextNumbers(connection: DuckDBConnection): Promise<{ part: number; id: number }> {
  const result = await connection.runAndReadAll(
    `SELECT (SELECT coalesce(max(part), 0) + 1 FROM (FROM stored.unfinished UNION ALL SELECT part FROM stored.parts))::INTEGER,
       greatest((SELECT coalesce(max(id), 0) + 1 FROM stored.logs), (SELECT ${endOfPart} FROM (
         SELECT try_cast(details AS JSON) AS details FROM stored.actions WHERE action = 'add part' ORDER BY number DESC LIMIT 1)))::DOUBLE`,
  );
  const [part, id] = v.parse(v.tuple([v.number(), v.number()]), result.getRowsJS()[0]);
  return { part, id };
}
