import type { Case } from '../file/case.ts';
import { type LogFile, namedSource, openIncomingFile, type StoredFile, toFileError } from './evidence.ts';
import { readSource, sourceLength } from './source.ts';

/** A file that is read once, and stored meanwhile. Disposal removes it unless it was stored. */
export interface SinglePassFile extends AsyncDisposable {
  /** File name without folders. */
  readonly name: string;
  /** Number of bytes when it was opened. */
  readonly bytes: number;
  /** Yields its bytes, once. Earlier chunks are written when the next one is yielded. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Stores the bytes read, up to the end, under their hash, as `IncomingFile` does. */
  readonly store: (sha256: string) => Promise<StoredFile>;
}

/** Opens a file to be stored with a case, as `storeFile` does: the bytes read are the bytes stored. */
export async function openSinglePassFile(into: Case, file: LogFile): Promise<SinglePassFile> {
  const { name, source } = namedSource(file);
  const length = await sourceLength(source).catch(fail);
  const incoming = await openIncomingFile(into, { name, source });
  let bytes = 0;
  let isWhole = false;
  return {
    name,
    bytes: length,
    read,
    store,
    [Symbol.asyncDispose]: () => incoming[Symbol.asyncDispose](),
  };

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of readSource(source)) {
        const written = incoming.write(chunk);
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

  async function store(sha256: string): Promise<StoredFile> {
    if (!isWhole) throw new Error(`"${name}" must be read to its end before it is stored`);
    return { name, sha256, bytes, source: await incoming.store(sha256) };
  }

  function fail(error: unknown): never {
    throw toFileError(error, name);
  }
}
