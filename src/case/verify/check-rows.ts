import { isNonLogFormat, parseZone } from '../../records/index.ts';
import type { StoredPart } from '../file/parts.ts';
import { type ReadContext, readFileEntry, type TakeBatch } from '../loading/read-entry.ts';
import { threadsForEntry } from '../loading/region-threads.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import type { PartDifferences, PartsComparison } from './compare-parts.ts';
import type { ReportDeviation } from './deviation.ts';

/** A part whose entry is read again. */
export interface PartToCheck {
  readonly part: StoredPart;
  readonly entry: FileEntry;
  /** Number of logs of the entry that do not belong in the case. */
  readonly leftOut: number;
  /** Id of its first log, if recorded. */
  readonly firstId: number | undefined;
  readonly report: ReportDeviation;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Reads the entry of a part again. Checks that its bytes have the recorded hash, and that every row of the part
 * matches its record. Rows are compared later, at the latest when the comparison is
 * finished.
 */
export async function checkRows(comparison: PartsComparison, checked: PartToCheck): Promise<void> {
  const { part } = checked;
  if (part.problem || !isRead(part)) {
    await readAgain(checked, async () => undefined);
    return;
  }
  // Ids are consecutive only if all logs of the entry are in the case.
  const firstId = checked.leftOut === 0 ? checked.firstId : undefined;
  comparison.beginPart({ part: part.part, entry: part.entry, firstId });
  if (await readAgain(checked, comparison.take))
    await comparison.endPart((found) => reportRows(checked, found));
  else comparison.abandonPart();
}

/** Reads the entry of a part again; returns whether it could be read. */
async function readAgain(checked: PartToCheck, take: TakeBatch): Promise<boolean> {
  const { part, entry, report } = checked;
  try {
    const { entrySha256: found } = await readFileEntry(rereading(checked, true), entry, take);
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

function altered({ part, entry }: StoredPart, problem: string) {
  return {
    code: 'ENTRY_ALTERED',
    part,
    message: `The entry "${entry}" of part ${part} was altered: ${problem}`,
  } as const;
}

/**
 * Reports if an entry was read for its logs when it was added. Non-log files may be detected
 * differently today.
 */
export function isRead({ format, problem }: StoredPart): boolean {
  return problem !== undefined || (format !== 'zip' && !isNonLogFormat(format));
}

/** Context to read the entry as when it was added, except for the filter by what the case had. */
export function rereading(
  { part, onBytes }: Pick<PartToCheck, 'part' | 'onBytes'>,
  thorough: ReadContext['thorough'] & {},
): ReadContext {
  const { zone: name, format, bytes } = part;
  const zone = name === undefined ? undefined : parseZone(name);
  return {
    ...(name !== undefined && zone && { zone: { name, zone } }),
    ...(format === 'upgrade' && { isWanted: () => true }),
    onBytes,
    onRecords: () => undefined,
    thorough,
    asLogs: isRead(part),
    threadsFor: ({ bytes: text }) => threadsForEntry({ text, file: bytes }),
  };
}

function reportRows({ part, leftOut, report }: PartToCheck, { logs, unreadable }: PartDifferences): void {
  const name = `part ${part.part} ("${part.entry}")`;
  for (const { altered, positions } of [logs, unreadable])
    if (0 < altered)
      report({
        ...{ code: 'ROWS_ALTERED', part: part.part, positions },
        message: `${altered} rows of ${name} differ from their records: ${listed(positions, altered)}`,
      });
  if (logs.records !== part.logs + leftOut || unreadable.records !== part.unreadable)
    report({
      ...{ code: 'ROWS_MISCOUNTED', part: part.part },
      message: `The original of ${name} holds ${logs.records} logs and ${unreadable.records} unreadable records; the case has ${part.logs + leftOut} and ${part.unreadable}`,
    });
}

function listed(positions: readonly number[], count: number): string {
  return `record ${positions.join(', ')}${positions.length < count ? ', …' : ''}`;
}
