import { aliasOf } from './aliases.ts';
import { type LogField, textFields } from './log.ts';
import { isObject, parseJson } from './parse-json.ts';
import { type Position, type ReadRecord, unreadable } from './record.ts';
import { toLog } from './to-log.ts';
import { utc, type Zone } from './zone.ts';

/** Values nested deeper than this are not read: nothing that is a log is, and writing them out again would recurse. */
const maxDepth = 100;

/** The text of a record, where it stands, and the zone of times that name none. */
export interface RecordText {
  readonly raw: string;
  readonly position: Position;
  readonly zone: Zone;
}

/**
 * The first sign of a text that begins as no JSON does, behind white space. An error of `JSON.parse`, which says the same,
 * takes longer than all else that is done to a short line.
 */
const noJson = /^[ \t\r\n]*([^ \t\r\n{["\-\dtfnu])/;

const texts: ReadonlySet<LogField> = new Set(textFields);

/** Whether a key stands for a field that holds text. */
function isTextKey(key: string): boolean {
  const alias = aliasOf(key);
  return alias !== undefined && texts.has(alias.field);
}

/** Reads the JSON text of one record. A number that a text is made of stays as it is written. */
export function readText(text: RecordText): ReadRecord {
  const { raw, position } = text;
  const [, odd] = noJson.exec(raw) ?? [];
  if (odd !== undefined)
    return unreadable('BAD_JSON', `The record is no JSON: Unexpected token '${odd}'`, { raw, position });
  let value: unknown;
  try {
    value = parseJson(raw, isTextKey);
  } catch (error) {
    return unreadable('BAD_JSON', `The record is no JSON: ${whatIsWrong(error)}`, { raw, position });
  }
  if (isObject(value)) return readMembers(value, text);
  return unreadable('NOT_A_RECORD', `The record is ${nameOf(value)}, not an object`, { raw, position });
}

/** Reads the members of one record, however they were written. */
export function readMembers(
  members: Readonly<Record<string, unknown>>,
  { raw, position, zone }: RecordText,
): ReadRecord {
  const reading = toLog(members, zone);
  if (reading.log.time === undefined && reading.log.msg === undefined)
    return unreadable('NO_LOG', 'The record has neither a time nor a message', { raw, position });
  if (reading.extra && isDeep(reading.extra, maxDepth))
    return unreadable('TOO_DEEP', `The record is nested deeper than ${maxDepth} levels`, { raw, position });
  return { kind: 'log', ...reading, raw, position };
}

/** The members of the JSON object that a text is; undefined when it is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether members are certainly a log's and not those of a reply that holds logs. */
export function isWholeLog(members: Readonly<Record<string, unknown>>): boolean {
  const { log } = toLog(members, utc);
  return log.time !== undefined && log.msg !== undefined;
}

/** What the parser says, without the text that it quotes: the record is kept beside it. */
function whatIsWrong(error: unknown): string {
  return error instanceof Error ? error.message.replace(/, (\.\.\.)?".*$/s, '') : String(error);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeep(member, levels - 1));
}
