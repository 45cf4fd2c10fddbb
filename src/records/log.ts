/**
 * What a log is: one record of the deployment's logs, in the names and types
 * that the rest of the toolkit uses.
 */

/** The fields that hold text, in the order in which they are shown. */
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

/** The name of a field that holds text. */
export type TextField = (typeof textFields)[number];

/**
 * One log. A field that the record did not carry, or carried empty, is absent:
 * absence is never shown as zero or as an empty text.
 */
export type Log = { readonly [F in TextField]?: string } & {
  /** Milliseconds since the epoch, UTC. */
  readonly time?: number;
  /** The code of the message, for instance 9003: a whole number of 64 bits, a `bigint` beyond ±(2^53 - 1). */
  readonly logCode?: number | bigint;
  /**
   * Decimal seconds. Zero and absence both mean "not measured", so neither
   * counts in an average; a zero is kept because the server's ranges find it.
   */
  readonly elapsed?: number;
};

/** The name of a known field of a log. */
export type LogField = keyof Log;

/** All fields of a log. */
export const logFields = ['time', 'logCode', 'elapsed', ...textFields] as const satisfies readonly LogField[];
