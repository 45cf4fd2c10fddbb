import { isObject, isSameNumber, type Json, type JsonObject, readLiterals } from './json/exact-json.ts';

/** Matches numbers of more than 15 digits or with an exponent: only these change as doubles. */
const mayChange = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/** A JSON value. */
export type JsonValue = Json<null | boolean | number | string>;

/**
 * Parses JSON text like `JSON.parse`, except that a number becomes the text as written if its
 * double prints a different number. Under a key for which `isText` holds, a number becomes text
 * unless its double prints exactly as written. Throws the error of `JSON.parse`.
 */
export function parseJson(text: string, isText: (key: string) => boolean = () => false): JsonValue {
  const value: JsonValue = JSON.parse(text);
  const isWanted = mayChange.test(text) || (isObject(value) && isOtherwiseWritten(value, { text, isText }));
  return isWanted ? readLiterals(text, (written, key) => toValue(written, isText(key))) : value;
}

/**
 * Reports if a record, or the log nested in it, may have a number for a text field whose double prints
 * differently.
 */
function isOtherwiseWritten(
  record: JsonObject,
  { text, isText }: { readonly text: string; readonly isText: (key: string) => boolean },
): boolean {
  const hasOne = (members: JsonObject) =>
    Object.keys(members).some((key) => {
      const value = members[key];
      return typeof value === 'number' && isText(key) && !isWrittenOnce(text, key, String(value));
    });
  const { log } = record;
  return hasOne(record) || (isObject(log) && hasOne(log));
}

/** Reports if a key occurs once in a text, followed by a number in exactly this spelling. */
function isWrittenOnce(text: string, key: string, number: string): boolean {
  const from = text.indexOf(`"${key}"`);
  if (from < 0 || 0 <= text.indexOf(`"${key}"`, from + 1)) return false;
  let at = from + key.length + 2;
  while (' :\t\n\r'.includes(text[at] ?? '.')) at++;
  return text.startsWith(number, at) && ' ,}\t\n\r'.includes(text[at + number.length] ?? '.');
}

function toValue(written: string, isText: boolean): null | boolean | number | string {
  const value: null | boolean | number | string = JSON.parse(written);
  if (typeof value !== 'number' || String(value) === written) return value;
  return !isText && isSameNumber(written, String(value)) ? value : written;
}
