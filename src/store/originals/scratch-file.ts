import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { messageOf, StoreError } from '../database/store-error.ts';
import { temporaryPath } from '../files/temporary-folder.ts';
import { chunkLength } from './source.ts';

/**
 * A file for bytes that require random access. It has no name if the system allows that, so that a
 * killed process leaves nothing.
 */
export interface ScratchFile {
  /** Appends bytes. Rejects like the chunks, or with `STORE_FAILED`; partially appended bytes are unused. */
  readonly append: (chunks: AsyncIterable<Uint8Array>) => Promise<ScratchRange>;
  readonly close: () => void;
}

/** A range of bytes of a scratch file. */
export interface ScratchRange {
  readonly reader: RandomAccessReader;
  readonly length: number;
}

/** Creates a scratch file. The file itself is created in the temporary folder at the first append. */
export function scratchFile(): ScratchFile {
  let opening: Promise<{ readonly handle: FileHandle; readonly path: string }> | undefined;
  let end = 0;
  return { append, close };

  async function append(chunks: AsyncIterable<Uint8Array>): Promise<ScratchRange> {
    opening ??= onDisk(create);
    const { handle } = await opening;
    const start = end;
    for await (const chunk of chunks) {
      // Explicit positions, independent of concurrent reads.
      await onDisk(() => handle.write(chunk, 0, chunk.length, end));
      end += chunk.length;
    }
    const length = end - start;
    return { reader: new RangeReader(handle, { start, length }), length };
  }

  function close(): void {
    // Runs after pending reads.
    opening
      ?.then(async ({ handle, path }) => {
        await handle.close();
        await rm(path, { force: true });
      })
      .catch(() => undefined);
  }
}

async function create(): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  const path = await temporaryPath();
  const handle = await open(path, 'wx+', 0o600);
  // Windows cannot remove an open file: it is removed at closing.
  await rm(path).catch(() => undefined);
  return { handle, path };
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreError('STORE_FAILED', `A zip within a zip cannot be unpacked: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Reads a range of a scratch file as a file of its own. */
class RangeReader extends RandomAccessReader {
  readonly #handle: FileHandle;
  readonly #range: { readonly start: number; readonly length: number };

  constructor(handle: FileHandle, range: { readonly start: number; readonly length: number }) {
    super();
    this.#handle = handle;
    this.#range = range;
  }

  /** Reads bytes into a buffer, without a stream for each of many short reads. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const isInside = position + length <= this.#range.length;
    const reading = isInside
      ? this.#handle.read(buffer, offset, length, this.#range.start + position)
      : Promise.reject(new Error('it ends before its list of entries does'));
    reading.then(
      () => callback(null),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /**
   * Streams the bytes from `from` to before `to`. Yields none beyond the end of the range, which
   * the caller detects.
   */
  override _readStreamForRange(from: number, to: number): Readable {
    const { start, length } = this.#range;
    const range = { start: start + from, end: start + Math.min(to, length) };
    // A stream of the handle itself would close it on destruction.
    return Readable.from(readRange(this.#handle, range), { objectMode: false });
  }
}

async function* readRange(
  handle: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let position = start; position < end; ) {
    const length = Math.min(chunkLength, end - position);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
