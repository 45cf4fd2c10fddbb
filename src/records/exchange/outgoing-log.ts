import type { Log } from '../log.ts';
import type { Extra } from '../record.ts';

/** A log for another system. */
export interface OutgoingLog {
  readonly log: Log;
  /** Members of the record that are not log fields. */
  readonly extra?: Extra;
  /** Facts about the log beyond its record, such as its id in a case and its position in the original. */
  readonly origin?: Readonly<Record<string, string | number | boolean>>;
}

/** Namespace of fields that a foreign schema has no name for. */
export const ownNamespace = 'logquarry';
