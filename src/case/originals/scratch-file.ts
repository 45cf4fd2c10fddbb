import { type FileHandle, open, rm } from 'node:fs/promises';
import { messageOf, StoreError, temporaryPath } from '../../database/index.ts';
import type { RandomAccess } from './random-access.ts';

/**
 * A file for bytes that require random access. It has no name if the system allows that, so that a
 * killed process leaves nothing.
 */
export interface ScratchFile {
  /** Appends bytes. Rejects like the chunks, or with `STORE_FAILED`; partially appended bytes are unused. */
  readonly append: (chunks: AsyncIterable<Uint8Array>) => Promise<RandomAccess>;
  readonly close: () => void;
}

/** Creates a scratch file. The file itself is created in the temporary folder at the first append. */
export function scratchFile(): ScratchFile {
  let opening: Promise<{ readonly handle: FileHandle; readonly path: string }> | undefined;
  let end = 0;
  return { append, close };

  async function append(chunks: AsyncIterable<Uint8Array>): Promise<RandomAccess> {
    opening ??= onDisk(create);
    const { handle } = await opening;
    const start = end;
    for await (const chunk of chunks) {
      // Explicit positions, independent of concurrent reads.
      await onDisk(() => handle.write(chunk, 0, chunk.length, end));
      end += chunk.length;
    }
    return rangeOf(handle, { start, length: end - start });
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

/** Returns access to a range of a scratch file as a file of its own. */
function rangeOf(
  handle: FileHandle,
  { start, length }: { readonly start: number; readonly length: number },
): RandomAccess {
  const read = async (target: Uint8Array, position: number) => {
    const wanted = Math.max(0, Math.min(target.length, length - position));
    return wanted === 0 ? 0 : (await handle.read(target, 0, wanted, start + position)).bytesRead;
  };
  return { length, read, [Symbol.asyncDispose]: async () => undefined };
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
