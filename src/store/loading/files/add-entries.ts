import type { DuckDBConnection } from '@duckdb/node-api';
import { isDriverError, loadIntoCase, writeToCase } from '../../case/case.ts';
import type { StoredPart } from '../../case/parts.ts';
import type { FileEntry } from '../../originals/file-entry.ts';
import { openPartGroup, type PartGroup, writeEntry } from '../entries/part-group.ts';
import { MustReadAlone } from '../entries/read-entry.ts';
import type { AddContext } from '../entries/write-part.ts';
import { maxSharedEntries } from './large-file.ts';
import { type OpenStoredFile, recordFile } from './open-stored-file.ts';

/**
 * Claimed bytes of entries that share a transaction: less than a second of work. A larger entry has
 * a transaction of its own.
 */
const maxGroupBytes = 16 * 1024 * 1024;

/**
 * Adds the missing entries of a file, small ones several to a transaction. The last transaction
 * also records the file. Returns the parts of all entries. After a failure or an abort, the entries
 * before are in the case.
 */
export async function addEntries(opened: OpenStoredFile): Promise<readonly StoredPart[]> {
  const { context, entries, present, missing, already } = opened;
  const parts = new Map(present);
  const allParts = () => entries.flatMap(({ number }) => parts.get(number) ?? []);
  const recordWhole = async (connection: DuckDBConnection) => {
    if (!already) await recordFile(connection, { context, parts: allParts(), added: Date.now() });
  };
  for (let from = 0; from < missing.length; ) {
    const group = nextGroup(missing, from);
    const { added, failure } = await loadIntoCase(context.into, async (connection, beside) => {
      await using writer = await openPartGroup(connection, { beside, likelyBytes: claimedBytes(group) });
      const result = await writeGroup(writer, group, { context, parts });
      await writer.finish();
      if (from + result.added === missing.length) await recordWhole(connection);
      return result;
    });
    from += added;
    if (failure) throw failure.error;
  }
  if (missing.length === 0) await writeToCase(context.into, recordWhole);
  return allParts();
}

/** Returns the entries from an index on that share a transaction, at least one. */
function nextGroup(missing: readonly FileEntry[], from: number): readonly FileEntry[] {
  let bytes = 0;
  const group: FileEntry[] = [];
  for (const entry of missing.slice(from, from + maxSharedEntries)) {
    bytes += claimedBytes([entry]);
    if (0 < group.length && maxGroupBytes < bytes) break;
    group.push(entry);
  }
  return group;
}

function claimedBytes(entries: readonly FileEntry[]): number {
  return entries.reduce((sum, { bytes, claim }) => sum + (bytes ?? claim ?? 0), 0);
}

/** Number of entries of a group that were written, and the failure of the next one. */
interface GroupResult {
  readonly added: number;
  readonly failure?: { readonly error: unknown };
}

/** Writes entries in order, up to one that must be the first of its transaction, or that fails. */
async function writeGroup(
  writer: PartGroup,
  group: readonly FileEntry[],
  { context, parts }: { readonly context: AddContext; readonly parts: Map<number, StoredPart> },
): Promise<GroupResult> {
  for (const [added, entry] of group.entries()) {
    try {
      // The entries before are not in the case yet.
      const part = await writeEntry(writer, { ...context, isPrefetch: 0 < added }, entry);
      const replaced = parts.get(entry.number);
      if (replaced) writer.replace(replaced.part);
      parts.set(entry.number, part);
    } catch (error) {
      if (isDriverError(error)) throw error;
      return error instanceof MustReadAlone ? { added } : { added, failure: { error } };
    }
  }
  return { added: group.length };
}
