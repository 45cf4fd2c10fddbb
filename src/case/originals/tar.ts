/** A member of a tar: a file with its bytes, or something that has none. */
export interface TarMember {
  readonly name: string;
  /** Offset of its bytes in the tar, and their number. */
  readonly position: number;
  readonly length: number;
  /** Time of the last change: milliseconds since the epoch. */
  readonly modified?: number | undefined;
  /** Folders, links and devices have no bytes of their own. */
  readonly isFile: boolean;
  /** Reason that its bytes are not read. */
  readonly problem?: string;
}

/** Bytes of a header, and the unit in which members are stored. */
export const tarBlock = 512;

/** Offsets of the fields of a header (POSIX.1-1988 "ustar", and the same of the older form). */
const field = {
  name: [0, 100],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 5],
  prefix: [345, 155],
} as const;

/** Types of members: files of both forms, and contiguous ones. */
const fileTypes: ReadonlySet<string> = new Set(['0', '\0', '7']);

/** Types whose bytes describe the member after them: pax headers, and long names and links of GNU. */
const descriptionTypes: ReadonlySet<string> = new Set(['x', 'g', 'L', 'K']);

/** Types of GNU whose bytes are not those of a file: sparse files, and parts of one in several volumes. */
const oddTypes: ReadonlyMap<string, string> = new Map([
  ['S', 'It is stored as a sparse file, which is not read: unpack the tar first'],
  ['M', 'It is the rest of a file of another volume: join the volumes, and unpack them first'],
]);

/** Maximum bytes of a description: a name, some times, and what else programs write. */
const longestDescription = 1024 * 1024;

/** Reports if the first 512 bytes of a file are the header of a tar: its checksum is right. */
export function isTar(start: Uint8Array): boolean {
  if (start.length < tarBlock) return false;
  const header = start.subarray(0, tarBlock);
  return isHeader(header) && header[0] !== 0 && sizeOf(header) !== undefined;
}

/**
 * Yields the members of a tar in their order, without their bytes. `read` returns bytes from a position on, fewer at
 * the end. A tar that is damaged or breaks off has a last member that says so.
 */
export async function* tarMembers(
  read: (position: number, length: number) => Promise<Uint8Array>,
  totalLength: number,
): AsyncGenerator<TarMember, void, undefined> {
  let described: Description = {};
  for (let position = 0; position < totalLength; ) {
    const header = await read(position, tarBlock);
    // Two blocks of zeros are the end, and whatever follows is padding. Joined tars go on behind it.
    if (header.every((byte) => byte === 0)) {
      position += tarBlock;
      continue;
    }
    const size = header.length === tarBlock && isHeader(header) ? sizeOf(header) : undefined;
    if (size === undefined) {
      yield damaged(position, totalLength);
      return;
    }
    const type = textOf(header, field.type) || '\0';
    const from = position + tarBlock;
    if (descriptionTypes.has(type)) {
      const bytes = await read(from, Math.min(size, longestDescription));
      if (type !== 'g') described = { ...described, ...descriptionOf(type, bytes) };
      position = from + paddedLength(size);
      continue;
    }
    const length = described.size ?? size;
    const problem = described.isSparse ? oddTypes.get('S') : oddTypes.get(type);
    const isFile = fileTypes.has(type) || oddTypes.has(type);
    const name = described.name ?? nameOf(header);
    // Old programs mark folders by the slash alone.
    const isFolder = type !== '7' && name.endsWith('/') && length === 0;
    yield {
      name,
      position: from,
      length,
      modified: modifiedOf(header),
      isFile: isFile && !isFolder,
      ...(problem !== undefined && { problem }),
    };
    // Links have a size of what they lead to, and no bytes.
    position = from + (isFile ? paddedLength(length) : type === '1' || type === '2' ? 0 : paddedLength(size));
    described = {};
  }
}

/** What stands before a member about it. */
interface Description {
  readonly name?: string;
  readonly size?: number;
  readonly isSparse?: boolean;
}

function damaged(position: number, totalLength: number): TarMember {
  const problem = `The tar is damaged at its byte ${position}: the ${totalLength - position} bytes from there on were not read. Get it again`;
  return { name: '(damaged)', position, length: totalLength - position, isFile: true, problem };
}

function paddedLength(length: number): number {
  return Math.ceil(length / tarBlock) * tarBlock;
}

/** Reports if the bytes of a header have its checksum; some programs summed signed bytes. */
function isHeader(header: Uint8Array): boolean {
  const [start, length] = field.checksum;
  const stated = octal(header, field.checksum);
  if (stated === undefined) return false;
  let [sum, signed] = [0, 0];
  for (const [at, byte] of header.entries()) {
    const value = start <= at && at < start + length ? 0x20 : byte;
    sum += value;
    signed += value < 128 ? value : value - 256;
  }
  return stated === sum || stated === signed;
}

/** Returns the size in a header: octal digits, or, of GNU, a binary number; undefined if it is neither. */
function sizeOf(header: Uint8Array): number | undefined {
  const [start, length] = field.size;
  if (header[start] !== 0x80) return octal(header, field.size);
  let size = 0;
  for (const byte of header.subarray(start + 1, start + length)) size = size * 256 + byte;
  return Number.isSafeInteger(size) ? size : undefined;
}

function modifiedOf(header: Uint8Array): number | undefined {
  const seconds = octal(header, field.modified);
  return seconds === undefined ? undefined : seconds * 1000;
}

function octal(header: Uint8Array, of: readonly [number, number]): number | undefined {
  const text = textOf(header, of).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function nameOf(header: Uint8Array): string {
  const name = textOf(header, field.name);
  const prefix = textOf(header, field.magic) === 'ustar' ? textOf(header, field.prefix) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

const decoder = new TextDecoder();

/** Returns the text of a field up to its first zero. */
function textOf(header: Uint8Array, [start, length]: readonly [number, number]): string {
  return untilZero(header.subarray(start, start + length));
}

function untilZero(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

function descriptionOf(type: string, bytes: Uint8Array): Description {
  if (type === 'L') return { name: untilZero(bytes) };
  if (type !== 'x') return {};
  const pax = paxRecords(bytes);
  const name = pax.get('GNU.sparse.name') ?? pax.get('path');
  const size = pax.get('size');
  return {
    ...(name !== undefined && { name }),
    ...(size !== undefined && /^\d+$/.test(size) && { size: Number(size) }),
    ...([...pax.keys()].some((key) => key.startsWith('GNU.sparse.')) && { isSparse: true }),
  };
}

/** Reads the records of a pax header, each "LENGTH KEY=VALUE" and a line feed; the length counts all of it, in bytes. */
function paxRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let from = 0; from < bytes.length; ) {
    const length = Number.parseInt(decoder.decode(bytes.subarray(from, from + 20)), 10);
    if (!(0 < length)) break;
    const record = decoder.decode(bytes.subarray(from, from + length));
    const [, key, value] = /^\d+ ([^=]+)=([\s\S]*)\n$/.exec(record) ?? [];
    if (key !== undefined && value !== undefined) records.set(key, value);
    from += length;
  }
  return records;
}
