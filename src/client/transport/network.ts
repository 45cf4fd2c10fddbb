import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, fetch, Pool, ProxyAgent } from 'undici';
import { checkedIdentity, type Identity } from './client-certificate.ts';
import { ClientError } from './client-error.ts';
import { proxyRefusal, toNetworkError } from './network-error.ts';
import { type ProxyRules, proxyFor, proxyToken } from './proxy.ts';
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
      const response = await fetch(url, { method, headers, body, signal, redirect: 'manual', dispatcher });
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
      await Promise.all([direct, ...proxied.values()].map((each) => each.destroy()));
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
