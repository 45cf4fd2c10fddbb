import { ClientError } from '../../client/index.ts';
import { StoreError } from '../../store/index.ts';
import { ExportError } from '../export-error.ts';

/** Whether another try of a window may go better; other failures end the export. */
export function mayPass(error: unknown): error is ClientError | ExportError | StoreError {
  if (error instanceof ClientError) return !fatal.has(error.code);
  if (error instanceof ExportError) return error.code !== 'WINDOW_IGNORED';
  return error instanceof StoreError && ofTheZip.has(error.code);
}

/** What no other window would fare better with. */
const fatal: ReadonlySet<string> = new Set([
  'UNTRUSTED',
  'CLIENT_CERTIFICATE',
  'PROXY_REFUSED',
  'REFUSED_LOGIN',
  'TOKEN_EXPIRED',
  'FORBIDDEN',
  'UNWRITABLE',
]);

/** What is wrong with one zip, and not with the case. */
const ofTheZip: ReadonlySet<string> = new Set(['TOO_BIG', 'TRUNCATED_ZIP', 'BAD_ZIP']);
