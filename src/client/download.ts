import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { pauseAfter } from './back-off.ts';
import type { Client } from './client.ts';
import { ClientError, shown } from './client-error.ts';
import { toNetworkError } from './network-error.ts';
import { openUpload, type Upload } from './open-upload.ts';

export interface DownloadOptions {
  /** The address of the upload: the result of the finished job. */
  readonly upload: string;
  /** The file to write. One that exists is replaced; after a failure there is none. */
  readonly path: string;
  /** Told how many bytes have arrived. The count begins anew when the download does. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<DownloadLimits>;
}

/** What a download may cost. */
export interface DownloadLimits {
  /** How often it is begun at most, when it breaks off. Default 3. */
  readonly attempts: number;
  /** Default 4 GB: 10,000 logs with stack traces take some 2 MB. */
  readonly bytes: number;
  /** For one attempt, however slowly it goes on. Default one hour. */
  readonly milliseconds: number;
}

const defaultLimits: DownloadLimits = { attempts: 3, bytes: 4_000_000_000, milliseconds: 3_600_000 };

/** A file that arrived. */
export interface Downloaded {
  readonly bytes: number;
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** Downloads the zip of a finished export into a file. One that breaks off is begun anew. */
export async function download(client: Client, options: DownloadOptions): Promise<Downloaded> {
  const limits = { ...defaultLimits, ...options.limits };
  for (let attempt = 1; ; attempt += 1) {
    const upload = await openUpload(client, options);
    try {
      return await keep(upload, options, limits);
    } catch (error) {
      await rm(options.path, { force: true });
      options.signal?.throwIfAborted();
      if (attempt === limits.attempts || !brokeOff(error)) throw error;
      await client.clock.sleep(pauseAfter(attempt, pauses, Math.random), options.signal);
    }
  }
}

const pauses = { first: 500, longest: 5000, growth: 2 };

function brokeOff(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'UNREACHABLE';
}

/** Writes a zip to its file while it arrives. */
async function keep(
  { address, zip }: Upload,
  options: DownloadOptions,
  limits: DownloadLimits,
): Promise<Downloaded> {
  const { path, onBytes, signal } = options;
  const deadline = AbortSignal.timeout(limits.milliseconds);
  const file = await onDisk(path, () => open(path, 'w'));
  const hash = createHash('sha256');
  let bytes = 0;
  const sink = new WritableStream<Uint8Array>({
    async write(chunk) {
      bytes += chunk.length;
      if (limits.bytes < bytes) {
        throw new ClientError(
          'BAD_REPLY',
          `The zip at "${shown(address)}" is larger than ${limits.bytes} bytes`,
        );
      }
      hash.update(chunk);
      await onDisk(path, () => file.appendFile(chunk));
      onBytes?.(bytes);
    },
  });
  try {
    await zip.pipeTo(sink, { signal: AbortSignal.any([deadline, ...(signal ? [signal] : [])]) });
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.aborted) throw toNetworkError(error, address);
    const limit = limits.milliseconds / 1000;
    throw new ClientError('TIMED_OUT', `The download from "${shown(address)}" took longer than ${limit} s`);
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function onDisk<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError('UNWRITABLE', `The file "${path}" could not be written: ${reason}`, { cause });
  }
}
