import { ClientError, type ClientErrorCode, shown } from './client-error.ts';

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
const noRoute = notArrived((host) => `No network route leads to "${host}": check the network or the VPN`);
const broken: Reading = {
  code: 'UNREACHABLE',
  message: (host) => `The connection to "${host}" broke before the answer was complete`,
};

/** What the error codes of Node, OpenSSL and undici, or where there is none their words, mean for a call to a deployment. */
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
  ERR_SSL_WRONG_VERSION_NUMBER: untrusted(
    (host) =>
      `"${host}" does not speak TLS there: check the port, or use an address that begins with "http:"`,
  ),
};

const notHttp: Reading = {
  code: 'BAD_REPLY',
  message: (host) =>
    `"${host}" does not speak HTTP there: check the port, or use an address that begins with "https:"`,
};

/** The failure of a connection as a `ClientError` that says what to do about it. */
export function toNetworkError(error: unknown, address: string): ClientError {
  if (error instanceof ClientError) return error;
  const { host } = new URL(address);
  const cause = rootCause(error);
  const reading = readingOf(cause);
  const message = `${reading.message(host)} (${cause.code ?? cause.message}, ${shown(address)})`;
  return new ClientError(reading.code, message, { cause, arrived: reading.arrived ?? true });
}

function readingOf(cause: Cause): Reading {
  // An answer that breaks off in its headers also fails in the parser of undici, but for the want of an end.
  if (cause.name === 'HTTPParserError' && !cause.code?.includes('EOF')) return notHttp;
  return readings[cause.code ?? cause.message] ?? broken;
}

type Cause = Error & { readonly code?: string };

/** The innermost error: fetch wraps the one that counts, and several addresses of a host give several errors. */
function rootCause(error: unknown): Cause {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
