import { downloadAddress, isSignInPage, reachableAddress } from '../../protocol/index.ts';
import type { Client } from '../calls/client.ts';
import { readResource } from '../calls/read-resource.ts';
import { type CallOrigin, jsonOf, unexpectedReplyError } from '../transport/answer.ts';
import { replyText } from '../transport/body.ts';
import { ClientError, type ClientErrorCode } from '../transport/client-error.ts';

/** A zip on its way. */
export interface Upload {
  readonly address: string;
  readonly zip: ReadableStream<Uint8Array>;
}

export interface OpenUploadOptions {
  /** The address of the upload. */
  readonly upload: string;
  readonly signal: AbortSignal;
}

/**
 * Opens the zip of an upload at the address of its bytes, or at its own address if the deployment has
 * no other. If both fail, rejects with the error of the first, which is the documented address.
 */
export async function openUpload(client: Client, { upload, signal }: OpenUploadOptions): Promise<Upload> {
  const own = reachableAddress(upload, client.addresses.root);
  if (!own) throw new ClientError('BAD_REPLY', 'The finished job names no address for its result');
  const addresses = new URL(own).pathname.endsWith('/download') ? [own] : [downloadAddress(own), own];
  const errors: unknown[] = [];
  for (const address of addresses) {
    try {
      return await openZip(client, address, signal);
    } catch (error) {
      if (!(error instanceof ClientError && notThere.includes(error.code))) throw error;
      errors.push(error);
    }
  }
  throw errors[0];
}

/** Failures of an address that holds no zip. An object store even forbids access to a missing object. */
const notThere: readonly ClientErrorCode[] = ['BAD_REPLY', 'REFUSED', 'FORBIDDEN', 'SERVER_ERROR'];

async function openZip(client: Client, address: string, signal: AbortSignal): Promise<Upload> {
  const own = new URL(address).origin === new URL(client.addresses.root).origin;
  // Without a format the deployment words its failures for people. A signed address takes no parameter more.
  const form = new URLSearchParams(own ? { f: 'json' } : {});
  const first = await readResource(client, address, { form, signal });
  const response = await followed(client, first, { address, signal });
  if (response.body && (await replyText(response)) === undefined) return { address, zip: response.body };
  const asked: CallOrigin = { address, purpose, hide: client.hide };
  throw unexpectedReplyError(await jsonOf(response, asked), 'a zip', asked);
}

const purpose = {
  failed: 'The result of the export could not be downloaded',
  // The two rights are separate, and users have been seen to hold the first only.
  privilege: 'download uploads, which is not the privilege to export logs',
  wanted: 'a zip',
};

/** Redirects that are followed: a deployment behind a proxy that leads to an object store needs two. */
const maxRedirects = 5;

interface From {
  readonly address: string;
  readonly signal: AbortSignal;
}

/** The answer at the end of the redirects. The token goes along only within the deployment: the client sees to that. */
async function followed(client: Client, first: Response, { address, signal }: From): Promise<Response> {
  let response = first;
  let base = address;
  for (let hops = 0; hops < maxRedirects; hops += 1) {
    const location =
      300 <= response.status && response.status < 400 ? response.headers.get('location') : null;
    if (location === null || !URL.canParse(location, base)) return response;
    const next = new URL(location, base).href;
    if (isSignInPage(next)) return response;
    base = next;
    response = await client.read(new Request(base, { signal: signal }));
  }
  return response;
}
