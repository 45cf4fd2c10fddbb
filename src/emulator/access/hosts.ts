import { isIP } from 'node:net';

/** How a request names the host that it wants. */
export interface NamedHost {
  /** The host of the target of the request, with or without a port. */
  readonly host: string;
  /** The address of this machine at which the request arrived. */
  readonly localAddress: string | undefined;
}

/**
 * True if a request may name this host: a loopback name, the address at which it arrived, or one of
 * `allowed`. A page of another site can let its own name lead to this machine (DNS rebinding), and its
 * scripts then count as the deployment's own; but it cannot choose what its requests name.
 */
export function isAllowedHost({ host, localAddress }: NamedHost, allowed: readonly string[]): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  if (isLoopback(name) || allowed.some((each) => hostName(each) === name)) return true;
  return localAddress !== undefined && hostName(plainAddress(localAddress)) === name;
}

/** The name of a host in one spelling, without its port, brackets and final dot; undefined for what is none. */
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

/** An address of IPv4 that a socket of IPv6 reports, in its usual form. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
}
