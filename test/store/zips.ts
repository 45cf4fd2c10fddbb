import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip made by hand. What is not given is right. */
export interface RawEntry {
  /** As text in UTF-8, or as the bytes that stand for it. */
  readonly name: string | Uint8Array;
  readonly content: string | Uint8Array;
  /** 8 (deflate) by default. */
  readonly method?: number;
  readonly flags?: number;
  readonly size?: number;
  readonly checksum?: number;
  /** The bytes that are stored, in place of the compressed content. */
  readonly stored?: Uint8Array;
  /** Sizes and checksum stand behind the bytes, as of a zip that was written as a stream; with or without a signature. */
  readonly descriptor?: 'signed' | 'bare';
  /** Sizes and offset stand in the extra field of Zip64. */
  readonly zip64?: boolean;
}

/** Ways to write the end of a zip. */
interface ZipOptions {
  readonly comment?: string;
  readonly zip64?: boolean;
  /** The number of entries that it claims to have. */
  readonly claims?: number;
}

/**
 * The bytes of a zip, written without a library so that they can lie about
 * sizes, checksums, names and methods, and use what few writers do.
 */
export function toZip(
  entries: readonly RawEntry[],
  { comment = '', zip64 = false, claims }: ZipOptions = {},
): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const facts = factsOf(entry);
    const local = Buffer.concat([
      ...[Buffer.from([0x50, 0x4b, 3, 4]), commonPart(facts, entry.descriptor !== undefined), name],
      ...[facts.data, entry.descriptor ? descriptorOf(facts, entry.descriptor) : Buffer.alloc(0)],
    ]);
    directory.push(directoryEntry(facts, { name, offset, zip64: entry.zip64 ?? false }));
    files.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  return Buffer.concat([
    ...files,
    list,
    endOf({ count: claims ?? entries.length, offset, length: list.length, comment, zip64 }),
  ]);
}

interface Facts {
  readonly data: Buffer;
  readonly method: number;
  readonly flags: number;
  readonly checksum: number;
  readonly size: number;
  readonly nameLength: number;
}

function factsOf({ name, content, method = 8, flags = 0x800, stored, ...given }: RawEntry): Facts {
  const bytes = Buffer.from(content);
  return {
    data: Buffer.from(stored ?? (method === 8 ? deflateRawSync(bytes) : bytes)),
    method,
    flags: given.descriptor ? flags | 8 : flags,
    checksum: given.checksum ?? crc32(bytes),
    size: given.size ?? bytes.length,
    nameLength: Buffer.from(name).length,
  };
}

/** Common part of the local header and that of the directory, from the version on. */
function commonPart({ data, method, flags, checksum, size, nameLength }: Facts, isLater: boolean): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(flags, 2);
  common.writeUInt16LE(method, 4);
  if (!isLater) {
    common.writeUInt32LE(checksum, 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size, 18);
  }
  common.writeUInt16LE(nameLength, 22);
  return common;
}

function descriptorOf({ data, checksum, size }: Facts, kind: 'signed' | 'bare'): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(checksum, 4);
  descriptor.writeUInt32LE(data.length, 8);
  descriptor.writeUInt32LE(size, 12);
  return kind === 'signed' ? descriptor : descriptor.subarray(4);
}

function directoryEntry(
  facts: Facts,
  { name, offset, zip64 }: { readonly name: Buffer; readonly offset: number; readonly zip64: boolean },
): Buffer {
  const common = commonPart(facts, false);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  const extra = Buffer.alloc(zip64 ? 28 : 0);
  if (zip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    for (const [index, value] of [facts.size, facts.data.length, offset].entries())
      extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
    common.writeUInt32LE(0xffffffff, 14);
    common.writeUInt32LE(0xffffffff, 18);
    common.writeUInt16LE(extra.length, 24);
    tail.writeUInt32LE(0xffffffff, 10);
  }
  return Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, tail, name, extra]);
}

function endOf({
  count,
  offset,
  length,
  comment,
  zip64,
}: {
  readonly count: number;
  readonly offset: number;
  readonly length: number;
  readonly comment: string;
  readonly zip64: boolean;
}): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : count, 8);
  end.writeUInt16LE(zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : length, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  const last = Buffer.concat([end, Buffer.from(comment)]);
  if (!zip64) return last;
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) record.writeBigUInt64LE(BigInt(count), at);
  record.writeBigUInt64LE(BigInt(length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, last]);
}
