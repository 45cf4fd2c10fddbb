import { createPrivateKey, X509Certificate } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, fetch, Pool, ProxyAgent } from 'undici';
import { ClientError, proxyRefusal, toNetworkError } from './errors.ts';
import type { Transport } from './transport.ts';

export interface NetworkOptions {
  /** Certificates in PEM of additional trusted authorities. */
  readonly authorities?: string;
  /** Accepts untrusted certificates. Default false. */
  readonly insecure?: boolean;
  /** Default: no proxies. */
  readonly proxy?: ProxyRules | undefined;
  /** Client certificate, for deployments that require one. */
  readonly identity?: Identity | undefined;
  /** Time limit for connecting, milliseconds. Default 10 s. */
  readonly connectTimeout?: number;
  /** Time limit until a reply begins, milliseconds. Default 60 s: an overloaded deployment accepts a job slowly. */
  readonly answerTimeout?: number;
  /** Maximum pause within a reply, milliseconds. Default 60 s. */
  readonly pauseTimeout?: number;
}

/** Connections to servers. */
export interface Network extends AsyncDisposable {
  /** Sends over HTTP. Follows no redirect. A failure is a `ClientError`, an abort the reason of the signal. */
  readonly send: Transport;
}

/**
 * Opens the network. Closing it ends all connections.
 *
 * ```ts
 * await using network = openNetwork({});
 * ```
 */
export function openNetwork(options: NetworkOptions = {}): Network {
  const { proxy: rules = {}, identity } = options;
  const dispatchers = openDispatchers(options);
  return { send, [Symbol.asyncDispose]: dispatchers.close };

  async function send(request: Request): Promise<Response> {
    const { url, method, signal } = request;
    const headers = [...request.headers, ['user-agent', 'logquarry'] satisfies [string, string]];
    const body = method === 'GET' ? null : await request.arrayBuffer();
    const proxy = proxyFor(url, rules);
    const way = { proxy: proxy?.host, hasIdentity: identity !== undefined };
    try {
      const dispatcher = dispatchers.through(proxy);
      const how = { method, headers, body, signal, redirect: 'manual', dispatcher } as const;
      const response: unknown = await fetch(url, how);
      if (!isResponse(response)) throw new TypeError('The reply has no form of a response');
      if (proxy && response.status === 407) {
        await response.body?.cancel();
        throw proxyRefusal(407, proxy.host);
      }
      return response;
    } catch (error) {
      // The request is used here for a second reason: its signal stays connected only while it is in use.
      request.signal.throwIfAborted();
      throw toNetworkError(error, url, way);
    }
  }
}

/** Reports if a reply can stand for a global `Response`: undici has a class of its own, with the same members. */
function isResponse(reply: unknown): reply is Response {
  return typeof reply === 'object' && reply !== null && 'status' in reply && 'arrayBuffer' in reply;
}

interface Dispatchers {
  /** The connections through a proxy, or without one. */
  readonly through: (proxy: URL | undefined) => Dispatcher;
  readonly close: () => Promise<void>;
}

function openDispatchers(options: NetworkOptions): Dispatchers {
  const { authorities, insecure = false, identity } = options;
  const connect = {
    timeout: options.connectTimeout ?? 10_000,
    rejectUnauthorized: !insecure,
    ...(authorities !== undefined && { ca: [...rootCertificates, checkedAuthorities(authorities)] }),
  };
  const limits = {
    headersTimeout: options.answerTimeout ?? 60_000,
    bodyTimeout: options.pauseTimeout ?? 60_000,
  };
  const known = identity && checkedIdentity(identity, Date.now());
  const shown = known && { cert: known.certificate, key: known.key, passphrase: known.passphrase };
  const direct = new Agent({ connect: { ...connect, ...shown }, ...limits });
  const proxied = new Map<string, ProxyAgent>();
  const openProxy = (proxy: URL) => {
    const token = proxyToken(proxy);
    return new ProxyAgent({
      ...limits,
      uri: proxy.origin,
      ...(token !== undefined && { token }),
      // Many proxies tunnel to the ports of TLS only and forward what is not encrypted.
      proxyTunnel: false,
      requestTls: { ...connect, ...shown },
      proxyTls: connect,
      clientFactory: (origin, more) => endingPool(new Pool(origin, { ...more, ...limits })),
      factory: (origin, more) => new Pool(origin, { ...more, ...limits }),
    });
  };
  return {
    through: (proxy) => {
      if (!proxy) return direct;
      const agent = proxied.get(proxy.href) ?? openProxy(proxy);
      proxied.set(proxy.href, agent);
      return agent;
    },
    close: async () => {
      await Promise.all([direct, ...proxied.values()].map((agent) => agent.destroy()));
    },
  };
}

/**
 * A pool whose tunnels fail when the proxy ends the connection. The agent takes
 * the error of undici for one of a connection that was idle, and tries for ever.
 */
function endingPool(pool: Pool): Pool {
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (options: Parameters<typeof connect>[0]) => {
      try {
        return await connect(options);
      } catch (error) {
        const isEnd = error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET';
        throw isEnd ? Object.assign(new Error(error.message), { code: 'ECONNRESET' }) : error;
      }
    },
  });
}

/** OpenSSL ignores what is no certificate, and the failure would then blame the deployment. */
function checkedAuthorities(pem: string): string {
  try {
    new X509Certificate(pem);
    return pem;
  } catch (cause) {
    throw new ClientError('UNTRUSTED', 'The file of "--ca" requires certificates in PEM form', { cause });
  }
}

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

/**
 * Parses the address of a proxy; the default scheme is `http:`. Undefined if it is not an address.
 *
 * ```ts
 * toProxyAddress('proxy.example.com:3128'); // 'http://proxy.example.com:3128/'
 * ```
 */
export function toProxyAddress(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
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
      const { name, port: entryPort } = entryOf(entry);
      return (entryPort === undefined || entryPort === actual) && (name === '*' || isNamed(host, name));
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

/** A client certificate with its key, for deployments that require one. Holds a secret. */
export interface Identity {
  /** The certificate in PEM, those of intermediate authorities behind it. */
  readonly certificate: string;
  /** The private key in PEM. */
  readonly key: string;
  /** Passphrase of an encrypted key. */
  readonly passphrase?: string | undefined;
}

/** Checks that an identity is valid now, and returns it. Throws a `ClientError` with the code `CLIENT_CERTIFICATE`. */
export function checkedIdentity(identity: Identity, now: number): Identity {
  const certificate = readCertificate(identity.certificate);
  const key = readKey(identity);
  if (!certificate.checkPrivateKey(key))
    throw problem('The key of "--key" is not that of the certificate of "--cert"');
  if (Date.parse(certificate.validTo) < now)
    throw problem(`The certificate of "--cert" expired on ${certificate.validTo}: a new one is required`);
  if (now < Date.parse(certificate.validFrom))
    throw problem(
      `The certificate of "--cert" is valid from ${certificate.validFrom} on: check the clock of this machine`,
    );
  return identity;
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw problem('The file of "--cert" requires a certificate in PEM form');
  }
}

function readKey({ key, passphrase }: Identity) {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch {
    // The reason is not shown: it is OpenSSL's, and the key is a secret.
    const isEncrypted = isEncryptedKey(key);
    throw problem(
      isEncrypted
        ? 'The key of "--key" cannot be decrypted: check its passphrase'
        : 'The file of "--key" requires a private key in PEM form',
    );
  }
}

/**
 * Reports if a private key in PEM requires a passphrase.
 *
 * ```ts
 * isEncryptedKey('-----BEGIN ENCRYPTED PRIVATE KEY-----'); // true
 * ```
 */
export function isEncryptedKey(pem: string): boolean {
  return /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem);
}

function problem(message: string): ClientError {
  return new ClientError('CLIENT_CERTIFICATE', message, { arrived: false });
}
