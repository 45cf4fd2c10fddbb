import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { openCompressed } from './compressed-copy.ts';
import { type ReadAt, readerOf, readFully } from './read-fully.ts';
import { type ByteSource, chunkLength } from './source.ts';

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
export class BlockReader extends RandomAccessReader {
  readonly #access: RandomAccess;
  #block: { readonly start: number; readonly bytes: Uint8Array } = { start: 0, bytes: new Uint8Array(0) };

  constructor(access: RandomAccess) {
    super();
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

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.bytesAt(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Streams the bytes from `start` to before `end`; none beyond the end, which the caller detects. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#access, start, Math.min(end, this.#access.length)), {
      objectMode: false,
    });
  }

  override close(callback: (error: Error | null) => void): void {
    this.#access[Symbol.asyncDispose]().then(
      () => callback(null),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

async function* readRange(
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
