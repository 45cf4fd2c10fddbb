/** A log: one record of the deployment's logs, in the names and types used throughout the toolkit. */

/** Text fields, in display order. */
export const textFields = [
  'logLevel',
  'source',
  'msg',
  'className',
  'methodName',
  'username',
  'requestID',
  'serviceTypes',
  'machine',
  'process',
  'thread',
  'stackTraces',
] as const;

/** Name of a text field. */
export type TextField = (typeof textFields)[number];

/**
 * One log. A field that the record lacks or has empty is absent: absence is never shown as zero or
 * as an empty text.
 */
export type Log = { readonly [F in TextField]?: string } & {
  /** Milliseconds since the epoch, UTC. */
  readonly time?: number;
  /** Message code, for instance 9003: a 64-bit integer, a `bigint` beyond ±(2^53 - 1). */
  readonly logCode?: number | bigint;
  /**
   * Decimal seconds. Zero and absence both mean "not measured", so neither counts in an average; a
   * zero is stored because the ranges of the server match it.
   */
  readonly elapsed?: number;
};

/** Name of a known field of a log. */
export type LogField = keyof Log;

/** All fields of a log. */
export const logFields = ['time', 'logCode', 'elapsed', ...textFields] as const satisfies readonly LogField[];
