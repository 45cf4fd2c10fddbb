import type { Case } from '../case/case.ts';
import { type KeptFile, type LogFile, namedSource, openArriving, toFileError } from './evidence.ts';
import { lengthOf, readSource } from './source.ts';

/** A file that is read once, and kept in passing. Nothing is left of it where it is not kept before it is disposed of. */
export interface FileInPassing extends AsyncDisposable {
  /** Its name without folders. */
  readonly name: string;
  /** How many bytes it had when it was opened. */
  readonly bytes: number;
  /** Its bytes, to be read once. Those that are behind were written when the next ones come. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Keeps what was read, to its end, under its hash, as `ArrivingFile` does. */
  readonly keep: (sha256: string) => Promise<KeptFile>;
}

/** Opens a file that is to be kept with a case as `keepFile` keeps it: what is read of it is what is kept. */
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
        // Whoever asks for the next chunk hears of a failure; nobody has missed it until then.
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
