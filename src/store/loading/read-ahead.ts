import { EntryProblem } from '../originals/entry-problem.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import { type Adding, type GivenEntry, given } from './add-entry.ts';
import type { OpenKept } from './open-kept.ts';
import { type Read, ReadAlone, readEntry, type TakeBatch } from './read-entry.ts';
import type { RecordBatch } from './record-batch.ts';

/** Inflated bytes of a file that may be read ahead: some thousands of logs, of which several such files can be held. */
const mostBytes = 8 * 1024 * 1024;

/** Records of a file that may be read ahead: of short ones, many are in few bytes. */
const mostRecords = 50_000;

/**
 * The missing entries of a small file, read before it is its turn to be
 * written. Undefined where it has to be read when its turn comes: it is not
 * small, or what it holds depends on what the case has by then.
 */
export async function readAhead({
  adding,
  missing,
  claimedBytes,
}: OpenKept): Promise<readonly GivenEntry[] | undefined> {
  if (mostBytes < claimedBytes) return undefined;
  const room = { bytes: mostBytes, records: mostRecords };
  const ahead: GivenEntry[] = [];
  for (const entry of missing) {
    const read = await readOne(adding, entry, room);
    if (!read) return undefined;
    ahead.push(read);
  }
  return ahead;
}

async function readOne(
  adding: Adding,
  entry: FileEntry,
  room: { bytes: number; records: number },
): Promise<GivenEntry | undefined> {
  const onBytes = (more: number) => {
    adding.onBytes(more);
    room.bytes -= more;
    if (room.bytes < 0) throw new ReadAlone();
  };
  const batches: Parameters<TakeBatch>[] = [];
  const hold = async (batch: RecordBatch, before: number) => {
    room.records -= batch.logs.rows + batch.unreadable.rows;
    if (room.records < 0) throw new ReadAlone();
    batches.push([batch, before]);
  };
  try {
    const read = await readEntry({ ...adding, onBytes, isTogether: true }, entry, hold);
    return { entry, give: (take) => giveAll(batches, take, read) };
  } catch (error) {
    if (error instanceof ReadAlone) return undefined;
    if (error instanceof EntryProblem) return given({ entry, problem: error.problem });
    throw error;
  }
}

async function giveAll(
  batches: readonly Parameters<TakeBatch>[],
  take: TakeBatch,
  read: Read,
): Promise<Read> {
  for (const [batch, before] of batches) await take(batch, before);
  return read;
}
