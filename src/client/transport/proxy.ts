import { BlockList, isIP } from 'node:net';

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

/**
 * Reports if a list in the syntax of `NO_PROXY` exempts an address from proxies. Entries are separated
 * by commas or blanks: a host, which includes its subdomains; `.suffix` or `*.suffix`; an IP address; a
 * network such as `10.0.0.0/8`; `*` for all. An entry with a port matches that port only.
 */
export function isExempt(address: string, list: string): boolean {
  const { hostname, port, protocol } = new URL(address);
  const host = bare(hostname);
  const actual = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const { name, port: wanted } = entryOf(entry);
      return (wanted === undefined || wanted === actual) && (name === '*' || isNamed(host, name));
    });
}

/** A host as it is compared: without the brackets of an IPv6 address and the dot behind a full name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function entryOf(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, inBrackets, plain, port] = /^(?:(\[.*\])|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  // An IPv6 address without brackets is nothing but colons and digits.
  return { name: bare(inBrackets ?? plain ?? entry), port };
}

function isNamed(host: string, name: string): boolean {
  if (name.includes('/')) return isWithin(host, name);
  if (isIP(name) !== 0) return isWithin(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const suffix = name.replace(/^\*?\./, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** Reports if a host is an IP address of a network. */
function isWithin(host: string, network: string): boolean {
  const [address = '', digits = ''] = network.split('/');
  const [family, bits] = [isIP(address), Number(digits)];
  if (family === 0 || isIP(host) === 0 || !/^\d+$/.test(digits) || (family === 4 ? 32 : 128) < bits)
    return false;
  const list = new BlockList();
  list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}
