import { type Client, type ClientOptions, openClient } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { type Addresses, addressesOf } from '../../src/protocol/addresses.ts';

/** A request as a deployment sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: Headers;
}

/** A deployment in this process that answers as the test says, and what it has been asked. */
export function deploymentOf(answer: (seen: Seen, count: number) => Response | Promise<Response>): {
  readonly fetch: Transport;
  readonly seen: readonly Seen[];
} {
  const seen: Seen[] = [];
  const fetch: Transport = async (request) => {
    const { pathname, search } = new URL(request.url);
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    const now = { method: request.method, path: pathname, search, form, headers: request.headers };
    seen.push(now);
    return answer(now, seen.length);
  };
  return { fetch, seen };
}

/** The addresses of a deployment for a test. */
export function addressesFor(url: string): Addresses {
  const addresses = addressesOf(url);
  if ('problem' in addresses) throw new Error(addresses.problem);
  return addresses;
}

export const gis = addressesFor('https://gis.example.com/arcgis');

/** Pauses take no time here, and no chance is in them. */
export const noPause = { backOff: { first: 0, longest: 0, growth: 1 } };

/** A client with a token, unless the options say otherwise. */
export function clientOf(transport: Transport, options: Partial<ClientOptions> = {}): Client {
  const credentials = { kind: 'token', token: 'token-1' } as const;
  return openClient({ addresses: gis, credentials, transport, retry: noPause, ...options });
}

/** The bytes of an empty zip: its directory alone. */
export const emptyZip = new Uint8Array([0x50, 0x4b, 5, 6, ...new Array(18).fill(0)]);
