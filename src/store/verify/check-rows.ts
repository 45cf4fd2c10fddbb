import { isNoLogFormat } from '../../records/no-log-file.ts';
import { parseZone } from '../../records/zone.ts';
import type { Case } from '../case/case.ts';
import type { Part } from '../case/parts.ts';
import { type Reading, readEntry, type TakeBatch } from '../loading/read-entry.ts';
import { threadsFor } from '../loading/region-threads.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import type { Found, PartsComparison } from './compare-parts.ts';
import type { Report } from './deviation.ts';

/** A part whose entry is read again. */
export interface Checked {
  readonly of: Case;
  readonly part: Part;
  readonly entry: FileEntry;
  /** Logs of the entry that are not to be in the case. */
  readonly leftOut: number;
  /** The id of its first log, where it was noted. */
  readonly firstId: number | undefined;
  readonly report: Report;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Reads the entry of a part again and checks that its bytes have the hash that
 * was noted, and that every row of the part is what its record says. Rows are
 * compared sooner or later, at last when the comparison is finished.
 */
export async function checkRows(comparison: PartsComparison, checked: Checked): Promise<void> {
  const { part } = checked;
  if (part.problem || !isRead(part)) {
    await readAgain(checked, async () => undefined);
    return;
  }
  // Ids follow one another only where all logs of the entry are in the case.
  const firstId = checked.leftOut === 0 ? checked.firstId : undefined;
  comparison.begin({ part: part.part, entry: part.entry, firstId });
  if (await readAgain(checked, comparison.take)) await comparison.end((found) => reportRows(checked, found));
  else comparison.abandon();
}

/** Reads the entry of a part again; returns whether it could be read. */
async function readAgain(checked: Checked, take: TakeBatch): Promise<boolean> {
  const { part, entry, report } = checked;
  try {
    const { entrySha256: found } = await readEntry(rereading(checked), entry, take);
    if (part.entrySha256 !== undefined && part.entrySha256 !== found)
      report(altered(part, `its SHA-256 is ${found}, not ${part.entrySha256}`));
    return true;
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    // An entry that was refused when it was added is refused again.
    if (part.problem?.code !== error.problem.code) report(altered(part, error.problem.message));
    return false;
  }
}

function altered({ part, entry }: Part, problem: string) {
  return {
    code: 'ENTRY_ALTERED',
    part,
    message: `The entry "${entry}" of part ${part} was altered: ${problem}`,
  } as const;
}

/** Tells whether an entry was read for its logs when it was added. What is no log file may be decided otherwise today. */
function isRead({ format, problem }: Part): boolean {
  return problem !== undefined || (format !== 'zip' && !isNoLogFormat(format));
}

/** The entry is read as it was when it was added, but for what the case had already. */
function rereading({ of, part, onBytes }: Checked): Reading {
  const { zone: name, format, bytes } = part;
  const zone = name === undefined ? undefined : parseZone(name);
  return {
    into: of,
    ...(name !== undefined && zone && { zone: { name, zone } }),
    ...(format === 'upgrade' && { keep: () => true }),
    onBytes,
    onRecords: () => undefined,
    thorough: true,
    asLogs: isRead(part),
    threadsFor: ({ bytes: text }) => threadsFor({ text, file: bytes }),
  };
}

function reportRows({ part, leftOut, report }: Checked, { logs, unreadable }: Found): void {
  const name = `part ${part.part} ("${part.entry}")`;
  for (const { altered, positions } of [logs, unreadable])
    if (0 < altered)
      report({
        ...{ code: 'ROWS_ALTERED', part: part.part, positions },
        message: `${altered} rows of ${name} are not what their records say: ${listed(positions, altered)}`,
      });
  if (0 < logs.terms)
    report({
      ...{ code: 'TERMS_ALTERED', part: part.part, positions: logs.termPositions },
      message: `${logs.terms} logs of ${name} have other terms than their texts: ${listed(logs.termPositions, logs.terms)}`,
    });
  if (logs.records !== part.logs + leftOut || unreadable.records !== part.unreadable)
    report({
      ...{ code: 'ROWS_MISCOUNTED', part: part.part },
      message: `The original of ${name} holds ${logs.records} logs and ${unreadable.records} unreadable records; the case knows of ${part.logs + leftOut} and ${part.unreadable}`,
    });
}

function listed(positions: readonly number[], count: number): string {
  return `record ${positions.join(', ')}${positions.length < count ? ', …' : ''}`;
}
