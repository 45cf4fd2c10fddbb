import { byte } from './json-bytes.ts';
import { logFields, textFields } from './log.ts';
import { beforeFirst, likelyKey, lookUpKey } from './spelt-keys.ts';

/**
 * A log as it stands in the bytes of its line: nothing was made of them yet.
 * It is good until the next line is read.
 */
export interface PlainLine {
  /** The values of the fields that are numbers, in the order of `logFields`; NaN where the log has none. */
  readonly numbers: Float64Array;
  /** For each of `textFields` `textWidth` numbers: where its text begins, where it ends, and its hash. It begins where it ends when the log has none. */
  readonly texts: Int32Array;
}

/** So many numbers say where a text is. */
export const textWidth = 3;

/** Reads lines as nearly all lines of NDJSON are. */
export interface PlainReader {
  readonly line: PlainLine;
  /** Reads the line that begins at a place, and gives where it ends; -1 when it is not plain. */
  readonly read: (from: number) => number;
}

/** Bytes, which can also be read four at a time. */
interface Bytes {
  readonly bytes: Uint8Array;
  readonly words: DataView;
}

const none = -1;

const time = logFields.indexOf('time');
const elapsed = logFields.indexOf('elapsed');
const message = textWidth * textFields.indexOf('msg');

/** The fields that are numbers come first. */
const numberCount = logFields.length - textFields.length;

/** Numbers of so few digits are exact, with and without a fraction. */
const mostDigits = 15;

/** The powers of ten up to that of the longest fraction: these are exact. */
const powersOfTen = Float64Array.from({ length: mostDigits }, (_, power) => 10 ** power);

/**
 * A reader of the plain lines of a region: those that are an object of nothing
 * but the fields of a log, each once, with texts that have no escapes and
 * numbers of a few digits. It finds in them what `readText` does, sooner. All
 * other lines are left to that, which has the last word on what a log is.
 */
export function plainReader(bytes: Uint8Array, maxLength: number): PlainReader {
  const source = { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
  const line = {
    numbers: new Float64Array(numberCount),
    texts: new Int32Array(textWidth * textFields.length),
  };
  return { line, read };

  function read(from: number): number {
    const end = readLine(source, from, line);
    return end - from <= maxLength ? end : none;
  }
}

function readLine(source: Bytes, from: number, line: PlainLine): number {
  const { numbers, texts } = line;
  numbers.fill(Number.NaN);
  texts.fill(0);
  const end = readMembers(source, from, line);
  const isWhole = end === source.bytes.length || source.bytes[end] === byte.lineFeed;
  const isLog = !Number.isNaN(numbers[time]) || texts[message] !== texts[message + 1];
  return isWhole && isLog ? end : none;
}

/** Reads the object that begins at a place, and gives where the blanks behind it end. */
function readMembers(source: Bytes, from: number, line: PlainLine): number {
  const { bytes } = source;
  if (bytes[from] !== byte.openObject) return none;
  let seen = 0;
  let field: number = beforeFirst;
  let at = from;
  do {
    at = readKey(source, afterBlanks(bytes, at + 1), field);
    if (at < 0) return none;
    field = found.field;
    // Which of two values is the field's is for those to say who see the whole record.
    if ((seen & (1 << field)) !== 0) return none;
    seen |= 1 << field;
    at = readValue(source, afterBlanks(bytes, at), { line, field });
    if (at < 0) return none;
    at = afterBlanks(bytes, at);
  } while (bytes[at] === byte.comma);
  return bytes[at] === byte.closeObject ? afterBlanks(bytes, at + 1) : none;
}

/** What may be read. It is used again and again. */
interface Found {
  field: number;
  from: number;
  to: number;
  hash: number;
}

/** What was read last: the field of a key, and where a string is. */
const found: Found = { field: 0, from: 0, to: 0, hash: 0 };

/** Reads a key behind that of another field, and its colon, and gives where they end. */
function readKey(source: Bytes, from: number, before: number): number {
  const { bytes } = source;
  const likely = likelyKey(bytes, from, before);
  if (likely) {
    found.field = likely.field;
    return from + likely.length;
  }
  const end = readString(source, from);
  const key = end < 0 ? undefined : lookUpKey(bytes, found, before);
  if (!key) return none;
  found.field = key.field;
  const colon = afterBlanks(bytes, end);
  return bytes[colon] === byte.colon ? colon + 1 : none;
}

/** The field that a value is for, and where it goes. */
interface Target {
  readonly line: PlainLine;
  readonly field: number;
}

/** Reads the value of a field, and gives where it ends. */
function readValue(source: Bytes, at: number, { line, field }: Target): number {
  if (source.bytes[at] !== byte.quote)
    return field < numberCount ? readNumber(source.bytes, at, { line, field }) : none;
  const end = readString(source, at);
  if (end < 0) return none;
  const place = textWidth * (field - numberCount);
  // An empty text is no number either.
  if (place < 0) return found.from === found.to ? end : none;
  line.texts[place] = found.from;
  line.texts[place + 1] = found.to;
  line.texts[place + 2] = found.hash;
  return end;
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

/** Reads the string that begins at a place, when it has no escapes, and gives where it ends. Its hash is made on the way. */
function readString({ bytes, words }: Bytes, from: number): number {
  if (bytes[from] !== byte.quote) return none;
  const lastWord = bytes.length - 4;
  let hash = 0;
  let at = from + 1;
  for (; at <= lastWord; at += 4) {
    const word = words.getInt32(at, true);
    if (hasSpecial(word)) break;
    hash = Math.imul(hash ^ word, 0x01000193);
  }
  for (let code = bytes[at] ?? 0; isPlain[code] === 1; code = bytes[++at] ?? 0)
    hash = Math.imul(hash ^ code, 0x01000193);
  if (bytes[at] !== byte.quote) return none;
  found.from = from + 1;
  found.to = at;
  found.hash = hash;
  return at + 1;
}

/**
 * Whether one of four bytes is a quote, a backslash or a control character. A
 * byte is zero where taking 1 of it borrows, and below a blank where taking
 * that does: then its highest bit was not set, and is.
 */
function hasSpecial(word: number): boolean {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  const borrows =
    ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash) | ((word - 0x20202020) & ~word);
  return (borrows & 0x80808080) !== 0;
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
  line.numbers[field] = value / (powersOfTen[decimals] ?? Number.NaN);
  return at;
}

/** The bytes that stand for themselves in a string of JSON. */
const isPlain = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(byte.blank <= code && code !== byte.quote && code !== byte.backslash),
);
