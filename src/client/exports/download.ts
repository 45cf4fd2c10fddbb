import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Client } from '../calls/client.ts';
import { pauseAfter } from '../transport/back-off.ts';
import { addressWithoutQuery, ClientError } from '../transport/client-error.ts';
import { toNetworkError } from '../transport/network-error.ts';
import { withOwnSignal } from '../transport/own-signal.ts';
import { openUpload, type Upload } from './open-upload.ts';

export interface DownloadOptions {
  /** The address of the upload: the result of the finished job. */
  readonly upload: string;
  /** The file to write. Replaces an existing one; after a failure there is no file. */
  readonly path: string;
  /** Receives the number of bytes so far; each attempt starts from zero. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<DownloadLimits>;
}

/** Limits of a download. */
export interface DownloadLimits {
  /** Maximum number of attempts if the connection breaks. Default 3. */
  readonly attempts: number;
  /** Default 4 GB: 10,000 logs with stack traces take some 2 MB. */
  readonly bytes: number;
  /** Time limit of one attempt, even if bytes still arrive. Default one hour. */
  readonly milliseconds: number;
}

const defaultLimits: DownloadLimits = { attempts: 3, bytes: 4_000_000_000, milliseconds: 3_600_000 };

/** A downloaded file. */
export interface Downloaded {
  readonly bytes: number;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** Downloads the zip of a finished export into a file. Starts again if the connection breaks. */
export async function download(client: Client, options: DownloadOptions): Promise<Downloaded> {
  const { upload, path, onBytes = () => {} } = options;
  const limits = { ...defaultLimits, ...options.limits };
  return withOwnSignal(options.signal, async (signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const opened = await openUpload(client, { upload, signal });
      try {
        return await keep(opened, { path, onBytes, signal, limits });
      } catch (error) {
        await rm(path, { force: true });
        signal.throwIfAborted();
        if (attempt === limits.attempts || !brokeOff(error)) throw error;
        await client.clock.sleep(pauseAfter(attempt, pauses, Math.random), signal);
      }
    }
  });
}

const pauses = { first: 500, longest: 5000, growth: 2 };

function brokeOff(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'UNREACHABLE';
}

interface Keeping {
  readonly path: string;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
  readonly limits: DownloadLimits;
}

/** Writes a zip to its file while it arrives. */
async function keep(upload: Upload, { path, onBytes, signal, limits }: Keeping): Promise<Downloaded> {
  const hash = createHash('sha256');
  const file = await openFile(path, upload);
  let bytes = 0;
  const write = async (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (limits.bytes < bytes) throw tooLarge(upload, limits);
    hash.update(chunk);
    await onDisk(path, () => file.appendFile(chunk));
    onBytes(bytes);
  };
  const deadline = AbortSignal.timeout(limits.milliseconds);
  try {
    const sink = new WritableStream<Uint8Array>({ write });
    await upload.zip.pipeTo(sink, { signal: AbortSignal.any([deadline, signal]) });
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.aborted ? tooSlow(upload, limits) : toNetworkError(error, upload.address);
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function openFile(path: string, { zip }: Upload): Promise<FileHandle> {
  try {
    return await onDisk(path, () => open(path, 'w'));
  } catch (error) {
    await zip.cancel();
    throw error;
  }
}

function tooLarge({ address }: Upload, { bytes }: DownloadLimits): ClientError {
  return new ClientError(
    'BAD_REPLY',
    `The zip at "${addressWithoutQuery(address)}" is larger than ${bytes} bytes`,
  );
}

function tooSlow({ address }: Upload, { milliseconds }: DownloadLimits): ClientError {
  const seconds = milliseconds / 1000;
  return new ClientError(
    'TIMED_OUT',
    `The download from "${addressWithoutQuery(address)}" took longer than ${seconds} s`,
  );
}

async function onDisk<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError('UNWRITABLE', `The file "${path}" could not be written: ${reason}`, { cause });
  }
}
