import type { Log, LogField } from './log.ts';
import type { Zone } from './zone.ts';

/**
 * What reading an entry yields: logs, and the records that could not be read.
 * Both say where they stand, so that each can be found again in the original.
 */
export type ReadRecord = LogRecord | UnreadableRecord;

/** One record that is a log. */
export interface LogRecord {
  readonly kind: 'log';
  readonly log: Log;
  /** What the record carried beyond the fields of a log, under its own keys. */
  readonly extra?: Extra;
  /** The text of the record as it stands in the entry. */
  readonly raw: string;
  readonly position: Position;
  readonly remarks?: readonly Remark[];
}

/** One record, or an entry as a whole, that could not be read as a log. Kept, never dropped. */
export interface UnreadableRecord {
  readonly kind: 'unreadable';
  readonly code: UnreadableCode;
  /** One sentence: what is wrong with it. */
  readonly reason: string;
  /** The text of the record; only its first 65,536 characters when it is longer. */
  readonly raw: string;
  readonly position: Position;
}

/** Where a record stands in its entry. */
export interface Position {
  /** The number of the record in its entry, from 1; unreadable records count. */
  readonly number: number;
  /** Bytes before the record in the UTF-8 text of the entry: inflated, without its byte order mark. */
  readonly offset: number;
  /** Bytes of the record in that text. */
  readonly length: number;
}

/** Members of a record that are no field of a log: JSON values under the keys of the record. */
export type Extra = Readonly<Record<string, unknown>>;

/**
 * Why a record could not be read. The codes are stable; the text beside each
 * is what the manual says of it.
 */
export const unreadableCodes = {
  BAD_JSON: 'The record is no JSON',
  BAD_XML: 'The text is no whole <Msg> record',
  BAD_ROW: 'The row does not fit the header of its CSV entry',
  NOT_A_RECORD: 'The value is no object',
  NO_LOG: 'The record has neither a time nor a message',
  TOO_LONG: 'The record is longer than the limit',
  TOO_DEEP: 'The record is nested deeper than the limit',
  TRUNCATED: 'The record breaks off before its end, or the entry before that of its list',
  NOT_LOGS: 'The entry is in no format that logs come in',
} as const;

/** The stable code of a reason why a record could not be read. */
export type UnreadableCode = keyof typeof unreadableCodes;

/**
 * Something to know about a field of a log: it lost a value, which is kept in
 * `extra` under its own key, or some characters, or something had to be assumed.
 */
export interface Remark {
  readonly code: RemarkCode;
  readonly field: LogField;
}

/** What there is to know of a field. The codes are stable; the text beside each is what the manual says of it. */
export const remarkCodes = {
  WRONG_TYPE: 'The value does not fit the field',
  SECOND_VALUE: 'Another key had already given the field',
  NO_ZONE: 'The time names no zone and was read in the one that was given',
  TIME_UNIT: 'The time is a number that cannot be milliseconds, and its unit was not given',
  LOST_CHARACTERS: 'The text has characters that could not be read and stand as U+FFFD',
} as const;

/** The stable code of a remark. */
export type RemarkCode = keyof typeof remarkCodes;

/** How much of an unreadable record is kept as text, in UTF-16 units. */
export const maxRawLength = 65_536;

/** An unreadable record, its text cut to what is kept. */
export function unreadable(
  code: UnreadableCode,
  reason: string,
  { raw, position }: { raw: string; position: Position },
): UnreadableRecord {
  return { kind: 'unreadable', code, reason, raw: raw.slice(0, maxRawLength).toWellFormed(), position };
}

/** An unreadable record that is longer than the limit; `raw` may be its beginning only. */
export function tooLong(raw: string, position: Position, maxLength: number): UnreadableRecord {
  const reason = `The record has ${position.length} bytes; at most ${maxLength} are read`;
  return unreadable('TOO_LONG', reason, { raw, position });
}

/** Turns the bytes of an entry into records as they arrive. */
export interface RecordReader {
  /** The records that these bytes complete. */
  readonly push: (chunk: Uint8Array) => ReadRecord[];
  /** What the end of the entry completes. */
  readonly end: () => ReadRecord[];
}

/** How records are read. */
export interface ReaderOptions {
  /** The longest record that is read, in bytes. A longer one is unreadable. */
  readonly maxLength: number;
  /** The zone of times that name none. */
  readonly zone: Zone;
}
