import { jsonOf, type Purpose } from '../transport/answer.ts';
import { ClientError } from '../transport/client-error.ts';
import { withOwnSignal } from '../transport/own-signal.ts';
import { hideIn } from '../transport/secrets.ts';
import type { Client } from './client.ts';
import { readResource } from './read-resource.ts';

/** Options of every operation. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** One call of an operation with a form. */
export interface OperationCall extends CallOptions {
  readonly address: string;
  readonly body: URLSearchParams | FormData;
  readonly purpose: Purpose;
  /** Parser of the JSON of the answer. Default `JSON.parse`; `readExactJson` for values that are sent back. */
  readonly parse?: ((text: string) => unknown) | undefined;
}

/** Sends a form to an operation that only reads, and returns the JSON of its reply, without secrets of this client. */
export async function callReading(client: Client, call: OperationCall): Promise<unknown> {
  return send(client, call, (request) => client.read(request));
}

/** Sends a form to an operation that changes something, and returns the JSON of its reply. Never sends it twice. */
export async function callChanging(client: Client, call: OperationCall): Promise<unknown> {
  return send(client, call, (request) => client.change(request));
}

async function send(
  client: Client,
  { address, body, purpose, signal, parse }: OperationCall,
  transport: (request: Request) => Promise<Response>,
): Promise<unknown> {
  const response = await withOwnSignal(signal, (own) =>
    transport(new Request(address, { method: 'POST', body, signal: own })),
  );
  return hideIn(await jsonOf(response, { address, purpose, hide: client.hide }, { parse }), client.hide);
}

/** The JSON of a resource, by whatever method the deployment lets it be read. */
export async function readJson(
  client: Client,
  { address, body, purpose, signal, parse }: ResourceCall,
): Promise<unknown> {
  const response = await withOwnSignal(signal, (own) =>
    readResource(client, address, { form: body, signal: own }),
  );
  return hideIn(await jsonOf(response, { address, purpose, hide: client.hide }, { parse }), client.hide);
}

/** One reading of a resource. */
export interface ResourceCall extends OperationCall {
  readonly body: URLSearchParams;
}

/** The form of an operation that takes nothing but the format of its answer. */
export function plainForm(parameters: Readonly<Record<string, string>> = {}): URLSearchParams {
  return new URLSearchParams({ ...parameters, f: 'json' });
}

/** The address below another one that an identifier names. An identifier that would lead elsewhere is refused. */
export function addressBelow(parent: string, identifier: string): string {
  // "." and ".." are steps in an address however they are written.
  if (/^\.{0,2}$/.test(identifier)) {
    const message = `"${identifier}" is no identifier of anything at the deployment`;
    throw new ClientError('REFUSED', message, { arrived: false });
  }
  return `${parent}/${encodeURIComponent(identifier)}`;
}
