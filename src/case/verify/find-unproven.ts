import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../database/index.ts';
import type { Case } from '../file/case.ts';
import type { StoredPart } from '../file/parts.ts';
import { readFileEntry, type TakeBatch } from '../loading/read-entry.ts';
import { DamagedCopy } from '../originals/damaged-copy.ts';
import { openEntries } from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import { hashSource, storedSource, toFileError } from '../originals/evidence.ts';
import type { FileEntry, OpenFile } from '../originals/file-entry.ts';
import type { ByteSource } from '../originals/source.ts';
import type { Original } from './check-files.ts';
import { isRead, rereading } from './check-rows.ts';
import { openPartsEquality, type PartsEquality } from './equal-parts.ts';
import type { ReadFacts } from './recorded-parts.ts';

/** Originals and parts to prove. */
export interface WorkToProve {
  readonly originals: readonly Original[];
  /** Parts by the hash of their original. */
  readonly parts: ReadonlyMap<string, readonly StoredPart[]>;
  readonly recorded: ReadonlyMap<number, ReadFacts>;
  /** Parts with more or fewer rows than recorded. */
  readonly miscounted: ReadonlySet<number>;
  /** Receives the number of bytes read of a file. */
  readonly onBytes: (file: string) => (bytes: number) => void;
}

/** What a fast check left unproven, altered or not. */
export interface Unproven {
  /** Hashes of originals. */
  readonly files: ReadonlySet<string>;
  readonly parts: ReadonlySet<number>;
}

/**
 * Proves that originals have their hashes, and that the rows of parts equal their records. It does not find how
 * others differ. The fast reader reads the records, and the reference reader a random sample of them.
 */
export async function findUnproven(
  of: Case,
  connection: DuckDBConnection,
  work: WorkToProve,
): Promise<Unproven> {
  const files = new Set<string>();
  const parts = new Set<number>();
  await using equality = await openPartsEquality(connection, (part) => void parts.add(part));
  for (const original of inOrderOfParts(work)) {
    const own = work.parts.get(original.sha256) ?? [];
    const onBytes = work.onBytes(original.name);
    const proof = { ...work, of, original, parts: own, equality, onBytes, onUnproven };
    if (!(await proveFile(proof))) files.add(original.sha256);
  }
  await equality.finish();
  return { files, parts };

  function onUnproven(part: number): void {
    parts.add(part);
  }
}

/** Parts with consecutive numbers are in the same row groups. */
function inOrderOfParts({ originals, parts }: WorkToProve): readonly Original[] {
  const first = ({ sha256 }: Original) => parts.get(sha256)?.[0]?.part ?? 0;
  return originals.toSorted((one, other) => first(one) - first(other));
}

interface Proof extends Pick<WorkToProve, 'recorded' | 'miscounted'> {
  readonly of: Case;
  readonly original: Original;
  readonly parts: readonly StoredPart[];
  readonly equality: PartsEquality;
  readonly onBytes: (bytes: number) => void;
  readonly onUnproven: (part: number) => void;
}

/** Proves the parts of an original; returns whether its bytes have their hash. */
async function proveFile(proof: Proof): Promise<boolean> {
  const { of, original } = proof;
  const source = storedSource(of, original.sha256);
  if (!source) return false;
  try {
    const opened = await openEntries(original.name, source);
    try {
      return await proveEntries(proof, opened, source);
    } finally {
      opened.close();
    }
  } catch (error) {
    const isDamaged =
      error instanceof DamagedCopy ||
      (error instanceof StoreError && (error.code === 'BAD_ZIP' || error.code === 'TRUNCATED_ZIP'));
    // The progress callback may abort.
    if (!isDamaged && toFileError(error, original.name) === error) throw error;
    proof.equality.abandonPart();
    return false;
  }
}

async function proveEntries(proof: Proof, { entries }: OpenFile, source: ByteSource): Promise<boolean> {
  const { original, onBytes } = proof;
  const hasHash = async () => (await hashSource(source, onBytes)).sha256 === original.sha256;
  const isArchive = entries.length !== 1 || entries.some(({ isInZip }) => isInZip);
  if (isArchive && !(await hasHash())) return false;
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  let isHashed = isArchive;
  for (const part of proof.parts) {
    const found = await provePart(proof, part, byNumber.get(part.entryNumber));
    // The only entry of a file has all its bytes.
    isHashed ||= found === original.sha256;
  }
  return isHashed || (await hasHash());
}

/** Proves a part; returns the hash of its entry if all of it was read. */
async function provePart(
  { recorded, miscounted, equality, onBytes, onUnproven }: Proof,
  part: StoredPart,
  entry: FileEntry | undefined,
): Promise<string | undefined> {
  const { leftOut = 0, firstId } = recorded.get(part.part) ?? {};
  if (entry?.name !== part.entry || 0 < leftOut || miscounted.has(part.part)) {
    onUnproven(part.part);
    return undefined;
  }
  const isCompared = !part.problem && isRead(part);
  if (isCompared) equality.beginPart({ part: part.part, entry: part.entry, firstId });
  const take: TakeBatch = isCompared ? equality.take : async () => undefined;
  try {
    const found = await readFileEntry(rereading({ part, onBytes }, 'sample'), entry, take);
    if (isCompared) await equality.endPart();
    const isCounted = found.logs === part.logs && found.unreadable === part.unreadable;
    const isSame = part.entrySha256 === undefined || part.entrySha256 === found.entrySha256;
    if (!isSame || (isCompared && !isCounted)) onUnproven(part.part);
    return found.entrySha256;
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    equality.abandonPart();
    // An entry that was refused when it was added is refused again.
    if (part.problem?.code !== error.problem.code) onUnproven(part.part);
    return undefined;
  }
}
