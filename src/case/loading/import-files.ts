import { type EntryNote, entryNotes, lossesOf } from '../contents/summary.ts';
import { type Case, readCase } from '../file/case.ts';
import { type Overlap, readParts, type StoredPart } from '../file/parts.ts';
import { buildIndex, indexState } from '../index/build.ts';
import type { LogFile } from '../originals/evidence.ts';
import { type AddedFile, type AddOptions, type AddProgress, addFiles } from './add-files.ts';
import { findOverlaps } from './overlaps.ts';

/** Options of importing files. */
export interface ImportOptions extends Omit<AddOptions, 'onProgress'> {
  /** True indexes the logs at the end if enough of them are not indexed. */
  readonly index?: boolean;
}

/** What happens during an import. */
export type ImportProgress =
  | ({ readonly stage: 'loading' } & AddProgress)
  /** A file could not be loaded; the others still are. */
  | { readonly stage: 'refused'; readonly file: LogFile; readonly error: Error }
  /** All files were loaded or refused. */
  | { readonly stage: 'loaded'; readonly result: ImportResult }
  /** Logs that are indexed, and all of them. */
  | { readonly stage: 'indexing'; readonly done: number; readonly total: number };

/** Result of importing files. */
export interface ImportResult {
  readonly added: readonly AddedFile[];
  readonly refused: readonly { readonly file: LogFile; readonly error: Error }[];
  /** Remarks on entries of zips that lose nothing. */
  readonly notes: readonly EntryNote[];
  /** Logs of the files that are in the case from another file, entry or reply too, or that were left out for that. */
  readonly overlaps: readonly NamedOverlap[];
  /** True if all logs of all files are in the case. */
  readonly isComplete: boolean;
}

/** Logs of a part that other parts have too. */
export interface NamedOverlap {
  /** The part, with the logs that are in the case. */
  readonly part: StoredPart;
  /** Its logs that are there too. */
  readonly logs: number;
  /** They were left out of the case. */
  readonly isLeftOut: boolean;
  /** The parts that have them, those with most of them first; the part itself if one of its replies has them. */
  readonly earlier: readonly { readonly part: StoredPart; readonly logs: number }[];
}

/**
 * Imports files into a case that is open for writing, and indexes its logs if that is asked for and worth it. A file
 * that cannot be read does not keep the others out. Rejects with the reason of the signal, and with a `StoreError` that
 * concerns the case.
 */
export async function importFiles(
  into: Case,
  files: readonly LogFile[],
  { index = false, ...options }: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const { signal } = options;
  const added: AddedFile[] = [];
  const refused: { file: LogFile; error: Error }[] = [];
  const onAdded = (progress: AddProgress) => onProgress({ stage: 'loading', ...progress });
  for await (const addition of addFiles(into, files, { ...options, onProgress: onAdded })) {
    if ('added' in addition) added.push(addition.added);
    else {
      const refusal = { file: addition.file, error: errorOfFile(addition.error) };
      refused.push(refusal);
      onProgress({ stage: 'refused', ...refusal });
    }
  }
  const parts = added.flatMap((file) => file.parts);
  const isComplete = refused.length === 0 && added.every((file) => lossesOf(file.parts).length === 0);
  const notes = await entryNotes(into, parts);
  const result = { added, refused, notes, overlaps: await overlapsOf(into, parts), isComplete };
  onProgress({ stage: 'loaded', result });
  if (index && (await paysOff(into)))
    await buildIndex(into, {
      isAlone: true,
      ...(signal && { signal }),
      onProgress: ({ done, total }) => onProgress({ stage: 'indexing', done, total }),
    });
  return result;
}

/** Returns the overlaps of parts of a case; by default of all. */
export async function overlapsOf(of: Case, parts?: readonly StoredPart[]): Promise<readonly NamedOverlap[]> {
  const leftOut = (parts ?? []).flatMap(({ overlap }) => overlap ?? []);
  const found = await findOverlaps(of, parts);
  if (leftOut.length + found.length === 0) return [];
  const byNumber = new Map(
    (await readCase(of, (connection) => readParts(connection))).map((part) => [part.part, part]),
  );
  const named =
    (isLeftOut: boolean) =>
    ({ part: number, logs, earlier }: Overlap) => {
      const part = byNumber.get(number);
      const others = earlier.flatMap(({ part: other, logs: count }) => {
        const known = byNumber.get(other);
        return known ? [{ part: known, logs: count }] : [];
      });
      return part ? [{ part, logs, isLeftOut, earlier: others }] : [];
    };
  return [...leftOut.flatMap(named(true)), ...found.flatMap(named(false))];
}

/** Failures of a single file, after which the others are still loaded. */
const ofTheFile: ReadonlySet<unknown> = new Set(['FILE_UNREADABLE', 'TRUNCATED_ZIP', 'BAD_ZIP', 'TOO_BIG']);

/** The error of a single file. Throws any other. */
function errorOfFile(error: unknown): Error {
  if (error instanceof Error && 'code' in error && ofTheFile.has(error.code)) return error;
  throw error;
}

/** Below this number of logs, a scan is as fast as an index for people. */
const enoughLogs = 10_000;

/** True if enough logs are not indexed to make an index worth its time. */
async function paysOff(into: Case): Promise<boolean> {
  const { logs, indexed } = await indexState(into);
  return enoughLogs <= logs - indexed;
}
