import { isIP } from 'node:net';

/** The host that a request names, and the address at which it arrived. */
export interface NamedHost {
  /** The host of the target of the request, with or without a port. */
  readonly host: string;
  /** The address of this machine at which the request arrived. */
  readonly localAddress: string | undefined;
}

/**
 * True if a request may name this host: a loopback name, the address at which it arrived, or one of `allowed`.
 * Guards against DNS rebinding: a page of another site can point its own name at this machine, and its scripts
 * then count as the deployment's own. It cannot choose the host that its requests name.
 */
export function isAllowedHost({ host, localAddress }: NamedHost, allowed: readonly string[]): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  if (isLoopback(name) || allowed.some((each) => hostName(each) === name)) return true;
  return localAddress !== undefined && hostName(plainAddress(localAddress)) === name;
}

/** Normalizes a host: without port, brackets and final dot; undefined if the text is no host. */
function hostName(host: string): string | undefined {
  const written = isIP(host) === 6 ? `[${host}]` : host;
  if (!URL.canParse(`http://${written}`)) return undefined;
  const { hostname, username, password, pathname, search, hash } = new URL(`http://${written}`);
  if (username + password + search + hash !== '' || pathname !== '/') return undefined;
  return hostname.replace(/\.$/, '');
}

/** `localhost` and names below it always lead to this machine (RFC 6761). */
function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$/.test(name) || /^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]';
}

/** Writes an IPv4 address that an IPv6 socket reports in its usual form. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
}
