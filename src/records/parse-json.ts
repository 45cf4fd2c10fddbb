import { isSameNumber, type Json, readLiterals } from '../json/index.ts';

/** Numbers of more than 15 digits or with an exponent: no other one is changed by becoming a double. */
const mayChange = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/** A value of JSON. */
export type JsonValue = Json<null | boolean | number | string>;

/**
 * The value of a JSON text, as `JSON.parse` has it, but a number that is not
 * the one that its double prints is the text that stands there. So is any
 * number under a key that `isText` holds for, unless it prints as it stands.
 * Throws the error of `JSON.parse`.
 */
export function parseJson(text: string, isText: (key: string) => boolean = () => false): JsonValue {
  const value: JsonValue = JSON.parse(text);
  const isWanted = mayChange.test(text) || (isObject(value) && isOtherwiseWritten(value, { text, isText }));
  return isWanted ? readLiterals(text, (written, key) => toValue(written, isText(key))) : value;
}

/** Whether a record, or the log that it holds, may have a number for a text that does not print as it is written. */
function isOtherwiseWritten(
  record: Members,
  { text, isText }: { readonly text: string; readonly isText: (key: string) => boolean },
): boolean {
  const hasOne = (members: Members) =>
    Object.keys(members).some((key) => {
      const value = members[key];
      return typeof value === 'number' && isText(key) && !isWrittenOnce(text, key, String(value));
    });
  const { log } = record;
  return hasOne(record) || (isObject(log) && hasOne(log));
}

/** Whether a key stands in a text once, with a number behind it that is written like this. */
function isWrittenOnce(text: string, key: string, number: string): boolean {
  const from = text.indexOf(`"${key}"`);
  if (from < 0 || 0 <= text.indexOf(`"${key}"`, from + 1)) return false;
  let at = from + key.length + 2;
  while (' :\t\n\r'.includes(text[at] ?? '.')) at++;
  return text.startsWith(number, at) && ' ,}\t\n\r'.includes(text[at + number.length] ?? '.');
}

type Members = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toValue(written: string, isText: boolean): null | boolean | number | string {
  const value: null | boolean | number | string = JSON.parse(written);
  if (typeof value !== 'number' || String(value) === written) return value;
  return !isText && isSameNumber(written, String(value)) ? value : written;
}
