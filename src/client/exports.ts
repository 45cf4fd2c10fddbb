import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import {
  downloadAddress,
  type ExportRequest,
  introducedIn,
  isSignInPage,
  type JobResource,
  jobIdsOf,
  jobResourceOf,
  jobsPath,
  logCountOf,
  ownAddress,
  reachableAddress,
  type SubmittedJob,
  submittedJobOf,
  toExportForm,
} from '../protocol/index.ts';
import {
  addressBelow,
  type CallOptions,
  type Client,
  callReading,
  plainForm,
  readJson,
  readResource,
} from './client.ts';
import { addressWithoutQuery, ClientError, type ClientErrorCode, toNetworkError } from './errors.ts';
import { pauseAfter, withOwnSignal } from './retry.ts';
import {
  type CallOrigin,
  hideIn,
  jsonOf,
  replyText,
  sinceVersion,
  type Transport,
  unexpectedReplyError,
} from './transport.ts';

/**
 * Submits an export and returns its job, with the address of its status. Never submits it twice: if
 * the connection breaks before the reply, the error says that the job may exist.
 *
 * ```ts
 * const { jobsUrl } = await submitExport(client, { ...newestLogsRequest, num: 1000 });
 * const job = await readJob(client, jobsUrl);
 * ```
 */
export async function submitExport(
  client: Client,
  request: ExportRequest,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SubmittedJob> {
  const address = client.addresses.exportLogs;
  const purpose = {
    failed: 'The export was not accepted',
    privilege: 'export logs',
    whenMissing: sinceVersion(introducedIn.exportLogs),
  };
  const origin = { address, purpose, hide: client.hide };
  // A login that fails here fails before the export: there is no doubt then whether a job exists.
  await client.signIn();
  const form = { method: 'POST', body: toExportForm(request) };
  const response = await withOwnSignal(signal, (own) =>
    send(client, new Request(address, { ...form, signal: own })),
  );
  const body = hideIn(await jsonOf(response, origin), client.hide);
  const job = submittedJobOf(body);
  const jobsUrl = job && reachableAddress(job.jobsUrl, client.addresses.root);
  if (!jobsUrl) throw unexpectedReplyError(body, 'a submitted job', origin);
  return { ...job, jobsUrl };
}

async function send(client: Client, request: Request): Promise<Response> {
  try {
    return await client.submit(request);
  } catch (error) {
    if (!(error instanceof ClientError && error.arrived)) throw error;
    const { code, message, cause } = error;
    const doubt = 'The export may have been started all the same, but its job is not known';
    throw new ClientError(code, `${message}. ${doubt}`, { cause });
  }
}

/**
 * The job at an address, as it is now. A job that failed is a job too: its `status` says so.
 *
 * ```ts
 * const job = await readJob(client, jobAddress(client, 'j1'));
 * ```
 */
export async function readJob(
  client: Client,
  jobsUrl: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<JobResource> {
  const named = reachableAddress(jobsUrl, client.addresses.root);
  if (!named) throw new ClientError('BAD_REPLY', 'The job has no address at which it could be asked for');
  const own = ownAddress(named, client.addresses.root);
  const read = (address: string) => readJobAt(client, address, signal);
  return own === undefined ? read(named) : readFirst([own, named], read);
}

/** Reads the first of some addresses that holds what is wanted; rejects with the error of the first. */
async function readFirst<T>(addresses: readonly string[], read: (address: string) => Promise<T>): Promise<T> {
  const errors: unknown[] = [];
  for (const address of addresses) {
    try {
      return await read(address);
    } catch (error) {
      if (!(error instanceof ClientError && notThere.includes(error.code))) throw errors[0] ?? error;
      errors.push(error);
    }
  }
  throw errors[0];
}

async function readJobAt(
  client: Client,
  address: string,
  signal: AbortSignal | undefined,
): Promise<JobResource> {
  const purpose = {
    failed: 'The job could not be read',
    privilege: 'see jobs',
    whenMissing: 'where the deployment has forgotten the job, the export can only be started anew',
  };
  const origin = { address, purpose, hide: client.hide };
  const form = new URLSearchParams({ f: 'json' });
  const response = await withOwnSignal(signal, (own) => readResource(client, address, { form, signal: own }));
  const body = hideIn(await jsonOf(response, origin), client.hide);
  const job = jobResourceOf(body);
  if (!job) throw unexpectedReplyError(body, 'a job', origin);
  const resultUrl = job.resultUrl && reachableAddress(job.resultUrl, client.addresses.root);
  return resultUrl ? { ...job, resultUrl } : job;
}

/**
 * The address of a job by its identifier, for `readJob`.
 *
 * ```ts
 * const job = await readJob(client, jobAddress(client, 'j1'));
 * ```
 */
export function jobAddress(client: Client, id: string): string {
  return addressBelow(client.addresses.root + jobsPath, id);
}

/**
 * The identifiers of the jobs that the deployment remembers, in its order (public documentation of `jobs`).
 *
 * ```ts
 * const ids = await readJobIds(client);
 * ```
 */
export async function readJobIds(client: Client, options: CallOptions = {}): Promise<readonly string[]> {
  const address = client.addresses.root + jobsPath;
  const purpose = {
    failed: 'The jobs could not be listed',
    privilege: 'see jobs',
    whenMissing: sinceVersion(introducedIn.jobs),
  };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const ids = jobIdsOf(body);
  if (!ids) throw unexpectedReplyError(body, 'a list of jobs', { address, purpose, hide: client.hide });
  return ids;
}

/**
 * The number of logs that a request selects, as the deployment counts them
 * itself (`logs/search` with `countOnly`, field notes). Undefined where it has no
 * such operation, or answers something else: nothing may depend on it.
 *
 * ```ts
 * const count = await countAtDeployment(client, newestLogsRequest);
 * ```
 */
export async function countAtDeployment(
  client: Client,
  request: ExportRequest,
  options: CallOptions = {},
): Promise<number | undefined> {
  const body = toExportForm(request);
  body.set('num', '1');
  body.set('countOnly', 'true');
  const purpose = { failed: 'The logs were not counted', privilege: 'search logs' };
  try {
    const address = client.addresses.searchLogs;
    return logCountOf(await callReading(client, { ...options, address, body, purpose }));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ClientError && error.code !== 'UNTRUSTED') return undefined;
    throw error;
  }
}

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

/**
 * Downloads the zip of a finished export into a file. Starts again if the connection breaks.
 *
 * ```ts
 * const { resultUrl } = await readJob(client, jobAddress(client, 'j1'));
 * if (resultUrl) await download(client, { upload: resultUrl, path: 'logs.zip' });
 * ```
 */
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

/** A zip on its way. */
interface Upload {
  readonly address: string;
  readonly zip: ReadableStream<Uint8Array>;
}

interface OpenUploadOptions {
  /** The address of the upload. */
  readonly upload: string;
  readonly signal: AbortSignal;
}

/**
 * Opens the zip of an upload at the address of its bytes, or at its own address if the deployment has
 * no other. One that refuses the token is tried once without, before any renewal: its address may be a
 * permission by itself. If all fail, rejects with the error of the first, which is the documented address.
 */
export async function openUpload(client: Client, { upload, signal }: OpenUploadOptions): Promise<Upload> {
  const own = reachableAddress(upload, client.addresses.root);
  if (!own) throw new ClientError('BAD_REPLY', 'The finished job names no address for its result');
  const below = ownAddress(own, client.addresses.root);
  const addresses = [...(below === undefined ? [] : [below]), own].flatMap((address) =>
    new URL(address).pathname.endsWith('/download') ? [address] : [downloadAddress(address), address],
  );
  const codes = new Set<ClientErrorCode>();
  const openFirst = (read: Transport) =>
    readFirst(addresses, async (address) => {
      try {
        return await openZip(client, address, { read, signal });
      } catch (error) {
        if (error instanceof ClientError) codes.add(error.code);
        throw error;
      }
    });
  try {
    return await openFirst(client.readWithOneToken);
  } catch (error) {
    if (!refusing.some((code) => codes.has(code))) throw error;
    const isTokenRefused = codes.has('TOKEN_EXPIRED');
    const zip = await openFirst(client.readWithoutToken).catch(() => undefined);
    if (zip) return zip;
    signal.throwIfAborted();
    if (!isTokenRefused) throw error;
    return openFirst(client.read);
  }
}

/** Failures that a token may cause: a signed address can refuse any other permission beside its own. */
const refusing: readonly ClientErrorCode[] = ['REFUSED', 'FORBIDDEN', 'TOKEN_EXPIRED'];

/** Failures of an address that holds no zip. An object store even forbids access to a missing object. */
const notThere: readonly ClientErrorCode[] = ['BAD_REPLY', 'REFUSED', 'FORBIDDEN', 'SERVER_ERROR'];

interface From {
  readonly read: Transport;
  readonly signal: AbortSignal;
}

async function openZip(client: Client, address: string, { read, signal }: From): Promise<Upload> {
  const own = new URL(address).origin === new URL(client.addresses.root).origin;
  // Without a format the deployment words its failures for people. A signed address takes no parameter more.
  const form = new URLSearchParams(own ? { f: 'json' } : {});
  const first = await readResource(client, address, { form, signal, read });
  const response = await followed(first, address, { read, signal });
  if (response.body && (await replyText(response)) === undefined) return { address, zip: response.body };
  const origin: CallOrigin = { address, purpose, hide: client.hide };
  throw unexpectedReplyError(await jsonOf(response, origin), 'a zip', origin);
}

const purpose = {
  failed: 'The result of the export could not be downloaded',
  // The two rights are separate, and users have been seen to hold the first only.
  privilege: 'download uploads, which is not the privilege to export logs',
  wanted: 'a zip',
};

/** Redirects that are followed: a deployment behind a proxy that leads to an object store needs two. */
const maxRedirects = 5;

/** The answer at the end of the redirects. The token goes along only within the deployment: the client sees to that. */
async function followed(first: Response, address: string, { read, signal }: From): Promise<Response> {
  let response = first;
  let base = address;
  for (let hops = 0; hops < maxRedirects; hops += 1) {
    const location =
      300 <= response.status && response.status < 400 ? response.headers.get('location') : null;
    if (location === null || !URL.canParse(location, base)) return response;
    const url = new URL(location, base);
    url.username = '';
    url.password = '';
    const next = url.href;
    if (isSignInPage(next)) return response;
    base = next;
    response = await read(new Request(base, { signal }));
  }
  return response;
}
