import { StoreError } from '../../store/database/store-error.ts';
import { diskFailureOf } from '../../store/files/disk-failure.ts';
import { UsageError } from '../command-line/usage-error.ts';

/**
 * Gives an error of the system in writing its path, which its message lacks: `STORE_FAILED`
 * where the disk is full or broken, else a `UsageError`. Any other error is returned as it is.
 */
export function writeFailure(what: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const message = `${what} cannot be written: ${error.message}`;
  if (diskFailureOf(error)) return new StoreError('STORE_FAILED', message, { cause: error });
  return new UsageError(message, { cause: error });
}
