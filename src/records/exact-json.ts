/** A JSON number that a double would write differently, for example `12345678901234567890` or `1.0`. */
export class ExactNumber {
  /** The digits as they stand in the JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** The nearest double, for writers other than `writeExactJson`. */
  toJSON(): number {
    return Number(this.text);
  }
}

/** Returns whether two JSON numbers are equal, whatever their spelling. */
export function isSameNumber(one: string, other: string): boolean {
  return digitsOf(one) === digitsOf(other);
}

/** A canonical spelling: sign, significant digits and exponent. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:[eE](.*))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reports if a JSON value is an object: neither an array nor an `ExactNumber`. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/**
 * Parses JSON like `JSON.parse`, but keeps a number that its double would write differently as an
 * `ExactNumber`, which `writeExactJson` writes unchanged. Throws the error of `JSON.parse`.
 *
 * ```ts
 * readExactJson('{"id":9007199254740993}'); // { id: new ExactNumber('9007199254740993') }
 * ```
 */
export function readExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d/.test(text) ? readLiterals(text, toExact) : value;
}

/**
 * Paths of the members that an object of a JSON text has twice, such as `spec.replicas.min`. Which of the two a
 * reader takes is not defined, so a program should refuse them. Throws `SyntaxError` if the text is no JSON.
 *
 * ```ts
 * duplicateMembers('{"a":1,"a":2}');
 * ```
 */
export function duplicateMembers(text: string): readonly string[] {
  JSON.parse(text);
  const paths: string[] = [];
  readLiterals(
    text,
    () => '',
    (path) => paths.push(path),
  );
  return [...new Set(paths)];
}

function toExact(token: string): unknown {
  const value: unknown = JSON.parse(token);
  return typeof value !== 'number' || String(value) === token ? value : new ExactNumber(token);
}

/** A JSON value in which strings, numbers, `true`, `false` and `null` are of type `L`. */
export type Json<L> = L | readonly Json<L>[] | { readonly [key: string]: Json<L> };

/** Characters of a number, `true`, `false` or `null`. */
const literal = /[^\s,\]}]+/y;

/** An unfinished array or object. */
interface Open<L> {
  readonly items: Json<L>[];
  /** The members of an object so far; undefined for an array. */
  readonly members: [string, Json<L>][] | undefined;
  /** The key whose value is read next. */
  key: string | undefined;
}

/**
 * Reads a text known to be valid JSON, without recursion. `toValue` converts each number, `true`,
 * `false` and `null` from its written form; `key` is its member name, or empty within an array. `onDuplicate` gets
 * the path of each member that an object has already.
 */
function readLiterals<L>(
  text: string,
  toValue: (token: string, key: string) => L,
  onDuplicate?: (path: string) => void,
): Json<L | string> {
  const open: Open<L | string>[] = [];
  let result: Json<L | string> = '';
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
      const [token = ''] = literal.exec(text) ?? [];
      put(toValue(token, open.at(-1)?.key ?? ''));
      at += token.length;
    }
  }
  return result;

  function put(value: Json<L | string>): void {
    const parent = open.at(-1);
    if (!parent) result = value;
    else if (!parent.members) parent.items.push(value);
    else if (parent.key === undefined) parent.key = String(value);
    else {
      const { key, members } = parent;
      if (onDuplicate && members.some(([name]) => name === key))
        onDuplicate(open.map((ancestor) => ancestor.key ?? String(ancestor.items.length)).join('.'));
      parent.members.push([parent.key, value]);
      parent.key = undefined;
    }
  }
}

/** The offset behind the string that starts at `from`. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); 0 <= end; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

/**
 * Writes a value of `readExactJson`, or one of plain arrays and objects, like `JSON.stringify`,
 * with each `ExactNumber` unchanged. With `indent` each member has its own line, indented by that
 * number of spaces.
 *
 * ```ts
 * writeExactJson(readExactJson('{"id":9007199254740993}'));
 * ```
 */
export function writeExactJson(value: unknown, indent = 0): string {
  return write(value, indent, indent === 0 ? '' : '\n') ?? 'null';
}

/** Undefined for a value that JSON cannot express, for example `undefined`. */
function write(value: unknown, indent: number, lineBreak: string): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = lineBreak === '' ? '' : lineBreak + ' '.repeat(indent);
  if (Array.isArray(value)) {
    const items = value.map((item) => inner + (write(item, indent, inner) ?? 'null'));
    return items.length === 0 ? '[]' : `[${items.join(',')}${lineBreak}]`;
  }
  const colon = indent === 0 ? ':' : ': ';
  const members = Object.entries(value).flatMap(([key, member]) => {
    const text = write(member, indent, inner);
    return text === undefined ? [] : [`${inner}${JSON.stringify(key)}${colon}${text}`];
  });
  return members.length === 0 ? '{}' : `{${members.join(',')}${lineBreak}}`;
}

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
  return isWanted ? readLiterals(text, (token, key) => toValue(token, isText(key))) : value;
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

function toValue(token: string, isText: boolean): null | boolean | number | string {
  const value: null | boolean | number | string = JSON.parse(token);
  if (typeof value !== 'number' || String(value) === token) return value;
  return !isText && isSameNumber(token, String(value)) ? value : token;
}
