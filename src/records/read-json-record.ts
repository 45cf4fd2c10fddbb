import { aliasOf } from './aliases.ts';
import { isObject } from './json/exact-json.ts';
import { type LogField, textFields } from './log.ts';
import { parseJson } from './parse-json.ts';
import { type Position, type ReadRecord, unreadableRecord } from './record.ts';
import { toLog } from './to-log.ts';
import { utcClocks, type Zone } from './zone.ts';

/** Maximum nesting of values: no log is nested deeper, and writing one out would recurse. */
const maxDepth = 100;

/** Text of a record, its position, and the zone of times that name none. */
export interface RecordText {
  readonly raw: string;
  readonly position: Position;
  readonly zone: Zone;
}

/**
 * Matches a first character that no JSON text has, after white space. The equivalent error of
 * `JSON.parse` takes longer than all other work on a short line.
 */
const noJson = /^[ \t\r\n]*([^ \t\r\n{["\-\dtfnu])/;

const texts: ReadonlySet<LogField> = new Set(textFields);

/** Reports if a key denotes a text field. */
function isTextKey(key: string): boolean {
  const alias = aliasOf(key);
  return alias !== undefined && texts.has(alias.field);
}

/** Reads the JSON text of one record. A number in a text field stays as written. */
export function readJsonRecord(text: RecordText): ReadRecord {
  const { raw, position } = text;
  const [, odd] = noJson.exec(raw) ?? [];
  if (odd !== undefined)
    return unreadableRecord('BAD_JSON', `The record is not JSON: Unexpected token '${odd}'`, {
      raw,
      position,
    });
  let value: unknown;
  try {
    value = parseJson(raw, isTextKey);
  } catch (error) {
    return unreadableRecord('BAD_JSON', `The record is not JSON: ${whatIsWrong(error)}`, { raw, position });
  }
  if (isObject(value)) return readRecordMembers(value, text);
  return unreadableRecord('NOT_A_RECORD', `The record is ${nameOf(value)}, not an object`, { raw, position });
}

/** Converts the members of one record, in any format, to a log or an unreadable record. */
export function readRecordMembers(
  members: Readonly<Record<string, unknown>>,
  { raw, position, zone }: RecordText,
): ReadRecord {
  const reading = toLog(members, zone);
  if (reading.log.time === undefined && reading.log.msg === undefined)
    return unreadableRecord('NO_LOG', 'The record has neither a time nor a message', { raw, position });
  if (reading.extra && isDeep(reading.extra, maxDepth))
    return unreadableRecord('TOO_DEEP', `The record is nested deeper than ${maxDepth} levels`, {
      raw,
      position,
    });
  return { kind: 'log', ...reading, raw, position };
}

/** Parses a JSON object; undefined if the text is not one. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reports if members are certainly a log and not a reply that holds logs. */
export function isWholeLog(members: Readonly<Record<string, unknown>>): boolean {
  const { log } = toLog(members, utcClocks);
  return log.time !== undefined && log.msg !== undefined;
}

/** Returns the parser message without the quoted text: the record is stored beside it. */
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
