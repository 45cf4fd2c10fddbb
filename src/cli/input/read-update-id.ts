import { isUpdateId } from '../../protocol/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Returns the identifier of a release or patch. Throws `UsageError` if it is malformed. */
export function readUpdateId(written: string): string {
  if (isUpdateId(written)) return written;
  throw new UsageError(
    `ID must be the identifier of a release or patch, such as "rel_20062023_3480", got ${JSON.stringify(written)}`,
  );
}
