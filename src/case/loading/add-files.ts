import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../database/index.ts';
import { type Case, loadIntoCase } from '../file/case.ts';
import type { ConnectBeside } from '../file/transaction.ts';
import { type LogFile, releaseFiles, type StoredFile } from '../originals/evidence.ts';
import type { AddedFile, AddOptions } from './add-options.ts';
import { type AddedWholeFile, addFileAction, insertFiles, toAddedFile } from './open-stored-file.ts';
import { openPartGroup, type PartGroup } from './part-group.ts';
import { readAhead } from './read-ahead.ts';
import { type FileEnd, maxWaitingBytes, readFiles, type Step } from './read-files.ts';

/** Result of adding one of several files. */
export type Addition =
  | { readonly file: LogFile; readonly added: AddedFile }
  /** The error that `addFile` would have rejected with. */
  | { readonly file: LogFile; readonly error: unknown };

/**
 * Adds a log file to a case: a zip of entries in any supported format, or one bare entry. The
 * original is stored unmodified beside the case: before loading or, if it is large and bare, during
 * it. An unreadable entry does not stop the others: its part states the problem.
 *
 * Rejects with the signal's reason, or a `StoreError`: `FILE_NOT_FOUND`, `FILE_UNREADABLE`,
 * `TRUNCATED_ZIP`, `BAD_ZIP`, `TOO_BIG`, `READ_ONLY`, `STORE_FAILED`. A file of which nothing was
 * loaded leaves nothing behind.
 *
 * ```ts
 * const { parts } = await addFile(incident, 'logs.zip');
 * for (const { message } of lossesOf(parts)) console.warn(message);
 * ```
 */
export async function addFile(into: Case, file: LogFile, options: AddOptions = {}): Promise<AddedFile> {
  for await (const addition of addFiles(into, [file], options)) {
    if ('error' in addition) throw addition.error;
    return addition.added;
  }
  throw new Error('A file was neither added nor refused');
}

/**
 * Adds files to a case in order, as `addFile` adds each. Small files share transactions. Files are
 * stored and read while earlier ones are written.
 *
 * Rejects if the case is not writable: `READ_ONLY`, `STORE_FAILED`.
 *
 * ```ts
 * for await (const addition of addFiles(incident, ['a.zip', 'b.ndjson']))
 *   if ('error' in addition) console.error(addition.file, addition.error);
 * ```
 */
export async function* addFiles(
  into: Case,
  files: readonly LogFile[],
  options: AddOptions = {},
): AsyncGenerator<Addition, void, undefined> {
  if (into.access === 'read') throw new StoreError('READ_ONLY', `"${into.path}" was opened for reading only`);
  const held = new Map<number, StoredFile>();
  const steps = readAhead<Step>(maxWaitingBytes, (put) => readFiles({ into, files, options, held }, put));
  try {
    for await (const first of steps) {
      if (first.kind === 'commit') continue;
      const ends =
        first.kind === 'end'
          ? [first]
          : await loadIntoCase(into, (connection, beside) => write(connection, beside, { first, steps }));
      await release(into, held, ends);
      for (const { number, result } of ends) yield { file: files[number] ?? '', ...result };
    }
  } finally {
    await steps.return();
    await releaseFiles(into, [...held.values()]);
  }
}

/** Releases files whose presence in the case is decided. */
async function release(into: Case, held: Map<number, StoredFile>, ends: readonly FileEnd[]): Promise<void> {
  const decided = ends.flatMap(({ number }) => held.get(number) ?? []);
  for (const { number } of ends) held.delete(number);
  await releaseFiles(into, decided);
}

/** The first step of a transaction, and those that follow. */
interface Steps {
  readonly first: Step;
  readonly steps: AsyncIterator<Step, void>;
}

/** Follows steps up to the end of a transaction; returns the files that end in it. */
async function write(
  connection: DuckDBConnection,
  beside: ConnectBeside,
  { first, steps }: Steps,
): Promise<readonly FileEnd[]> {
  const likelyBytes = first.kind === 'records' ? first.likelyBytes : undefined;
  await using group = await openPartGroup(connection, { beside, likelyBytes });
  const files: AddedWholeFile[] = [];
  const ends: FileEnd[] = [];
  for (let step: Step | undefined = first; step && step.kind !== 'commit'; step = await nextOf(steps)) {
    if (step.kind === 'records') await group.add(step.entry, step.batch, step.before);
    else if (step.kind === 'discard') await group.discard();
    else if (step.kind === 'read') addPart(group, step);
    else if (step.kind === 'whole') addWhole(step);
    else ends.push(step);
  }
  await group.finish();
  await insertFiles(connection, files);
  return ends;

  function addWhole({ number, opened }: Extract<Step, { kind: 'whole' }>): void {
    const added = toAddedFile(opened);
    ends.push({ kind: 'end', number, result: { added } });
    if (opened.already) return;
    const file = { context: opened.context, parts: added.parts, added: Date.now() };
    files.push(file);
    group.record(addFileAction(file));
  }
}

async function nextOf(steps: AsyncIterator<Step, void>): Promise<Step | undefined> {
  const { value } = await steps.next();
  return value ?? undefined;
}

/** Ends the part of an entry that was read. An earlier one, which failed, is replaced. */
function addPart(group: PartGroup, { opened, entry, read }: Extract<Step, { kind: 'read' }>): void {
  const replaced = opened.parts.get(entry.number);
  opened.parts.set(entry.number, group.end(opened.context, entry, read));
  if (replaced) group.replace(replaced.part);
}
