import type { FileHandle } from 'node:fs/promises';

/** Reads into a buffer from a position; returns the number of bytes, 0 only at the end. */
export type ReadAt = (target: Uint8Array, position: number) => Promise<number>;

/** Returns a reader of a file. It rejects with the system error. */
export function readerOf(file: FileHandle): ReadAt {
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
