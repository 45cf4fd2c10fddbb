import type { DuckDBConnection } from '@duckdb/node-api';
import { type NewAction, recordActions } from '../chain/actions.ts';
import {
  deleteParts,
  insertParts,
  nextNumbers,
  partAction,
  type StoredPart,
  unreadableDigests,
} from '../file/parts.ts';
import type { ConnectBeside } from '../file/transaction.ts';
import type { StoredFile } from '../originals/evidence.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import type { RecordBatch } from '../rows/record-batch.ts';
import { openPartWriter } from './part-writer.ts';
import type { ReadContext, ReadSummary } from './read-entry.ts';

/** Common context of adding the entries of one file. */
export interface AddContext extends ReadContext {
  readonly file: StoredFile;
  readonly job?: string;
}

/** Facts that each part of a file is stated with. */
type PartContext = Pick<AddContext, 'file' | 'job' | 'zone'>;

/**
 * Parts that are written in one transaction, one after the other, and listed together at its end: a
 * statement for each would take longer than the logs of a small entry. `finish` must have been
 * called before the transaction ends.
 */
export interface PartGroup extends AsyncDisposable {
  /** Adds records of an entry to the current part; `before` is the number of its records preceding the batch. */
  readonly add: (entry: FileEntry, batch: RecordBatch, before: number) => Promise<void>;
  /** Removes the records of the current part. */
  readonly discard: () => Promise<void>;
  /** Ends the current part and returns it. */
  readonly end: (context: PartContext, entry: FileEntry, read: ReadSummary) => StoredPart;
  /** Removes an earlier part, which the latest one replaces. */
  readonly replace: (part: number) => void;
  /** Records an action after those of the parts so far. */
  readonly record: (action: NewAction) => void;
  /** Lists the parts, and records the actions. */
  readonly finish: () => Promise<void>;
}

/** Expectations of a group. */
export interface PartGroupOptions {
  /** Opens further connections, for many logs. */
  readonly beside?: ConnectBeside | undefined;
  /** Expected total of inflated bytes, if known. */
  readonly likelyBytes?: number | undefined;
}

/** Opens a group within the transaction of a connection, which is busy until disposal. */
export async function openPartGroup(
  connection: DuckDBConnection,
  options: PartGroupOptions = {},
): Promise<PartGroup> {
  const writer = await openPartWriter(connection, options);
  let numbers = await nextNumbers(connection);
  let isBegun = false;
  const parts: StoredPart[] = [];
  const replaced: number[] = [];
  const actions: ((digests: ReadonlyMap<number, string>) => NewAction)[] = [];
  return { add, discard, end, replace, record, finish, [Symbol.asyncDispose]: writer[Symbol.asyncDispose] };

  async function add(entry: FileEntry, batch: RecordBatch, before: number): Promise<void> {
    if (!isBegun) writer.beginPart({ part: numbers.part, entry: entry.name, firstId: numbers.id });
    isBegun = true;
    await writer.add(batch, before);
  }

  async function discard(): Promise<void> {
    if (isBegun) await writer.discardPart();
    isBegun = false;
  }

  function end({ file, job, zone }: PartContext, entry: FileEntry, read: ReadSummary): StoredPart {
    const { part: number, id: firstId } = numbers;
    const part = {
      ...read,
      ...{ part: number, entry: entry.name, entryNumber: entry.number },
      file: file.name,
      fileSha256: file.sha256,
      ...(job !== undefined && { job }),
      added: Date.now(),
      ...(zone && { zone: zone.name }),
    };
    numbers = { part: number + 1, id: firstId + part.logs };
    isBegun = false;
    parts.push(part);
    actions.push((digests) =>
      partAction('add part', part, { firstId, unreadableSha256: digests.get(number) }),
    );
    return part;
  }

  function replace(part: number): void {
    replaced.push(part);
    record({ action: 'remove part', details: { part } });
  }

  function record(action: NewAction): void {
    actions.push(() => action);
  }

  async function finish(): Promise<void> {
    await writer.finish();
    if (0 < replaced.length) await deleteParts(connection, replaced);
    await insertParts(connection, parts);
    const digests = await unreadableDigests(connection, parts);
    await recordActions(
      connection,
      actions.map((toAction) => toAction(digests)),
    );
  }
}
