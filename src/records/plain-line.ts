import { aliasOf } from './aliases.ts';
import { byteMap } from './byte-map.ts';
import { byte } from './json-bytes.ts';
import { logFields, textFields } from './log.ts';

/**
 * A log as it stands in the bytes of its line: nothing was made of them yet.
 * It is good until the next line is read.
 */
export interface PlainLine {
  /** The values of the fields that are numbers, in the order of `logFields`; NaN where the log has none. */
  readonly numbers: Float64Array;
  /** For each of `textFields` where its text begins and where it ends: the same place where the log has none. */
  readonly texts: Int32Array;
}

/** Reads lines as nearly all lines of NDJSON are. */
export interface PlainReader {
  readonly line: PlainLine;
  /** Reads the line that begins at a place, and gives where it ends; -1 when it is not plain. */
  readonly read: (from: number) => number;
}

const none = -1;

const time = logFields.indexOf('time');
const elapsed = logFields.indexOf('elapsed');
const message = 2 * textFields.indexOf('msg');

/** The fields that are numbers come first. */
const numberCount = logFields.length - textFields.length;

/** Numbers of so few digits are exact, with and without a fraction. */
const mostDigits = 15;

/**
 * A reader of the plain lines of a region: those that are an object of nothing
 * but the fields of a log, each once, with texts that have no escapes and
 * numbers of a few digits. It finds in them what `readText` does, sooner. All
 * other lines are left to that, which has the last word on what a log is.
 */
export function plainReader(bytes: Uint8Array, maxLength: number): PlainReader {
  const line = {
    numbers: new Float64Array(numberCount),
    texts: new Int32Array(2 * textFields.length),
  };
  return { line, read };

  function read(from: number): number {
    const end = readLine(bytes, from, line);
    return end - from <= maxLength ? end : none;
  }
}

function readLine(bytes: Uint8Array, from: number, line: PlainLine): number {
  const { numbers, texts } = line;
  numbers.fill(Number.NaN);
  texts.fill(0);
  const end = readMembers(bytes, from, line);
  const isWhole = end === bytes.length || bytes[end] === byte.lineFeed;
  const isLog = !Number.isNaN(numbers[time]) || texts[message] !== texts[message + 1];
  return isWhole && isLog ? end : none;
}

/** Reads the object that begins at a place, and gives where the blanks behind it end. */
function readMembers(bytes: Uint8Array, from: number, line: PlainLine): number {
  if (bytes[from] !== byte.openObject) return none;
  let seen = 0;
  let at = from;
  do {
    const key = afterBlanks(bytes, at + 1);
    at = stringEnd(bytes, key);
    if (at < 0) return none;
    const field = fieldOf(bytes, key + 1, at);
    // Which of two values is the field's is for those to say who see the whole record.
    if (field < 0 || (seen & (1 << field)) !== 0) return none;
    seen |= 1 << field;
    at = afterBlanks(bytes, at + 1);
    if (bytes[at] !== byte.colon) return none;
    at = readValue(bytes, afterBlanks(bytes, at + 1), { line, field });
    if (at < 0) return none;
    at = afterBlanks(bytes, at);
  } while (bytes[at] === byte.comma);
  return bytes[at] === byte.closeObject ? afterBlanks(bytes, at + 1) : none;
}

/** The field that a value is for, and where it goes. */
interface Target {
  readonly line: PlainLine;
  readonly field: number;
}

/** Reads the value of a field, and gives where it ends. */
function readValue(bytes: Uint8Array, at: number, { line, field }: Target): number {
  if (bytes[at] !== byte.quote) return field < numberCount ? readNumber(bytes, at, { line, field }) : none;
  const end = stringEnd(bytes, at);
  if (end < 0) return none;
  const place = 2 * (field - numberCount);
  // An empty text is no number either.
  if (place < 0) return end === at + 1 ? end + 1 : none;
  line.texts[place] = at + 1;
  line.texts[place + 1] = end;
  return end + 1;
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (
    let code = bytes[at];
    code === byte.blank || code === byte.tab || code === byte.return;
    code = bytes[at]
  )
    at++;
  return at;
}

/** Where the string ends whose opening quote stands at a place, when it has no escapes. */
function stringEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== byte.quote) return none;
  let at = from + 1;
  while (isPlain[bytes[at] ?? 0] === 1) at++;
  return bytes[at] === byte.quote ? at : none;
}

/** Reads a number without a sign and an exponent. Only `elapsed` may have a fraction. */
function readNumber(bytes: Uint8Array, from: number, { line, field }: Target): number {
  let value = 0;
  let point = none;
  let at = from;
  for (; ; at++) {
    const code = bytes[at] ?? 0;
    if (byte.zero <= code && code <= byte.nine) value = 10 * value + code - byte.zero;
    else if (code === byte.point && point < 0 && field === elapsed) point = at;
    else break;
  }
  const decimals = point < 0 ? 0 : at - point - 1;
  const whole = (point < 0 ? at : point) - from;
  if (whole === 0 || (1 < whole && bytes[from] === byte.zero)) return none;
  if ((0 <= point && decimals === 0) || mostDigits < whole + decimals) return none;
  // Both are exact, so their quotient is the number nearest to what is written.
  line.numbers[field] = value / 10 ** decimals;
  return at;
}

/** The bytes that stand for themselves in a string of JSON. */
const isPlain = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(byte.blank <= code && code !== byte.quote && code !== byte.backslash),
);

/** Longer keys are no field's, as far as is known. */
const longestKey = 64;

/** The places in `logFields` of the fields that keys stand for, as they were spelt. */
const known = byteMap<number>(512);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The place in `logFields` of the field that a key stands for. */
function fieldOf(bytes: Uint8Array, from: number, to: number): number {
  if (longestKey < to - from) return none;
  return known.get(bytes, from, to) ?? learn(new Uint8Array(bytes.subarray(from, to)));
}

function learn(key: Uint8Array): number {
  const alias = aliasOf(decoder.decode(key));
  if (!alias) return none;
  const place = logFields.indexOf(alias.field);
  known.add(place, { bytes: key, from: 0, to: key.length });
  return place;
}
