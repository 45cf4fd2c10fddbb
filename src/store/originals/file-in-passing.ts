import type { Case } from '../case/case.ts';
import { type KeptFile, type LogFile, namedSource, openArriving, toFileError } from './evidence.ts';
import { lengthOf, readSource } from './source.ts';

/** A file that is read once, and stored meanwhile. Disposal removes it unless it was stored. */
export interface FileInPassing extends AsyncDisposable {
  /** File name without folders. */
  readonly name: string;
  /** Number of bytes when it was opened. */
  readonly bytes: number;
  /** Yields its bytes, once. Earlier chunks are written when the next one is yielded. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Stores the bytes read, up to the end, under their hash, as `IncomingFile` does. */
  readonly keep: (sha256: string) => Promise<KeptFile>;
}

/** Opens a file to be stored with a case, as `storeFile` does: the bytes read are the bytes stored. */
export async function openInPassing(into: Case, file: LogFile): Promise<FileInPassing> {
  const { name, source } = namedSource(file);
  const length = await lengthOf(source).catch(fail);
  const arriving = await openArriving(into, { name, source });
  let bytes = 0;
  let isWhole = false;
  return { name, bytes: length, read, keep, [Symbol.asyncDispose]: () => arriving[Symbol.asyncDispose]() };

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of readSource(source)) {
        const written = arriving.write(chunk);
        // The next request for a chunk throws a failure; no unhandled rejection until then.
        written.catch(() => undefined);
        bytes += chunk.length;
        yield chunk;
        await written;
      }
      isWhole = true;
    } catch (error) {
      fail(error);
    }
  }

  async function keep(sha256: string): Promise<KeptFile> {
    if (!isWhole) throw new Error(`"${name}" was to be kept before it was read to its end`);
    return { name, sha256, bytes, source: await arriving.keep(sha256) };
  }

  function fail(error: unknown): never {
    throw toFileError(error, name);
  }
}
