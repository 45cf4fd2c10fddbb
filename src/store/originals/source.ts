import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** Location of the bytes of a file. */
export type ByteSource = { readonly path: string } | { readonly bytes: Uint8Array };

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

/** Yields the bytes of a file, in chunks that own their memory. */
export async function* readSource(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if ('path' in source) {
    const { size } = await stat(source.path);
    yield* createReadStream(source.path, { highWaterMark: chunkFor(size) }) as AsyncIterable<Uint8Array>;
    return;
  }
  for (let from = 0; from < source.bytes.length; from += chunkLength)
    yield source.bytes.subarray(from, from + chunkLength);
}

/**
 * Yields the bytes of a file in two reused buffers: a chunk is valid until the next request, and
 * the next one is read meanwhile. Copying a large file leaves nothing for the garbage collector.
 */
export async function* readReusingBuffers(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if ('bytes' in source) {
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
  await using file = await open(source.path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(length));
  return buffer.subarray(0, bytesRead);
}

/** Returns the last bytes of a file, at most `length`. */
export async function readEnd(source: ByteSource, length: number): Promise<Uint8Array> {
  if ('bytes' in source) return source.bytes.subarray(-length);
  await using file = await open(source.path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read({
    buffer: new Uint8Array(length),
    position: Math.max(0, size - length),
  });
  return buffer.subarray(0, bytesRead);
}

/** Returns the length of a file in bytes. */
export async function sourceLength(source: ByteSource): Promise<number> {
  return 'bytes' in source ? source.bytes.length : (await stat(source.path)).size;
}
