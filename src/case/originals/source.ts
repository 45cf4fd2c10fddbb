import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { messageOf, StoreError } from '../../database/index.ts';

/** Location of the bytes of a file. */
export type ByteSource =
  | { readonly path: string }
  | { readonly bytes: Uint8Array }
  /** Path of a compressed copy, which is read as the bytes of its original. */
  | { readonly compressed: string };

/** Chunk size of reads. With the 16 KiB default of streams, reading a zip takes twice as long. */
export const chunkLength = 256 * 1024;

/** The least that zlib takes as the size of a chunk. */
const minChunkLength = 64;

/**
 * Returns the chunk size for a number of bytes, which may be a wrong claim. Large chunks for many small
 * files would keep the garbage collector busy. A non-file has no size.
 */
export function chunkFor(size: number): number {
  return 0 < size ? Math.min(chunkLength, Math.max(minChunkLength, size)) : chunkLength;
}

/** Yields the bytes of a file, in chunks that stay valid. Throws a `DamagedCopy` of a compressed copy. */
export async function* readSource(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if ('path' in source) {
    const { size } = await stat(source.path);
    yield* createReadStream(source.path, { highWaterMark: chunkFor(size) }) as AsyncIterable<Uint8Array>;
    return;
  }
  if ('bytes' in source) yield* chunksOf(source.bytes);
  else for await (const bytes of readCompressed(source.compressed)) yield* chunksOf(bytes);
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < bytes.length; from += chunkLength) yield bytes.subarray(from, from + chunkLength);
}

/**
 * Yields the bytes of a file in two reused buffers: a chunk is valid until the next request, and
 * the next one is read meanwhile. Copying a large file leaves nothing for the garbage collector.
 */
export async function* readReusingBuffers(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (!('path' in source)) {
    yield* readSource(source);
    return;
  }
  await using file = await open(source.path);
  const { size } = await file.stat();
  const length = chunkFor(size);
  let spare = new Uint8Array(length);
  let reading = file.read(new Uint8Array(length));
  for (;;) {
    const { bytesRead, buffer } = await reading;
    if (bytesRead === 0) return;
    reading = file.read(spare);
    // The next request for a chunk throws a failure; no unhandled rejection until then.
    reading.catch(() => undefined);
    yield buffer.subarray(0, bytesRead);
    spare = buffer;
  }
}

/** Returns the first bytes of a file, at most `length`. */
export async function readStart(source: ByteSource, length: number): Promise<Uint8Array> {
  if ('bytes' in source) return source.bytes.subarray(0, length);
  if ('compressed' in source) return (await firstOf(readCompressed(source.compressed))).subarray(0, length);
  await using file = await open(source.path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(length));
  return buffer.subarray(0, bytesRead);
}

async function firstOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const chunk of chunks) return chunk;
  return new Uint8Array(0);
}

/** Returns the length of a file in bytes. */
export async function sourceLength(source: ByteSource): Promise<number> {
  if ('compressed' in source) return await compressedLength(source.compressed);
  return 'bytes' in source ? source.bytes.length : (await stat(source.path)).size;
}

/**
 * Returns the time of the last change of a file: milliseconds since the epoch. Undefined for bytes, and for a copy, which
 * has a time of its own.
 */
export async function modifiedTime(source: ByteSource): Promise<number | undefined> {
  if (!('path' in source)) return undefined;
  // The subsequent reader reports a file that cannot be read.
  return (await stat(source.path).catch(() => undefined))?.mtimeMs;
}

/** The compressed copy of an original, open for reading its bytes at any position. */
interface CompressedCopy extends AsyncDisposable {
  /** Bytes of the original. */
  readonly length: number;
  /** Reads the original. Rejects with a `DamagedCopy`. */
  readonly read: ReadAt;
}

/** Members that are inflated side by side. */
const maxConcurrent = 2;

/** Yields the bytes of an original, a member at a time. Throws a `DamagedCopy`, or the system error. */
async function* readCompressed(path: string): AsyncGenerator<Uint8Array, void, undefined> {
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
async function compressedLength(path: string): Promise<number> {
  await using file = await open(path);
  let length = 0;
  for await (const { plain } of listMembers(file, path)) length += plain;
  return length;
}

/** Opens a compressed copy. Rejects with a `DamagedCopy`, or the system error. */
async function openCompressed(path: string): Promise<CompressedCopy> {
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

/** Reads into a buffer from a position; returns the number of bytes, 0 only at the end. */
type ReadAt = (target: Uint8Array, position: number) => Promise<number>;

/** Returns a reader of a file. It rejects with the system error. */
function readerOf(file: FileHandle): ReadAt {
  return async (target, position) => (await file.read(target, 0, target.length, position)).bytesRead;
}

/** Reads bytes; fewer only at the end. */
export async function readFully(read: ReadAt, position: number, length: number): Promise<Uint8Array> {
  const target = new Uint8Array(length);
  let end = 0;
  for (let more = 1; end < length && 0 < more; end += more)
    more = await read(target.subarray(end), position + end);
  return target.subarray(0, end);
}

/**
 * Bytes of an original in each member of its copy; the last one may have fewer. Members of a quarter of that take
 * 6 % more time to compress. A reader at any position inflates one.
 */
export const memberLength = 1024 * 1024;

/** Lengths of a member of a compressed copy. */
interface MemberLengths {
  /** Bytes of the member, including its header and its checksum. */
  readonly compressed: number;
  /** Bytes that it inflates to. */
  readonly plain: number;
}

/** Bytes of the header of a member. */
export const headerLength = 24;

/** Bytes of the header that zlib writes. */
const plainHeaderLength = 10;

/**
 * Start of each header (RFC 1952): deflated, with an extra field, without a time, compressed fast, of no particular
 * system. The extra field has one subfield of 8 bytes, "LQ": both lengths, so that a reader can skip the member.
 */
const headerStart = Uint8Array.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 4, 255, 12, 0, 0x4c, 0x51, 8, 0]);

/** The fastest level shrinks logs to a fifth. The next one takes 7 % longer and saves 4 %. */
const level = 1;

const compress = promisify(gzip);
const inflate = promisify(gunzip);

/** Compresses bytes, at most `memberLength` and not none, into a member, in another thread. */
export async function compressMember(plain: Uint8Array): Promise<Uint8Array> {
  // Chunks of a quarter: typical logs fit into one.
  const compressed = await compress(plain, { level, chunkSize: 1024 + (plain.length >> 2) });
  const member = new Uint8Array(headerLength - plainHeaderLength + compressed.length);
  member.set(headerStart);
  member.set(compressed.subarray(plainHeaderLength), headerLength);
  const lengths = new DataView(member.buffer, headerStart.length);
  lengths.setUint32(0, member.length, true);
  lengths.setUint32(4, plain.length, true);
  return member;
}

/** Returns the lengths in the header of a member; undefined if `compressMember` never writes such a header. */
function readMemberHeader(header: Uint8Array): MemberLengths | undefined {
  if (header.length < headerLength || headerStart.some((byte, at) => header[at] !== byte)) return undefined;
  const lengths = new DataView(header.buffer, header.byteOffset + headerStart.length);
  const [compressed, plain] = [lengths.getUint32(0, true), lengths.getUint32(4, true)];
  // Bytes that cannot be compressed take little more than their length.
  const isPossible = headerLength < compressed && compressed <= 2 * memberLength;
  return isPossible && 0 < plain && plain <= memberLength ? { compressed, plain } : undefined;
}

/**
 * Inflates a member, in another thread. Rejects if the bytes are not a member of these lengths, or do not have
 * their checksum.
 */
async function inflateMember(member: Uint8Array, { plain }: MemberLengths): Promise<Uint8Array> {
  // One byte more, so that zlib sees the end with the last byte.
  const bytes = await inflate(member, { chunkSize: Math.max(64, plain + 1), maxOutputLength: plain + 1 });
  // The length at the end: zlib ignores zeros behind a member.
  const stated = new DataView(member.buffer, member.byteOffset).getUint32(member.length - 4, true);
  if (bytes.length !== plain || stated !== plain) throw new Error('its length is not the stated one');
  return bytes;
}

/** The compressed copy of an original does not inflate to the bytes that were added. */
export class DamagedCopy extends StoreError {
  /** Part of a sentence: the file, the problem and its position. */
  readonly problem: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    const what = `its copy "${basename(path)}" is damaged: ${problem}`;
    super(
      'FILE_UNREADABLE',
      `An original cannot be read: ${what}. Put an undamaged copy in its place`,
      options,
    );
    this.problem = what;
  }
}

/** Bytes that can be read at any position. */
export interface RandomAccess extends AsyncDisposable {
  readonly length: number;
  readonly read: ReadAt;
}

/** Opens the bytes of a file. Rejects with a `DamagedCopy`, or the system error. */
export async function openRandomAccess(source: ByteSource): Promise<RandomAccess> {
  if ('bytes' in source) return accessTo(source.bytes);
  if ('compressed' in source) return await openCompressed(source.compressed);
  const file = await open(source.path);
  try {
    const { size } = await file.stat();
    return { length: size, read: readerOf(file), [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function accessTo(bytes: Uint8Array): RandomAccess {
  const read = async (target: Uint8Array, position: number) => {
    const found = bytes.subarray(position, position + target.length);
    target.set(found);
    return found.length;
  };
  return { length: bytes.length, read, [Symbol.asyncDispose]: async () => undefined };
}

/** Bytes of a block: those of about a hundred small entries, or of a thousand names. */
const blockLength = 64 * 1024;

/**
 * Reads by blocks, and keeps the last one. A small entry of a zip takes some reads of a few bytes, each as
 * expensive as that of a block.
 */
export class BlockReader {
  readonly #access: RandomAccess;
  #block: { readonly start: number; readonly bytes: Uint8Array } = { start: 0, bytes: new Uint8Array(0) };

  constructor(access: RandomAccess) {
    this.#access = access;
  }

  /** Returns bytes, which must not be changed. Rejects if there are fewer. */
  async bytesAt(position: number, length: number): Promise<Uint8Array> {
    const { start, bytes } = this.#block;
    if (start <= position && position + length <= start + bytes.length)
      return bytes.subarray(position - start, position - start + length);
    const found = await readFully(this.#access.read, position, Math.max(length, blockLength));
    if (found.length < length) throw new Error('it ends before its list of entries does');
    this.#block = { start: position, bytes: found };
    return found.subarray(0, length);
  }
}

/** Yields the bytes from `position` to before `end`, in chunks that stay valid. */
export async function* readRange(
  access: RandomAccess,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let position = start; position < end; ) {
    const target = new Uint8Array(Math.min(chunkLength, end - position));
    const bytesRead = await access.read(target, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield target.subarray(0, bytesRead);
  }
}

/**
 * Reports if the first four bytes of a file are those of a zip: a local header, or the directory of
 * an empty zip.
 */
export function isZip(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && (start[2] === 3 || start[2] === 5);
}

/** Reports if the first two bytes of a file are those of gzip. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}
