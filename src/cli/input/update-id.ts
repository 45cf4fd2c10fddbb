import { isUpdateId } from '../../protocol/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** The identifier of a release or patch as it was written. One that cannot be is a `UsageError`. */
export function updateIdFrom(written: string): string {
  if (isUpdateId(written)) return written;
  throw new UsageError(
    `ID must be the identifier of a release or patch, as "rel_20062023_3480", got ${JSON.stringify(written)}`,
  );
}
