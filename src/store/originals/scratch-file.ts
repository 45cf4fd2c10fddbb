import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { messageOf, StoreError } from '../database/store-error.ts';
import { temporaryPath } from '../files/temporary-folder.ts';
import { chunkLength } from './source.ts';

/** A file for bytes that have to be read at any position. It has no name where the system allows that, so a kill leaves nothing. */
export interface ScratchFile {
  /** Appends bytes. Rejects as the chunks do, or with `STORE_FAILED`; what was appended until then is not used. */
  readonly append: (chunks: AsyncIterable<Uint8Array>) => Promise<ScratchRange>;
  readonly close: () => void;
}

/** Bytes of a scratch file. */
export interface ScratchRange {
  readonly reader: RandomAccessReader;
  readonly length: number;
}

/** A scratch file, made in the folder for temporary files with the first bytes. */
export function scratchFile(): ScratchFile {
  let opening: Promise<{ readonly handle: FileHandle; readonly path: string }> | undefined;
  let end = 0;
  return { append, close };

  async function append(chunks: AsyncIterable<Uint8Array>): Promise<ScratchRange> {
    opening ??= onDisk(create);
    const { handle } = await opening;
    const start = end;
    for await (const chunk of chunks) {
      // Positions from the start, so that nothing depends on what was read meanwhile.
      await onDisk(() => handle.write(chunk, 0, chunk.length, end));
      end += chunk.length;
    }
    const length = end - start;
    return { reader: new RangeReader(handle, { start, length }), length };
  }

  function close(): void {
    // Resolves once nothing reads from it any more.
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
  // An open file cannot be removed on Windows: there it goes with its closing.
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

/** Reads bytes of a scratch file as if they were a file of their own. */
class RangeReader extends RandomAccessReader {
  readonly #handle: FileHandle;
  readonly #range: { readonly start: number; readonly length: number };

  constructor(handle: FileHandle, range: { readonly start: number; readonly length: number }) {
    super();
    this.#handle = handle;
    this.#range = range;
  }

  /** Reads some bytes into a buffer, without a stream for each of many short reads. */
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

  /** The bytes from `from` to before `to`. Beyond the end of the range there are none, which the caller finds. */
  override _readStreamForRange(from: number, to: number): Readable {
    const { start, length } = this.#range;
    const range = { start: start + from, end: start + Math.min(to, length) };
    // A stream of the handle itself would close it when it is destroyed.
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
