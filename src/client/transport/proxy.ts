import { isExempt } from './no-proxy.ts';

/** Proxies by the scheme of an address. Their addresses may hold credentials. */
export interface ProxyRules {
  /** The proxy for addresses that begin with `http:`, and with `https:`. */
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts without a proxy, in the syntax of `NO_PROXY`. */
  readonly except?: string | undefined;
}

/** Returns the proxy for an address; undefined if there is none. */
export function proxyFor(address: string, { http, https, except = '' }: ProxyRules): URL | undefined {
  const chosen = new URL(address).protocol === 'https:' ? https : http;
  return chosen === undefined || isExempt(address, except) ? undefined : new URL(chosen);
}

/** The value of `Proxy-Authorization` for the credentials in the address of a proxy. */
export function proxyToken({ username, password }: URL): string | undefined {
  if (username === '') return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Parses the address of a proxy; the default scheme is `http:`. Undefined if it is not an address. */
export function toProxyAddress(written: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, href, username, password } = new URL(address);
  const isProxy = /^https?:$/.test(protocol) && hostname !== '' && isDecodable(username + password);
  return isProxy ? href : undefined;
}

function isDecodable(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text) && !decodeLossy(text).includes('\uFFFD');
}

/** Credentials are UTF-8, percent-encoded. */
function decodeLossy(text: string): string {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
