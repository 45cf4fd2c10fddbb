import { type AddedFile, type EntryNote, lossesOf, type StoredPart } from '../../case/index.ts';

/** Result of an export by one job. */
export interface ExportResult {
  readonly jobId: string;
  /** Size of the zip. */
  readonly bytes: number;
  readonly sha256: string;
  /** Logs in it. Zero is no failure: nothing matched. */
  readonly logs: number;
  /** Records that are stored but could not be parsed. */
  readonly unreadable: number;
  readonly parts: readonly StoredPart[];
  /** True if these are all requested logs, as far as can be known. */
  readonly complete: boolean;
  /** Reasons why logs are missing. */
  readonly gaps: readonly ExportGap[];
  /** Remarks on entries of the zip that are no gaps. */
  readonly notes: readonly EntryNote[];
}

/** A reason why logs are missing. */
export type ExportGap =
  /** The deployment returned as many logs as requested: the one sign that there are more. */
  | { readonly kind: 'capped'; readonly message: string }
  /** Fewer logs came than were asked for, and nothing shows that these are all. */
  | { readonly kind: 'short'; readonly message: string }
  /** An entry of the zip could not be loaded. */
  | { readonly kind: 'entry'; readonly entry: string; readonly message: string };

/**
 * Builds the result of a loaded zip that was requested with at most `num` logs.
 * `short`: why it may lack some all the same.
 */
export function toExportResult(
  file: AddedFile,
  {
    jobId,
    num,
    short,
  }: { readonly jobId: string; readonly num: number; readonly short?: string | undefined },
): Omit<ExportResult, 'notes'> {
  const { bytes, sha256, parts } = file;
  const logs = sum(parts.map((part) => part.logs));
  const unreadable = sum(parts.map((part) => part.unreadable));
  const gaps = [
    ...cappedAt(num, logs + unreadable),
    ...(short === undefined ? [] : [{ kind: 'short', message: short } as const]),
    ...lossesOf(parts).map((loss) => ({ kind: 'entry', ...loss }) as const),
  ];
  return { jobId, bytes, sha256, logs, unreadable, parts, complete: gaps.length === 0, gaps };
}

function cappedAt(num: number, records: number): readonly ExportGap[] {
  if (records < num) return [];
  const message = `The export is capped: ${num} logs were asked for and as many came, so there may be more`;
  return [{ kind: 'capped', message }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
