import { type AddedFile, type EntryNote, lossesOf, type Part } from '../store/index.ts';

/** What an export brought. */
export interface ExportResult {
  readonly jobId: string;
  /** The zip as it arrived. */
  readonly bytes: number;
  readonly sha256: string;
  /** The logs in it. None is no failure: nothing matched. */
  readonly logs: number;
  /** Records in it that are kept but could not be understood. */
  readonly unreadable: number;
  readonly parts: readonly Part[];
  /** Whether these are all the logs that the request asks for, as far as can be known. */
  readonly complete: boolean;
  /** Why they are not. */
  readonly gaps: readonly Gap[];
  /** What is to be known of the entries of the zip, and is no reason. */
  readonly notes: readonly EntryNote[];
}

/** A reason why logs are missing. */
export type Gap =
  /** The deployment returned as many logs as were asked for: the one sign that there were more. */
  | { readonly kind: 'capped'; readonly message: string }
  /** Fewer logs came than were asked for, and nothing shows that these are all. */
  | { readonly kind: 'short'; readonly message: string }
  /** An entry of the zip could not be loaded. */
  | { readonly kind: 'entry'; readonly entry: string; readonly message: string };

/** What a loaded zip says of the export that made it, which asked for at most `num` logs. `short`: why it may lack some all the same. */
export function resultOf(
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

function cappedAt(num: number, records: number): readonly Gap[] {
  if (records < num) return [];
  const message = `The export is capped: ${num} logs were asked for and as many came, so there may be more`;
  return [{ kind: 'capped', message }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
