import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import {
  readTextRows,
  type ShareText,
  type TextRow,
  textSharing,
  timestampText,
} from '../../database/index.ts';
import { type FileFacts, readFileFacts } from '../contents/file-facts.ts';
import {
  type Action,
  type RecordedTable,
  recordedRows,
  recordedTableNames,
  recordedTables,
} from '../file/chain.ts';
import { caseFormat } from '../file/schema.ts';

/** Checks the rows that describe the case, its files and its exports against the record of actions. */
export async function checkFacts(
  connection: DuckDBConnection,
  actions: readonly Action[],
  report: ReportDeviation,
): Promise<void> {
  await checkAbout(connection, actions, report);
  await checkFiles(connection, actions, report);
  for (const table of recordedTableNames)
    checkTable(
      await readTextRows(connection, table),
      { table, recorded: recordedRows(actions, table) },
      report,
    );
}

const creation = v.object({ version: v.number(), created: v.string() });

async function checkAbout(
  connection: DuckDBConnection,
  actions: readonly Action[],
  report: ReportDeviation,
): Promise<void> {
  const rows = await readTextRows(connection, 'about');
  const [created] = actions.flatMap(({ action, details }) => {
    const { success, output } = v.safeParse(creation, parseDetails(details));
    return action === 'create case' && success ? [output] : [];
  });
  const expected: TextRow = {
    format: caseFormat,
    ...(created && { version: String(created.version), created: created.created }),
  };
  const problem =
    rows.length === 1
      ? differingColumns(rows[0] ?? {}, expected).join('; ')
      : `it has ${rows.length} rows, and not one`;
  if (problem !== '') report({ code: 'CASE_ALTERED', message: `Description of the case: ${problem}` });
}

async function checkFiles(
  connection: DuckDBConnection,
  actions: readonly Action[],
  report: ReportDeviation,
): Promise<void> {
  const left = [...(await readTextRows(connection, 'files'))];
  const missing: TextRow[] = [];
  for (const expected of notedFiles(actions)) {
    const at = left.findIndex((row) => differingColumns(row, expected).length === 0);
    if (at < 0) missing.push(expected);
    else left.splice(at, 1);
  }
  for (const expected of missing) {
    // Of the remaining rows, the one with the same hash, else the same name, is the altered one.
    const isIt = (column: string) => (row: TextRow) => row[column] === expected[column];
    const at = [left.findIndex(isIt('sha256')), left.findIndex(isIt('file'))].find((index) => 0 <= index);
    const [row] = at === undefined ? [] : left.splice(at, 1);
    const problem = row ? differingColumns(row, expected).join('; ') : 'its row is gone';
    report(fileDeviation(expected, problem));
  }
  for (const row of left) report(fileDeviation(row, 'no action recorded it'));
}

function fileDeviation({ file, sha256 }: TextRow, problem: string) {
  const message = `Row of file "${file ?? ''}": ${problem}`;
  return { code: 'FILE_ROW_ALTERED', ...(sha256 && { file: sha256 }), message } as const;
}

const fileActions: ReadonlySet<string> = new Set(['add file', 'add window']);

function notedFiles(actions: readonly Action[]): readonly TextRow[] {
  return actions
    .filter(({ action }) => fileActions.has(action))
    .flatMap(({ details }) => toFileRow(readFileFacts(parseDetails(details))));
}

function toFileRow(facts: FileFacts | undefined): readonly TextRow[] {
  if (!facts) return [];
  const { file, sha256, bytes, job = null, added } = facts;
  return [{ sha256, file, bytes: String(bytes), job, added: timestampText(added) }];
}

function checkTable(
  rows: readonly TextRow[],
  { table, recorded }: { readonly table: RecordedTable; readonly recorded: ReadonlyMap<string, TextRow> },
  report: ReportDeviation,
): void {
  const key = recordedTables[table];
  const found = new Set<string>();
  const deviate = (name: string, problem: string) =>
    report({
      code: 'EXPORT_ALTERED',
      message: `Row of ${names[table]} ${name}: ${problem}`,
    });
  for (const row of rows) {
    const name = row[key] ?? '';
    const expected = recorded.get(name);
    const isTwice = found.has(name);
    found.add(name);
    if (!expected || isTwice) {
      deviate(name === '' ? 'without a name' : name, isTwice ? 'it occurs twice' : 'no action recorded it');
      continue;
    }
    const all = { ...Object.fromEntries(Object.keys(row).map((column) => [column, null])), ...expected };
    const differing = differingColumns(row, all);
    if (0 < differing.length) deviate(name, differing.join('; '));
  }
  for (const name of recorded.keys()) if (!found.has(name)) deviate(name, 'it is gone');
}

const names = { exports: 'export', windows: 'window', jobs: 'job' } as const;

/** A difference between a case and the record of its actions or its originals. */
export interface Deviation {
  readonly code: DeviationCode;
  /** One sentence: the problem and its location. */
  readonly message: string;
  /** Number of the part. */
  readonly part?: number;
  /** The original, by its hash or, if it has none in the case, its name. */
  readonly file?: string;
  /** Numbers of the records, the first ten. */
  readonly positions?: readonly number[];
}

/** Kinds of deviations. The codes are stable; the texts appear in the manual. */
export const deviationCodes = {
  CATALOGUE_ALTERED:
    'The file has tables, views, macros, types or comments that this program does not create, or lacks some; if answers could be false, nothing else is checked',
  CHAIN_BROKEN: 'The record of actions was altered',
  SEALED_OTHERWISE: 'A later action took away or changed what was there at the requested hash',
  HEAD_UNKNOWN: 'The record of actions does not contain the requested hash',
  CASE_ALTERED: 'The format, version or creation time of the case differs from its record',
  FILE_MISSING: 'An original is gone',
  FILE_ALTERED: 'An original has other bytes, or its compressed copy is damaged',
  FILE_UNREADABLE: 'An original cannot be read',
  FILE_UNLISTED:
    'The folder of originals holds a file unknown to the case, or a second copy of an original; also after an import was killed before its first part',
  FILE_ROW_ALTERED: 'The row of a file differs from the record of adding it',
  ENTRY_MISSING: 'An entry of an original is gone',
  ENTRY_ALTERED: 'An entry of an original has other bytes',
  PART_MISSING: 'A part is gone',
  PART_ALTERED: 'The row of a part differs from the record of adding it',
  PART_UNLISTED: 'A part was added without a record of it',
  EXPORT_ALTERED: 'The row of an export, window or job differs from its latest record',
  ROWS_MISCOUNTED: 'A part has more or fewer rows than recorded',
  ROWS_ALTERED: 'Rows differ from their original',
  ROWS_UNLISTED: 'Rows belong to no part',
  INDEX_ALTERED:
    'The index of the terms differs from the terms of the logs; "logquarry index --rebuild" rebuilds it',
} as const;

/** Stable code of a deviation. */
export type DeviationCode = keyof typeof deviationCodes;

/** Receives a deviation. */
export type ReportDeviation = (deviation: Deviation) => void;

/** Maximum length of the texts of a deviation. An altered case can have names of any length. */
const maxTextLength = 4000;

/** Shortens the texts of a deviation in the middle: their ends say what is wrong. */
export function shortenDeviation(deviation: Deviation): Deviation {
  const { file, message } = deviation;
  return { ...deviation, ...(file !== undefined && { file: shorten(file) }), message: shorten(message) };
}

function shorten(text: string): string {
  return text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength / 2)}…${text.slice(-maxTextLength / 2)}`;
}

/** Facts of a part according to the record of actions. */
export interface RecordedPart {
  readonly part: number;
  readonly file: string;
  readonly fileSha256?: string | undefined;
  readonly entry?: string | undefined;
  readonly entryNumber?: number | undefined;
  readonly entrySha256?: string | undefined;
  readonly bytes?: number | undefined;
  readonly format?: string | undefined;
  readonly zone?: string | undefined;
  readonly job?: string | undefined;
  readonly problem?: string | undefined;
  readonly unreadable?: number | undefined;
  /** JSON. */
  readonly remarks?: string | undefined;
  readonly problemMessage?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly added?: number | undefined;
  /** Id of its first log; the others follow without gaps. */
  readonly firstId?: number | undefined;
  /** Digest of the ids of a part from which logs were deleted. */
  readonly idsSha256?: string | undefined;
  readonly unreadableSha256?: string | undefined;
  /** Digests of the logs of a part without an original. */
  readonly digests?: readonly LogsDigest[];
  readonly logs: number;
  /** Number of logs of its original that are not in the case. */
  readonly leftOut: number;
}

/** Recorded facts that reading a part again requires. */
export type ReadFacts = Pick<RecordedPart, 'firstId' | 'leftOut'>;

/** Returns those facts alone: a case can have hundreds of thousands of parts. */
export function toReadFacts({ firstId, leftOut }: RecordedPart): ReadFacts {
  return { firstId, leftOut };
}

/** Digest of the logs of a part at positions above `after`, up to and including `upTo`. */
export interface LogsDigest {
  readonly after: number;
  readonly upTo: number;
  readonly sha256: string;
}

const added = v.object({
  part: v.number(),
  file: v.string(),
  fileSha256: v.optional(v.string()),
  entry: v.optional(v.string()),
  entryNumber: v.optional(v.number()),
  entrySha256: v.optional(v.string()),
  bytes: v.optional(v.number()),
  format: v.optional(v.string()),
  zone: v.optional(v.string()),
  job: v.optional(v.string()),
  problem: v.optional(v.string()),
  unreadable: v.optional(v.number()),
  remarks: v.optional(v.string()),
  problemMessage: v.optional(v.string()),
  added: v.optional(v.number()),
  firstId: v.optional(v.number()),
  idsSha256: v.optional(v.string()),
  unreadableSha256: v.optional(v.string()),
  logs: v.number(),
  leftOut: v.optional(v.number(), 0),
});

const changed = v.object({
  part: v.number(),
  logs: v.number(),
  file: v.optional(v.string(), ''),
  sha256: v.optional(v.string()),
  idsSha256: v.optional(v.string()),
});

/** The parts that a case must have according to its record of actions, and how they come to be known. */
interface PartsRecord {
  readonly parts: ReadonlyMap<number, RecordedPart>;
  /** Takes the next action; returns whether it is about a part. */
  readonly take: (action: Action) => boolean;
}

/** Starts to collect the parts of a case from its record of actions. */
export function startPartsRecord(): PartsRecord {
  const parts = new Map<number, RecordedPart>();
  const share = textSharing();
  return { parts, take };

  function take({ action, details }: Action): boolean {
    if (!partActions.has(action)) return false;
    // Unreadable details were altered, which the hash chain shows.
    const facts = parseDetails(details);
    if (action === 'add part') add(parts, facts, share);
    else if (action === 'add logs' || action === 'trim part') change(parts, action, facts);
    else remove(parts, facts);
    return true;
  }
}

const partActions: ReadonlySet<string> = new Set(['add part', 'add logs', 'trim part', 'remove part']);

/** Parses the details of an action; undefined if they are not JSON. */
export function parseDetails(details: string): unknown {
  try {
    return JSON.parse(details);
  } catch {
    return undefined;
  }
}

/** Reads the details of an action that adds a part; undefined if they are none. */
export function readAddedPart(details: unknown): RecordedPart | undefined {
  const { success, output } = v.safeParse(added, details);
  return success ? output : undefined;
}

/** Reads the details of an action that adds logs to a part, or deletes some; undefined if they are none. */
export function readChangedPart(details: unknown): v.InferOutput<typeof changed> | undefined {
  const { success, output } = v.safeParse(changed, details);
  return success ? output : undefined;
}

function add(parts: Map<number, RecordedPart>, facts: unknown, share: ShareText): void {
  const { success, output } = v.safeParse(added, facts);
  if (!success) return;
  const { part, file, fileSha256, remarks } = output;
  // The parts of a zip have these in common.
  output.file = share('file', file);
  output.fileSha256 = share('fileSha256', fileSha256);
  output.remarks = share('remarks', remarks);
  parts.set(part, output);
}

function change(parts: Map<number, RecordedPart>, action: 'add logs' | 'trim part', facts: unknown): void {
  const { success, output } = v.safeParse(changed, facts);
  if (!success) return;
  const { part, logs, file, sha256, idsSha256 } = output;
  const known = parts.get(part) ?? { part, file, logs: 0, leftOut: 0 };
  if (action === 'trim part') {
    parts.set(part, { ...known, logs: known.logs - logs, leftOut: known.leftOut + logs, idsSha256 });
    return;
  }
  const digest = { after: known.logs, upTo: known.logs + logs, sha256: sha256 ?? '' };
  const digests = sha256 === undefined ? known.digests : [...(known.digests ?? []), digest];
  parts.set(part, { ...known, logs: known.logs + logs, ...(digests && { digests }) });
}

function remove(parts: Map<number, RecordedPart>, facts: unknown): void {
  const { success, output } = v.safeParse(v.object({ part: v.number() }), facts);
  if (success) parts.delete(output.part);
}

/** Checks the rows of parts against the record of actions. */
export async function checkParts(
  rows: AsyncIterable<TextRow>,
  recorded: ReadonlyMap<number, RecordedPart>,
  report: ReportDeviation,
): Promise<void> {
  const found = new Set<number>();
  for await (const row of rows) {
    const part = Number(row.part ?? Number.NaN);
    const known = recorded.get(part);
    if (known && !found.has(part)) compare(row, known, report);
    else reportUnlisted(row, report, known ? 'occurs twice' : 'has no recorded action');
    found.add(part);
  }
  for (const { part, file, entry } of recorded.values())
    if (!found.has(part))
      report({ code: 'PART_MISSING', part, message: `Part ${part} ("${entry ?? file}") is gone` });
}

function reportUnlisted(row: TextRow, report: ReportDeviation, problem: string): void {
  const number = row.part ?? null;
  const name = number === null ? 'A part without a number' : `Part ${number}`;
  report({
    code: 'PART_UNLISTED',
    ...(number !== null && { part: Number(number) }),
    message: `${name} ("${row.entry ?? ''}") ${problem}`,
  });
}

function compare(row: TextRow, recorded: RecordedPart, report: ReportDeviation): void {
  const differing = differingColumns(row, expectedRow(recorded));
  if (differing.length === 0) return;
  report({
    code: 'PART_ALTERED',
    part: recorded.part,
    message: `Part ${recorded.part} ("${row.entry ?? ''}"): ${differing.join('; ')}`,
  });
}

/** Returns the recorded columns of the row of a part. */
function expectedRow(recorded: RecordedPart): TextRow {
  const text = (value: string | number | undefined) => (value === undefined ? null : String(value));
  const counts = { logs: String(recorded.logs) };
  // The action that added it was altered, which the hash chain shows.
  if (recorded.format === undefined) return counts;
  return {
    ...counts,
    file: recorded.file,
    file_sha256: text(recorded.fileSha256),
    entry: text(recorded.entry),
    entry_number: text(recorded.entryNumber),
    entry_sha256: text(recorded.entrySha256),
    bytes: text(recorded.bytes),
    format: text(recorded.format),
    zone: text(recorded.zone),
    job: text(recorded.job),
    problem: text(recorded.problem),
    unreadable: text(recorded.unreadable),
    remarks: text(recorded.remarks),
    problem_message: text(recorded.problemMessage),
    ...(recorded.added !== undefined && { added: timestampText(recorded.added) }),
  };
}

/** Describes each column whose value differs from the expected one; other columns are not compared. */
function differingColumns(found: TextRow, expected: TextRow): readonly string[] {
  return Object.entries(expected)
    .filter(([column, value]) => (found[column] ?? null) !== value)
    .map(([column, value]) => `${column} is ${show(found[column])}, expected ${show(value)}`);
}

/** Maximum characters of a shown value. */
const maxShownLength = 300;

function show(value: string | null | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  if (/^-?\d+$/.test(value)) return value;
  return JSON.stringify(value.length <= maxShownLength ? value : `${value.slice(0, maxShownLength)}…`);
}
