import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { Agent, fetch } from 'undici';
import { ClientError } from './client-error.ts';
import { toNetworkError } from './network-error.ts';
import type { Transport } from './transport.ts';

export interface NetworkOptions {
  /** Certificates in PEM of authorities to trust beside the well-known ones. */
  readonly authorities?: string;
  /** Whether to talk to a deployment whose certificate is not trusted. Default false. */
  readonly insecure?: boolean;
  /** Milliseconds until a connection must be there. Default 10 s. */
  readonly connectTimeout?: number;
  /** Milliseconds until an answer must begin. Default 60 s: an overloaded deployment takes its time to accept a job. */
  readonly answerTimeout?: number;
  /** Milliseconds that an answer may pause. Default 60 s. */
  readonly pauseTimeout?: number;
}

/** Connections to servers. */
export interface Network extends AsyncDisposable {
  /** Sends over HTTP. Follows no redirect. A failure is a `ClientError`, an abort the reason of the signal. */
  readonly send: Transport;
}

/** Opens the network. Closing it ends all connections. */
export function openNetwork(options: NetworkOptions = {}): Network {
  const { authorities, insecure = false } = options;
  const dispatcher = new Agent({
    connect: {
      timeout: options.connectTimeout ?? 10_000,
      rejectUnauthorized: !insecure,
      ...(authorities !== undefined && { ca: [...rootCertificates, checkedAuthorities(authorities)] }),
    },
    headersTimeout: options.answerTimeout ?? 60_000,
    bodyTimeout: options.pauseTimeout ?? 60_000,
  });
  return { send, [Symbol.asyncDispose]: () => dispatcher.destroy() };

  async function send(request: Request): Promise<Response> {
    const { url, method, signal } = request;
    const headers = [...request.headers, ['user-agent', 'logquarry'] satisfies [string, string]];
    const body = method === 'GET' ? null : await request.arrayBuffer();
    try {
      return await fetch(url, { method, headers, body, signal, redirect: 'manual', dispatcher });
    } catch (error) {
      // The request is used here for a second reason: its signal stays connected only while it is in use.
      request.signal.throwIfAborted();
      throw toNetworkError(error, url);
    }
  }
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
