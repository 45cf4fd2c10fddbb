import { ClientError } from '../../client/index.ts';
import { StoreError } from '../../database/index.ts';
import { ExportError } from './export-error.ts';

/** Returns whether a retry of a window may succeed; other failures end the export. */
export function isRetryable(error: unknown): error is ClientError | ExportError | StoreError {
  if (error instanceof ClientError) return !fatalCodes.has(error.code);
  if (error instanceof ExportError) return error.code !== 'WINDOW_IGNORED';
  return error instanceof StoreError && zipCodes.has(error.code);
}

/** Failures that every window would share. */
const fatalCodes: ReadonlySet<string> = new Set([
  'UNTRUSTED',
  'CLIENT_CERTIFICATE',
  'PROXY_REFUSED',
  'REFUSED_LOGIN',
  'TOKEN_EXPIRED',
  'FORBIDDEN',
  'UNWRITABLE',
]);

/** Faults of one zip, not of the case. */
const zipCodes: ReadonlySet<string> = new Set(['TOO_BIG', 'TRUNCATED_ZIP', 'BAD_ZIP']);

/** Maximum number of attempts for a window in one run. */
export const maxAttempts = 3;
