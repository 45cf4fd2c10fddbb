import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip made by hand. What is not given is right. */
export interface RawEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** 8 (deflate) by default. */
  readonly method?: number;
  readonly flags?: number;
  readonly size?: number;
  readonly checksum?: number;
  /** The bytes that are stored, in place of the compressed content. */
  readonly stored?: Uint8Array;
}

/**
 * The bytes of a zip, written without a library so that they can lie about
 * sizes, checksums, names and methods.
 */
export function toZip(entries: readonly RawEntry[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content);
    const { method = 8, flags = 0x800 } = entry;
    const data = Buffer.from(entry.stored ?? (method === 8 ? deflateRawSync(content) : content));
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(entry.size ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, tail, name]));
    files.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, list, end]);
}
