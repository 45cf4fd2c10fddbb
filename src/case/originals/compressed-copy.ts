import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../database/index.ts';
import { DamagedCopy } from './damaged-copy.ts';
import { headerLength, inflateMember, type MemberLengths, readMemberHeader } from './gzip-member.ts';
import { type ReadAt, readerOf, readFully } from './read-fully.ts';

/** The compressed copy of an original, open for reading its bytes at any position. */
export interface CompressedCopy extends AsyncDisposable {
  /** Bytes of the original. */
  readonly length: number;
  /** Reads the original. Rejects with a `DamagedCopy`. */
  readonly read: ReadAt;
}

/** Members that are inflated side by side. */
const maxConcurrent = 2;

/** Yields the bytes of an original, a member at a time. Throws a `DamagedCopy`, or the system error. */
export async function* readCompressed(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  await using file = await open(path);
  const inflating: Promise<Uint8Array>[] = [];
  for await (const member of listMembers(file, path)) {
    const inflated = readMember(file, path, member);
    // Its turn throws a failure; no unhandled rejection until then.
    inflated.catch(() => undefined);
    if (maxConcurrent <= inflating.push(inflated)) yield* inflating.splice(0, 1);
  }
  yield* inflating;
}

/** Returns the number of bytes of an original. Rejects with a `DamagedCopy`, or the system error. */
export async function compressedLength(path: string): Promise<number> {
  await using file = await open(path);
  let length = 0;
  for await (const { plain } of listMembers(file, path)) length += plain;
  return length;
}

/** Opens a compressed copy. Rejects with a `DamagedCopy`, or the system error. */
export async function openCompressed(path: string): Promise<CompressedCopy> {
  const file = await open(path);
  try {
    const members: PlacedMember[] = [];
    let length = 0;
    for await (const member of listMembers(file, path)) {
      members.push({ ...member, from: length });
      length += member.plain;
    }
    return { length, read: memberReader(file, path, members), [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A member of a copy. */
interface Member extends MemberLengths {
  /** Position of its header in the copy. */
  readonly position: number;
}

/** A member and the position of its first byte in the original. */
interface PlacedMember extends Member {
  readonly from: number;
}

/** Yields the members of a copy by their headers, without inflating them. */
async function* listMembers(file: FileHandle, path: string): AsyncGenerator<Member, void, undefined> {
  const { size } = await file.stat();
  for (let position = 0; position < size; ) {
    const lengths = readMemberHeader(await readFully(readerOf(file), position, headerLength));
    if (!lengths) throw new DamagedCopy(path, `at byte ${position} is no header that this program writes`);
    const end = position + lengths.compressed;
    if (size < end) throw new DamagedCopy(path, `it ends before byte ${end}`);
    yield { ...lengths, position };
    position = end;
  }
}

async function readMember(file: FileHandle, path: string, member: Member): Promise<Uint8Array> {
  const { position, compressed } = member;
  const bytes = await readFully(readerOf(file), position, compressed);
  try {
    return await inflateMember(bytes, member);
  } catch (cause) {
    throw new DamagedCopy(path, `the member at byte ${position} cannot be inflated: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Reads at any position. The last member stays in memory: subsequent reads are often close to each other. */
function memberReader(file: FileHandle, path: string, members: readonly PlacedMember[]): ReadAt {
  let last: { readonly member: PlacedMember; readonly bytes: Promise<Uint8Array> } | undefined;
  return async (target, position) => {
    const member = memberAt(members, position);
    if (!member) return 0;
    if (last?.member !== member) last = { member, bytes: readMember(file, path, member) };
    const bytes = await last.bytes;
    const found = bytes.subarray(position - member.from, position - member.from + target.length);
    target.set(found);
    return found.length;
  };
}

/** Returns the member with a byte of the original; undefined beyond the end. */
function memberAt(members: readonly PlacedMember[], position: number): PlacedMember | undefined {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { from = 0, plain = 0 } = members[middle] ?? {};
    if (from + plain <= position) low = middle + 1;
    else high = middle;
  }
  return members[low];
}
