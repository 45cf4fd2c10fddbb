/** Numbers of more than 15 digits or with an exponent: no other one is changed by becoming a double. */
const mayChange = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/** What may stand where a value begins that is no text, list or object. */
const literal = /[^\s,\]}]+/y;

/** A value of JSON. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * The value of a JSON text, as `JSON.parse` has it, but a number that is not
 * the one that its double prints is the text that stands there. So is any
 * number under a key that `isText` holds for, unless it prints as it stands.
 * Throws the error of `JSON.parse`.
 */
export function parseJson(text: string, isText: (key: string) => boolean = () => false): JsonValue {
  const value: JsonValue = JSON.parse(text);
  const isWanted = mayChange.test(text) || (isObject(value) && isOtherwiseWritten(value, { text, isText }));
  return isWanted ? readAgain(text, isText) : value;
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

/** A list or an object under way. */
interface Open {
  readonly items: JsonValue[];
  /** The members of an object so far; undefined for a list. */
  readonly members: [string, JsonValue][] | undefined;
  /** The key of which the value is read next. */
  key: string | undefined;
}

/** Reads a text that is JSON without recursion. */
function readAgain(text: string, isText: (key: string) => boolean): JsonValue {
  const open: Open[] = [];
  let result: JsonValue = null;
  for (let at = 0; at < text.length; ) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      put(JSON.parse(text.slice(at, end)));
      at = end;
    } else if (sign === '{' || sign === '[') {
      open.push({ items: [], members: sign === '{' ? [] : undefined, key: undefined });
      at++;
    } else if (sign === '}' || sign === ']') {
      const { members, items } = open.pop() ?? { items: [] };
      put(members ? Object.fromEntries(members) : items);
      at++;
    } else if (sign === ',' || sign === ':' || sign === undefined || /\s/.test(sign)) at++;
    else {
      literal.lastIndex = at;
      const [written = ''] = literal.exec(text) ?? [];
      put(toValue(written, isText(open.at(-1)?.key ?? '')));
      at += written.length;
    }
  }
  return result;

  function put(value: JsonValue): void {
    const parent = open.at(-1);
    if (!parent) result = value;
    else if (!parent.members) parent.items.push(value);
    else if (parent.key === undefined) parent.key = String(value);
    else {
      parent.members.push([parent.key, value]);
      parent.key = undefined;
    }
  }
}

/** The place behind the string that begins at a place. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); 0 <= end; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

function toValue(written: string, isText: boolean): JsonValue {
  const value: JsonValue = JSON.parse(written);
  if (typeof value !== 'number' || String(value) === written) return value;
  return !isText && isSame(written, String(value)) ? value : written;
}

/** Whether two texts say the same number. */
function isSame(one: string, other: string): boolean {
  return digitsOf(one) === digitsOf(other);
}

/** The digits of a number without zeros around them, its sign, and the place of its point. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:[eE](.*))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
