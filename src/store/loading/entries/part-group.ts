import type { DuckDBConnection } from '@duckdb/node-api';
import {
  deleteParts,
  insertParts,
  nextNumbers,
  partAction,
  type StoredPart,
  unreadableDigests,
} from '../../case/parts.ts';
import type { ConnectBeside } from '../../case/transaction.ts';
import { type NewAction, recordActions } from '../../chain/actions.ts';
import { EntryProblem } from '../../originals/entry-problem.ts';
import type { FileEntry } from '../../originals/file-entry.ts';
import { openPartWriter } from './part-writer.ts';
import { readFileEntry } from './read-entry.ts';
import { type AddContext, type EntrySource, refusedEntrySource, toPart, writeRecords } from './write-part.ts';

/**
 * Parts that are written in one transaction, and listed together at its end: a statement for each
 * would take longer than the logs of a small entry. `finish` must have been called before the
 * transaction ends.
 */
export interface PartGroup extends AsyncDisposable {
  /** Writes an entry as one part. Rejects as its source does, and leaves nothing of the part then. */
  readonly write: (context: AddContext, source: EntrySource) => Promise<StoredPart>;
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
  const parts: StoredPart[] = [];
  const replaced: number[] = [];
  const actions: ((digests: ReadonlyMap<number, string>) => NewAction)[] = [];
  return { write, replace, record, finish, [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() };

  async function write(context: AddContext, source: EntrySource): Promise<StoredPart> {
    const part = await writeOrDiscard(context, source);
    const firstId = numbers.id;
    numbers = { part: part.part + 1, id: firstId + part.logs };
    parts.push(part);
    actions.push((digests) =>
      partAction('add part', part, { firstId, unreadableSha256: digests.get(part.part) }),
    );
    return part;
  }

  async function writeOrDiscard(context: AddContext, source: EntrySource): Promise<StoredPart> {
    const numbered = { ...source, ...numbers };
    try {
      return toPart(context, numbered, await writeRecords(writer, numbered));
    } catch (error) {
      // A write failure recurs here, and fails the transaction.
      await writer.discardPart();
      throw error;
    }
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

/** Reads an entry and writes it as one part; an unreadable one as a part that states the problem. */
export async function writeEntry(
  group: PartGroup,
  context: AddContext,
  entry: FileEntry,
): Promise<StoredPart> {
  try {
    return await group.write(context, { entry, feed: (take) => readFileEntry(context, entry, take) });
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    return await group.write(context, refusedEntrySource({ entry, problem: error.problem }));
  }
}
