import { ClientError, type ClientErrorCode } from '../transport/client-error.ts';

/** Failures after which a request may have been carried out: a proxy gives up waiting, or a gateway answers with a page of its own. */
export const openCodes: readonly ClientErrorCode[] = [
  'UNREACHABLE',
  'TIMED_OUT',
  'SERVER_ERROR',
  'BAD_REPLY',
];

/**
 * Reports if a failed request may still have changed something. A reply with a code from 400 to 499, or
 * without a code, refused it. One from 500 on can come from a proxy, or from the middle of the work.
 */
export function mayBeCarriedOut(error: unknown): error is ClientError {
  if (!(error instanceof ClientError) || !error.arrived || !openCodes.includes(error.code)) return false;
  return error.refusal === undefined || isOpen(error.refusal.code);
}

/** A timeout at the server (408) is no refusal. */
function isOpen(code: number | undefined): boolean {
  return code !== undefined && (code === 408 || 500 <= code);
}

/** The same error, in doubt, with words that say so. */
export function withDoubt(error: ClientError, doubt: string): ClientError {
  const { code, message, cause, refusal } = error;
  return new ClientError(code, `${message}. ${doubt}`, { cause, refusal, inDoubt: true });
}
