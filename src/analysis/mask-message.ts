import { equalsBytes, hashOf } from './group-blocks.ts';

/** The bytes of a message that are masked; what is behind them belongs to no pattern. */
export const maskedLength = 4096;

/** Bytes of the mask under construction, and the values that it replaces. */
interface Masking {
  readonly bytes: Uint8Array;
  readonly end: number;
  out: Uint8Array;
  length: number;
  /** Called with the bytes of each value that is masked, in order. */
  readonly onValue: ((from: number, to: number) => void) | undefined;
}

/** Classes of bytes as masking sees them, one bit each. */
const byteClass = {
  digit: 1,
  letter: 2,
  /** Hexadecimal digits that are letters. */
  hexLetter: 4,
  blank: 8,
  /** Ends a chunk: brackets, separators of lists, and `=`. */
  delimiter: 16,
  quote: 32,
  /** Sentence punctuation: it ends a chunk where a blank or nothing follows. */
  punctuation: 64,
} as const;

const { digit, letter, blank, delimiter, quote, punctuation } = byteClass;
const [space, percent, hyphen, dot, slash, colon, at, backslash] = [
  0x20, 0x25, 0x2d, 0x2e, 0x2f, 0x3a, 0x40, 0x5c,
];

/** Units of numbers have few letters: `ms`, `MB`, `rows`. */
const longestUnit = 4;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const quoted = encoder.encode('<text>');
const number = encoder.encode('<number>');

/** A chunk and its mask. */
interface MaskedChunk {
  readonly chunk: Uint8Array;
  readonly mask: Uint8Array;
}

/** Masks of recent chunks by the hash of their bytes: decoding and matching takes twenty times as long. */
const recent: (MaskedChunk | undefined)[] = new Array(1 << 14).fill(undefined);

/** Masks messages one after the other in one buffer. */
export interface Masker {
  /**
   * Masks the message in `bytes` from `start` to `end`. Returns the mask as
   * UTF-8: a view that the next call overwrites.
   */
  readonly mask: (
    bytes: Uint8Array,
    start: number,
    end: number,
    onValue?: (from: number, to: number) => void,
  ) => Uint8Array;
}

/** Creates a masker. */
export function createMasker(): Masker {
  let buffer = new Uint8Array(2 * maskedLength);
  return {
    mask(bytes, start, end, onValue) {
      const masking = { bytes, end: Math.min(end, start + maskedLength), out: buffer, length: 0, onValue };
      maskRange(masking, start);
      buffer = masking.out;
      return buffer.subarray(0, masking.length);
    },
  };
}

/** The mask of a message: its text with the variable values replaced by their kinds, blanks collapsed. */
export function maskMessage(message: string): string {
  const bytes = encoder.encode(message);
  return decoder.decode(createMasker().mask(bytes, 0, bytes.length));
}

function maskRange(masking: Masking, start: number): void {
  const { bytes, end } = masking;
  let position = start;
  while (position < end) {
    const kind = classAt(bytes, position);
    if (kind & blank) {
      if (0 < masking.length && masking.out[masking.length - 1] !== space) push(masking, space);
      position++;
    } else if (kind & quote) position = maskQuoted(masking, position);
    else if (kind & delimiter) push(masking, bytes[position++] ?? space);
    else position = maskChunk(masking, position);
  }
  if (masking.out[masking.length - 1] === space && 0 < masking.length) masking.length--;
}

/** A quote that opens a text up to its twin becomes a mask between the two; any other stays as it is. */
function maskQuoted(masking: Masking, position: number): number {
  const { bytes, end, onValue } = masking;
  const mark = bytes[position] ?? 0;
  push(masking, mark);
  for (let close = position + 1; close < end; close++) {
    if (bytes[close] !== mark || isWord(bytes, close + 1, end)) continue;
    if (close === position + 1) break;
    const from = endOfKeyword(bytes, position + 1, close);
    copy(masking, position + 1, from);
    if (from === close) {
      push(masking, mark);
      return close + 1;
    }
    onValue?.(from, close);
    append(masking, quoted);
    push(masking, mark);
    return close + 1;
  }
  return position + 1;
}

/** Methods of HTTP in front of an address. */
const method = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)(?= |$)/;

/** No word of `actions` is longer. */
const longestAction = 12;

/** The end of what tells kinds of messages apart within quotes: a method with its blank, or a single word for an act or a state. */
function endOfKeyword(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] ?? 0;
  if (!(classAt(bytes, start) & letter) || 0x80 <= first) return start;
  const text = decoder.decode(bytes.subarray(start, Math.min(end, start + longestAction + 1)));
  const [name] = method.exec(text) ?? [];
  if (name !== undefined) return Math.min(end, start + name.length + 1);
  return end - start <= longestAction && actions.has(text.toLowerCase()) ? end : start;
}

/** Words for acts and states: what they tell apart is never one kind of message. */
const actions: ReadonlySet<string> = new Set(
  `start started starting stop stopped stopping restart restarted begin began begun end ended enable enabled disable
  disabled open opened close closed up down on off add added remove removed create created delete deleted insert inserted
  update updated connect connected disconnect disconnected lock locked unlock unlocked active inactive activate activated
  deactivate deactivated succeeded success fail failed failure passed true false yes no allow allowed deny denied granted
  accept accepted reject rejected refused login logout read write attach attached detach detached mount mounted unmount
  unmounted online offline available unavailable valid invalid suspend suspended resume resumed load loaded unload
  unloaded acquire acquired release released send sent receive received entering leaving`.split(/\s+/),
);

/** Returns if a word, or the first part of a name in camel case, is one for an act or a state. */
export function isAction(word: string): boolean {
  const [name = '', verb = ''] = /^([A-Za-z]?[a-z]*|[A-Z]+)(?=[A-Z]|[.,;:!]*$)/.exec(word) ?? [];
  return actions.has((verb || name).toLowerCase()) || (method.test(word) && !word.includes(' '));
}

function isWord(bytes: Uint8Array, position: number, end: number): boolean {
  return position < end && (classAt(bytes, position) & (letter | digit)) !== 0;
}

/** Copies or masks a run of characters without blanks, delimiters and opening quotes. */
function maskChunk(masking: Masking, start: number): number {
  const { bytes, end } = masking;
  let position = start;
  let isVariable = false;
  let isUrl = false;
  let isHexadecimal = true;
  while (position < end) {
    const kind = classAt(bytes, position);
    // A quote within a word is an apostrophe.
    if (kind & blank || (kind & quote && !isWord(bytes, position + 1, end))) break;
    const byte = bytes[position];
    if (kind & delimiter && !(isUrl && isUrlByte(byte))) break;
    if (byte === slash && bytes[position + 1] === slash && bytes[position - 1] === colon) isUrl = true;
    if (kind & digit || isValueByte(byte)) isVariable = true;
    // A point within a word may be of a host.
    else if (byte === dot && start < position && isWord(bytes, position + 1, end)) isVariable = true;
    if (!(kind & byteClass.hexLetter)) isHexadecimal = false;
    position++;
  }
  if (isHexadecimal && fewestHexadecimal <= position - start) isVariable = true;
  let last = position;
  while (start < last && classAt(bytes, last - 1) & punctuation) last--;
  if (isVariable && start < last) maskVariable(masking, start, last);
  else if (isCalendarName(bytes, start, last) && isBeforeDate(bytes, position, end)) {
    masking.onValue?.(start, last);
    append(masking, date);
  } else copy(masking, start, last);
  copy(masking, last, position);
  return position;
}

/** Letters up to "f" alone are a number if they are that many: no usual word is. */
const fewestHexadecimal = 8;

const date = encoder.encode('<date>');
const calendarNames: ReadonlySet<string> = new Set(
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun'.split(' '),
);

/** Returns if a range is the short name of a month or a weekday. */
function isCalendarName(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== 3 || !(classAt(bytes, start) & letter) || 0x5a < (bytes[start] ?? 0)) return false;
  return calendarNames.has(decoder.decode(bytes.subarray(start, end)));
}

/** Returns if a day of a month follows, or another name of a calendar. */
function isBeforeDate(bytes: Uint8Array, start: number, end: number): boolean {
  let position = start;
  while (position < end && classAt(bytes, position) & (blank | delimiter)) position++;
  if (position === start || end <= position) return false;
  return (
    (classAt(bytes, position) & digit) !== 0 || isCalendarName(bytes, position, Math.min(end, position + 3))
  );
}

/** Bytes of values without a digit: paths, addresses, and generated names. */
function isValueByte(byte: number | undefined): boolean {
  return byte === slash || byte === at || byte === backslash || byte === hyphen;
}

/** Delimiters that stand within addresses: `=`, `;`, `,` and `|`. */
function isUrlByte(byte: number | undefined): boolean {
  return byte === 0x3d || byte === 0x3b || byte === 0x2c || byte === 0x7c;
}

function maskVariable(masking: Masking, start: number, end: number): void {
  const { bytes, onValue } = masking;
  const unit = endOfNumber(bytes, start, end);
  if (start < unit && isUnit(bytes, unit, end)) {
    onValue?.(start, unit);
    append(masking, number);
    copy(masking, unit, end);
    return;
  }
  const { chunk, mask } = maskedChunk(bytes, start, end);
  if (mask !== chunk) onValue?.(start, end);
  append(masking, mask);
}

/** The end of the plain decimal number at `start`; `start` where there is none. */
function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  let last = start;
  let dots = 0;
  for (let position = start; position < end; position++) {
    if (classAt(bytes, position) & digit) last = position + 1;
    else if (bytes[position] === dot && start < last && last === position) dots++;
    else break;
  }
  // A second dot makes an address or a version.
  return dots < 2 ? last : start;
}

/** True if only a short unit follows: letters or a percent sign. */
function isUnit(bytes: Uint8Array, start: number, end: number): boolean {
  if (longestUnit < end - start) return false;
  for (let position = start; position < end; position++)
    if (!(classAt(bytes, position) & letter) && bytes[position] !== percent) return false;
  // Letters up to "f" may belong to a hexadecimal number, and "e" to an exponent.
  return start === end || !(classAt(bytes, start) & byteClass.hexLetter);
}

function maskedChunk(bytes: Uint8Array, start: number, end: number): MaskedChunk {
  const slot = hashOf(bytes, start, end) % recent.length;
  const known = recent[slot];
  if (known && equalsBytes(known.chunk, bytes, start, end)) return known;
  const chunk = bytes.slice(start, end);
  const text = decoder.decode(chunk);
  const mask = maskOfChunk(text);
  const masked = { chunk, mask: mask === text ? chunk : encoder.encode(mask) };
  recent[slot] = masked;
  return masked;
}

function classAt(bytes: Uint8Array, position: number): number {
  return classOfByte[bytes[position] ?? 0] ?? 0;
}

function copy(masking: Masking, start: number, end: number): void {
  reserve(masking, end - start);
  for (let position = start; position < end; position++)
    masking.out[masking.length++] = masking.bytes[position] ?? 0;
}

function append(masking: Masking, bytes: Uint8Array): void {
  reserve(masking, bytes.length);
  masking.out.set(bytes, masking.length);
  masking.length += bytes.length;
}

function push(masking: Masking, byte: number): void {
  reserve(masking, 1);
  masking.out[masking.length++] = byte;
}

function reserve(masking: Masking, more: number): void {
  if (masking.length + more <= masking.out.length) return;
  const larger = new Uint8Array(2 * (masking.length + more));
  larger.set(masking.out);
  masking.out = larger;
}

/** The class bits of each byte. Bytes of UTF-8 sequences count as letters. */
const classOfByte: Uint8Array = new Uint8Array(256).map((_, byte) => {
  const text = String.fromCharCode(byte);
  if (byte >= 0x80) return byteClass.letter;
  if (byte <= 0x20 || byte === 0x7f) return byteClass.blank;
  if (/\d/.test(text)) return byteClass.digit;
  if (/[a-f]/i.test(text)) return byteClass.letter | byteClass.hexLetter;
  if (/[a-z_]/i.test(text)) return byteClass.letter;
  if (/["'`]/.test(text)) return byteClass.quote;
  if (/[()[\]{}<>,;|=]/.test(text)) return byteClass.delimiter;
  return /[.:!?]/.test(text) ? byteClass.punctuation : 0;
});

/** A part of a message that stands for a variable value, or `undefined` where it is literal text. */
type Rule = readonly [pattern: RegExp, mask: string];

/**
 * The masks of whole chunks, the most telling first. A chunk is a run of
 * characters without blanks, quotes, brackets and list separators.
 */
const rules: readonly Rule[] = [
  [/^[a-z]?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i, '<uuid>'],
  [/^[a-z][a-z\d+.-]*:\/\/\S+$/i, '<url>'],
  [/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i, '<email>'],
  [/^\d{4}[-/]\d\d?[-/]\d\d?(?:t\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?$/i, '<date>'],
  [/^\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?$/i, '<time>'],
  [/^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?$/, '<ip>'],
  [/^(?=.*:.*:)[\da-f:]{3,}(?:%\w+)?$/i, '<ip>'],
  [/^(?:0x[\da-f]+|(?=\D*\d)(?=[^a-f]*[a-f])[\da-f]{8,})$/i, '<hex>'],
  [/^(?:[a-f]{8}|[a-f]{16,})$/i, '<hex>'],
  [
    /^(?!(?:com|org|net|io|edu|gov|java|javax|jdk|sun)\.)(?:[a-z\d_](?:[a-z\d_-]*[a-z\d])?\.){1,}(?:com|org|net|gov|edu|mil|info|local|lan|internal|intranet|corp|localdomain|test|invalid|example|svc|de|at|ch|uk|fr|nl|be|it|pl|se|dk|fi|eu|us|ca|au|nz|jp|cn|hk|tw|br|ru|kr|om|mx)(?::\d{1,5})?$/i,
    '<host>',
  ],
  [
    /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?!java|py|js|ts|kt|cpp|go|sh|rs|cs|php)[a-z]{2,6}:\d{2,5}$/,
    '<host>',
  ],
  [/^(?:[a-z]:)?[\\/](?!$)\S+$|^[^\\/]*(?:[\\/][^\\/]+){2,}[\\/]?$/i, '<path>'],
];

const chunkMaskNumber = /[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?/gi;

/**
 * A name part that a program made up: letters and digits by turns, as in the names of pods. Beside a hyphen letters
 * and a number are one as well, as in `j21118754-fbec`; elsewhere they are a name with a number, as `CPU12`.
 */
const generated =
  /(?<![a-z\d])(?:(?=[a-z]+\d+[a-z]|\d+[a-z]+\d)|(?:(?<=-)|(?=[a-z\d]+-))(?=(?:[a-z]+\d+|\d+[a-z]+)[a-z\d]))[a-z\d]{5,}(?![a-z\d])/gi;

/** The end of the name of a pod as Kubernetes makes it: two texts of its alphabet, which may lack digits by chance. */
const podSuffix = /-[b-df-hj-np-tv-xz2456789]{8,10}-[b-df-hj-np-tv-xz2456789]{5}(?![a-z\d])/g;

/**
 * The mask of a chunk: of all of it where it is a value of a known shape, else
 * of the numbers and generated names in it. Chunks without digits, slashes,
 * hyphens and `@` are returned unchanged.
 */
function maskOfChunk(chunk: string): string {
  for (const [pattern, mask] of rules) if (pattern.test(chunk)) return mask;
  const at = chunk.indexOf('@');
  // An object as Java writes it: its class, and a hash.
  if (0 < at && /^[\da-f]+$/i.test(chunk.slice(at + 1))) return `${maskOfChunk(chunk.slice(0, at))}@<hex>`;
  return chunk
    .replace(podSuffix, '-<id>-<id>')
    .replace(generated, '<id>')
    .replace(chunkMaskNumber, '<number>');
}
