import * as v from 'valibot';
import { type ShareText, type TextRow, textSharing, timestampText } from '../../database/index.ts';
import type { Action } from '../chain/actions.ts';
import type { ReportDeviation } from './deviation.ts';
import { differingColumns } from './differing-columns.ts';

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
  /** JSON. Absent, as all below, if the version that added the part did not record it. */
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
  logsSha256: v.optional(v.string()),
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
export interface PartsRecord {
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
    else if (action === 'find part') find(parts, facts);
    else if (action === 'add logs' || action === 'trim part') change(parts, action, facts);
    else remove(parts, facts);
    return true;
  }
}

const partActions: ReadonlySet<string> = new Set([
  ...['add part', 'find part', 'add logs', 'trim part', 'remove part'],
]);

/** Parses the details of an action; undefined if they are not JSON. */
export function parseDetails(details: string): unknown {
  try {
    return JSON.parse(details);
  } catch {
    return undefined;
  }
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

/** Adds the facts that a later version found of a part. Facts recorded when it was added take precedence. */
function find(parts: Map<number, RecordedPart>, facts: unknown): void {
  const { success, output } = v.safeParse(added, facts);
  if (!success) return;
  const { logsSha256, ...found } = output;
  const whole = { after: 0, upTo: found.logs, sha256: logsSha256 ?? '' };
  const digests = logsSha256 === undefined ? undefined : { digests: [whole] };
  parts.set(found.part, { ...found, ...digests, ...parts.get(found.part) });
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
    ...{ code: 'PART_UNLISTED', ...(number !== null && { part: Number(number) }) },
    message: `${name} ("${row.entry ?? ''}") ${problem}`,
  });
}

function compare(row: TextRow, recorded: RecordedPart, report: ReportDeviation): void {
  const differing = differingColumns(row, expectedRow(recorded));
  if (differing.length === 0) return;
  report({
    ...{ code: 'PART_ALTERED', part: recorded.part },
    message: `Part ${recorded.part} ("${row.entry ?? ''}"): ${differing.join('; ')}`,
  });
}

/** Returns the recorded columns of the row of a part. */
function expectedRow(recorded: RecordedPart): TextRow {
  const text = (value: string | number | undefined) => (value === undefined ? null : String(value));
  const counts = { logs: String(recorded.logs) };
  // Versions before 6 recorded no facts of a part without an original.
  if (recorded.format === undefined) return counts;
  const { added: at, remarks } = recorded;
  const later = at !== undefined && {
    remarks: text(remarks),
    problem_message: text(recorded.problemMessage),
    added: timestampText(at),
  };
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
    ...later,
  };
}
