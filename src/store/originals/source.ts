import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** Where the bytes of a file are. */
export type Source = { readonly path: string } | { readonly bytes: Uint8Array };

/** Larger chunks than a stream's own: with 16 KiB, reading a zip takes twice the time. */
export const chunkLength = 256 * 1024;

/** Of many small files, chunks for large ones would keep the garbage collector busy. What is no file has no size. */
function chunkFor(size: number): number {
  return 0 < size ? Math.min(chunkLength, size) : chunkLength;
}

/** The bytes of a file, in chunks that have memory of their own. */
export async function* readSource(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  if ('path' in source) {
    const { size } = await stat(source.path);
    yield* createReadStream(source.path, { highWaterMark: chunkFor(size) }) as AsyncIterable<Uint8Array>;
    return;
  }
  for (let from = 0; from < source.bytes.length; from += chunkLength)
    yield source.bytes.subarray(from, from + chunkLength);
}

/**
 * The bytes of a file in two buffers that are used again and again: a chunk is
 * good until the next one is asked for, which is read meanwhile. Copying a
 * large file so leaves nothing for the garbage collector.
 */
export async function* readInPlace(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
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
    // Whoever asks for the next chunk hears of a failure; nobody has missed it until then.
    reading.catch(() => undefined);
    yield buffer.subarray(0, bytesRead);
    spare = buffer;
  }
}

/** The first bytes of a file, at most as many as asked for. */
export async function readStart(source: Source, length: number): Promise<Uint8Array> {
  if ('bytes' in source) return source.bytes.subarray(0, length);
  await using file = await open(source.path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(length));
  return buffer.subarray(0, bytesRead);
}

/** The last bytes of a file, at most as many as asked for. */
export async function readEnd(source: Source, length: number): Promise<Uint8Array> {
  if ('bytes' in source) return source.bytes.subarray(-length);
  await using file = await open(source.path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read({
    buffer: new Uint8Array(length),
    position: Math.max(0, size - length),
  });
  return buffer.subarray(0, bytesRead);
}

/** How many bytes a file has. */
export async function lengthOf(source: Source): Promise<number> {
  return 'bytes' in source ? source.bytes.length : (await stat(source.path)).size;
}
