/** Every way in which a call to a deployment can fail. The codes are stable; the text beside each says what it means. */
export const clientErrorCodes = {
  UNREACHABLE: 'No connection, or it broke',
  UNTRUSTED: 'The certificate of the deployment is not trusted',
  CLIENT_CERTIFICATE: 'The client certificate is missing, of no use, or not accepted by the deployment',
  PROXY_REFUSED: 'The proxy refused the connection or its credentials',
  TIMED_OUT: 'No answer, or not all of it, in the time allowed',
  REFUSED_LOGIN: 'The deployment gave no token',
  TOKEN_EXPIRED: 'The token is no longer valid and there is no other',
  FORBIDDEN: 'The user lacks a privilege',
  REFUSED: 'The deployment refused the request',
  READ_ONLY: 'The deployment is in read-only mode, as it is during an upgrade',
  UPGRADE_RUNNING: 'An upgrade is under way already',
  SERVER_ERROR: 'The deployment failed to answer, or is overloaded',
  BAD_REPLY: 'The answer is not what the interface describes',
  UNWRITABLE: 'What was downloaded could not be kept on this machine',
  JOB_FAILED: 'The job ended without a result',
} as const;

export type ClientErrorCode = keyof typeof clientErrorCodes;

export interface ClientErrorOptions extends ErrorOptions {
  /** False only if the request certainly did not reach the deployment, so that even a change can be repeated. */
  readonly arrived?: boolean;
  /** The refusal, if the deployment replied with one. */
  readonly refusal?: Refusal | undefined;
  /** True if the request may have been carried out despite the error. Default false. */
  readonly inDoubt?: boolean;
}

/** A reply that refuses a request. */
export interface Refusal {
  /** Code of the deployment, else the HTTP status; absent if the body has none and the status is a success. */
  readonly code?: number | undefined;
  /** Message of the deployment in one line, without secrets. */
  readonly said: string;
}

/**
 * Failure of a call to a deployment. Branch on `code`, which is stable; show `message`, which is not.
 * Neither it nor its cause holds a password or a token.
 */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  readonly arrived: boolean;
  readonly refusal: Refusal | undefined;
  /** True if the request may have been carried out despite the error, so it must not simply be repeated. */
  readonly inDoubt: boolean;

  constructor(code: ClientErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.arrived = options.arrived ?? true;
    this.refusal = options.refusal;
    this.inDoubt = options.inDoubt ?? false;
  }
}

/**
 * An address as it may be shown: without its query, which can hold a signature or a token.
 *
 * ```ts
 * addressWithoutQuery('https://gis.example.com/files/logs.zip?token=secret'); // 'https://gis.example.com/files/logs.zip'
 * ```
 */
export function addressWithoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

interface Reading {
  readonly code: ClientErrorCode;
  readonly message: (host: string) => string;
  readonly arrived?: boolean;
}

const notArrived = (message: (host: string) => string): Reading => ({
  code: 'UNREACHABLE',
  message,
  arrived: false,
});
const timedOut = (message: (host: string) => string): Reading => ({ code: 'TIMED_OUT', message });
const untrusted = (message: (host: string) => string): Reading => ({
  code: 'UNTRUSTED',
  message,
  arrived: false,
});

const ownAuthority = untrusted(
  (host) =>
    `The certificate of "${host}" is signed by an authority that is not known: pass that authority's certificate with "--ca FILE"`,
);
const certificateRequired: Reading = {
  code: 'CLIENT_CERTIFICATE',
  message: (host) =>
    `"${host}" requires a client certificate: pass it with "--cert FILE", and its key with "--key FILE"`,
  arrived: false,
};
const noRoute = notArrived((host) => `No network route leads to "${host}": check the network or the VPN`);
const broken: Reading = {
  code: 'UNREACHABLE',
  message: (host) => `The connection to "${host}" broke before the answer was complete`,
};

/** Meanings of error codes of Node, OpenSSL and undici for a call, by code, or by message if there is no code. */
const readings: Readonly<Record<string, Reading>> = {
  ENOTFOUND: notArrived((host) => `There is no host "${host}": check the spelling of the address`),
  EAI_AGAIN: notArrived((host) => `The name "${host}" could not be looked up: check the network or the VPN`),
  ECONNREFUSED: notArrived(
    (host) => `"${host}" refuses connections: check the port, and whether the deployment is running`,
  ),
  'bad port': notArrived((host) => `The port of "${host}" is none that serves HTTP: check the address`),
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: { ...timedOut((host) => `"${host}" did not accept a connection in time`), arrived: false },
  UND_ERR_CONNECT_TIMEOUT: {
    ...timedOut((host) => `"${host}" did not accept a connection in time`),
    arrived: false,
  },
  UND_ERR_HEADERS_TIMEOUT: timedOut((host) => `"${host}" did not answer in time`),
  UND_ERR_BODY_TIMEOUT: timedOut((host) => `"${host}" stopped in the middle of its answer`),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted(
    (host) => `The certificate of "${host}" is self-signed: pass it with "--ca FILE" to trust it`,
  ),
  SELF_SIGNED_CERT_IN_CHAIN: ownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ownAuthority,
  CERT_HAS_EXPIRED: untrusted((host) => `The certificate of "${host}" has expired`),
  CERT_NOT_YET_VALID: untrusted(
    (host) => `The certificate of "${host}" is not valid yet: check the clock of this machine`,
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted(
    (host) => `The certificate is not for "${host}": use the host name that it was made for`,
  ),
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: certificateRequired,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: {
    ...certificateRequired,
    message: (host) =>
      `"${host}" ended the TLS handshake: where it requires a client certificate, pass it with "--cert FILE" and "--key FILE"`,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: untrusted(
    (host) =>
      `"${host}" does not speak TLS there: check the port, or use an address that begins with "http:"`,
  ),
};

const notAccepted: Reading = {
  code: 'CLIENT_CERTIFICATE',
  message: (host) =>
    `"${host}" does not accept the client certificate: pass one that its authority has signed with "--cert FILE" and "--key FILE"`,
  arrived: false,
};

/** Alerts of TLS by which a server refuses what the other end has shown. */
const alerts =
  /^ERR_SSL_(TLSV1|SSLV3)_ALERT_(BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN)|ACCESS_DENIED)$/;

const notHttp: Reading = {
  code: 'BAD_REPLY',
  message: (host) =>
    `"${host}" does not speak HTTP there: check the port, or use an address that begins with "https:"`,
};

/** Route of a request. */
interface Way {
  /** Host and port of the proxy, if there is one. */
  readonly proxy?: string | undefined;
  /** True if the request had a client certificate. */
  readonly hasIdentity?: boolean;
}

/** Converts the failure of a connection to a `ClientError` with advice. */
export function toNetworkError(error: unknown, address: string, way: Way = {}): ClientError {
  if (error instanceof ClientError) return error;
  const { host, protocol } = new URL(address);
  const cause = rootCause(error);
  const { proxy } = way;
  const refused = /^Proxy response \((\d+)\)|^Proxy Authentication Required \((407)\)/.exec(cause.message);
  if (proxy !== undefined && refused) return proxyRefusal(Number(refused[1] ?? refused[2]), proxy);
  const reading = readingOf(cause, { ...way, isEncrypted: protocol === 'https:' });
  const through = proxy === undefined ? '' : `, through the proxy "${proxy}"`;
  const message = `${reading.message(host)} (${cause.code ?? cause.message}, ${addressWithoutQuery(address)}${through})`;
  return new ClientError(reading.code, message, { cause, arrived: reading.arrived ?? true });
}

/** Answers of a proxy that does not reach a host, or is overloaded. */
const unreachedByProxy: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** The error for a proxy that answers with a status of its own, which says what to do about it. */
export function proxyRefusal(status: number, proxy: string): ClientError {
  if (unreachedByProxy.has(status)) {
    const message = `The proxy "${proxy}" does not reach the deployment (HTTP ${status}): check the address of the deployment`;
    return new ClientError('UNREACHABLE', message, { arrived: false });
  }
  const message =
    status === 407
      ? `The proxy "${proxy}" requires credentials, or does not accept those that are given (HTTP 407): use "http://USER:PASSWORD@HOST:PORT" in a profile or HTTPS_PROXY, with special characters percent-encoded`
      : `The proxy "${proxy}" refuses the connection (HTTP ${status}): ask who runs it to allow the deployment, or name the deployment in NO_PROXY`;
  return new ClientError('PROXY_REFUSED', message, { arrived: false });
}

/** Failures of the connection to the first host, which is the proxy if there is one. */
const beforeProxy: ReadonlySet<string> = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
]);

interface Encrypted {
  readonly isEncrypted: boolean;
}

const noProxy = (proxy: string): Reading =>
  notArrived(
    () => `The proxy "${proxy}" cannot be reached: check "--proxy", HTTPS_PROXY, HTTP_PROXY and NO_PROXY`,
  );

function readingOf(cause: Cause, { proxy, hasIdentity = false, isEncrypted }: Way & Encrypted): Reading {
  const code = cause.code ?? cause.message;
  if (proxy !== undefined && beforeProxy.has(code)) return noProxy(proxy);
  if (alerts.test(code)) return hasIdentity ? notAccepted : certificateRequired;
  // An answer that breaks off in its headers also fails in the parser of undici, but for the want of an end.
  if (cause.name === 'HTTPParserError' && !cause.code?.includes('EOF')) return notHttp;
  const reading = readings[code] ?? broken;
  if (reading !== broken) return reading;
  const hint = hasIdentity
    ? ', or it does not accept the client certificate'
    : ': where it requires a client certificate, pass it with "--cert FILE" and "--key FILE"';
  // A server with TLS refuses a client by ending the connection after the handshake.
  const isRefusal = isEncrypted && (hasIdentity || cause.socket?.bytesRead === 0);
  return isRefusal ? { ...broken, message: (host) => `${broken.message(host)}${hint}` } : broken;
}

type Cause = Error & { readonly code?: string; readonly socket?: { readonly bytesRead?: number } };

/** The innermost error: fetch wraps the one that counts, and several addresses of a host give several errors. */
function rootCause(error: unknown): Cause {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
