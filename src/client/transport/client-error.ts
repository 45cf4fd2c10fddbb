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

/** An address as it may be shown: without its query, which can hold a signature or a token. */
export function addressWithoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
