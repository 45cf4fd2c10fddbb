import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { compressedLength, readCompressed } from './compressed-copy.ts';

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
