import { csvReader, headingOf, readHeader } from './csv.ts';
import { assumedEncoding, toUtf8 } from './encoding.ts';
import { envelopeReader, holdEnvelopes } from './envelopes.ts';
import {
  holdsUpgradeMessages,
  isWholeLog,
  jsonReader,
  ndjsonReader,
  parseJsonObject,
  upgradeReader,
} from './json.ts';
import { withoutColours } from './line-prefix.ts';
import { concatBytes, withFullStart } from './lines.ts';
import {
  type Extra,
  maxRawLength,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  type UnreadableCode,
  unreadableRecord,
} from './log.ts';
import { withReplies } from './replies.ts';
import { type LinesFormat, linesReader, sniffLines } from './text-lines.ts';
import { utcClocks } from './time.ts';
import { xmlReader } from './xml.ts';

/** Format of an entry, and its records in order as they arrive. */
interface RecordStream {
  readonly format: Format;
  /** Batches: at most one for each chunk read. */
  readonly records: AsyncIterable<readonly ReadRecord[]>;
}

/**
 * An entry whose beginning was inspected. Its text can be read once. Unless it is read, the entry
 * stays open until disposal.
 */
export interface OpenText extends AsyncDisposable {
  readonly format: Format;
  /** For an unknown format: the format of a file that is certainly not a log, if detected. */
  readonly nonLogFormat: NonLogFormat | undefined;
  /** The first records have a log inside, as those of log collectors do. */
  readonly isEnveloped: boolean;
  /** Returns the encoding that was assumed, as far as the text was read; undefined if it is certain. */
  readonly assumedEncoding: () => string | undefined;
  /** The whole text, in UTF-8 without a byte order mark, in pieces of at most 256 KiB. */
  readonly text: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Maximum bytes of a record, 4 MiB: bounds the memory for one record. No longer one was observed. */
export const longestRecord = 4 * 1024 * 1024;

/** Size of the pieces that chunks are split into, so that a caller may pass an entry as one chunk. */
const pieceLength = 256 * 1024;

/**
 * Inspects the beginning of an entry, given as bytes. `envelope` is the path of the member with the log, or
 * `none`; by default it is found by a table of known tools. Rejects only if the chunks do.
 */
export async function openText(chunks: AsyncIterable<Uint8Array>, envelope?: string): Promise<OpenText> {
  let isAssumed = false;
  const utf8 = toUtf8(chunks, () => {
    isAssumed = true;
  });
  const all = withFullStart(utf8, sniffLength);
  const first = await all.next();
  const start = first.done ? new Uint8Array(0) : first.value;
  const close = async () => void (await all.return());
  const format = sniffFormat(start);
  const members = firstMembers(start, format);
  // A first record that is longer than the start decides when it is read.
  const isUnseen = members.length === 0 && sniffLength <= start.length && hasMembers(format);
  return {
    format,
    nonLogFormat: format === 'unknown' ? detectNonLogFormat(start) : undefined,
    isEnveloped: isUnseen || holdEnvelopes(members, envelope),
    assumedEncoding: () => (isAssumed ? assumedEncoding : undefined),
    text: inPieces(start, all),
    [Symbol.asyncDispose]: close,
  };
}

/** Maximum number of records that are looked at for a log inside. */
const sniffedRecords = 20;

/** Reports if records of a format have members of others' choice. */
function hasMembers(format: Format): format is 'ndjson' | 'json' | 'csv' {
  return format === 'ndjson' || format === 'json' || format === 'csv';
}

/** Returns the members of the first records of an entry, if its format has such. */
function firstMembers(start: Uint8Array, format: Format): readonly Extra[] {
  if (!hasMembers(format)) return [];
  if (format === 'ndjson')
    return firstLines(new TextDecoder().decode(start.subarray(0, sniffLength)))
      .slice(0, sniffedRecords)
      .map(parseJsonObject)
      .filter((members) => members !== undefined);
  const reader = readerFor(format, { maxLength: longestRecord, zone: utcClocks, asMembers: true });
  return reader
    .push(start.subarray(0, sniffLength))
    .concat(start.length < sniffLength ? reader.end() : [])
    .slice(0, sniffedRecords)
    .map((record) => (record.kind === 'log' ? record.extra : undefined))
    .filter((members) => members !== undefined);
}

async function* inPieces(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* piecesOf(start);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield* piecesOf(next.value);
  } finally {
    await rest.return?.();
  }
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < chunk.length; from += pieceLength) yield chunk.subarray(from, from + pieceLength);
}

/**
 * Reads an entry, given as bytes, in any supported format. Nothing is dropped: data that is not a
 * log yields an unreadable record, and an entry in no log format yields one for the whole.
 *
 * Defaults: records of at most 4 MiB, and UTC for times without a zone. Rejects only if the chunks
 * do.
 */
export async function readRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: Partial<ReaderOptions> = {},
): Promise<RecordStream> {
  const opened = await openText(chunks, options.envelope);
  return { format: opened.format, records: recordsOf(opened, options) };
}

/** Yields the records of an opened entry, as `readRecords` does. */
export async function* recordsOf(
  { format, text, isEnveloped }: Pick<OpenText, 'format' | 'text' | 'isEnveloped'>,
  { maxLength = longestRecord, zone = utcClocks, envelope }: Partial<ReaderOptions> = {},
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const options = { maxLength, zone, envelope };
  const reader = isEnveloped
    ? envelopeReader(readerFor(format, { ...options, asMembers: true }), options)
    : readerFor(format, options);
  for await (const piece of text) {
    const records = reader.push(piece);
    if (0 < records.length) yield records;
  }
  yield reader.end();
}

function readerFor(format: Format, options: ReaderOptions): RecordReader {
  switch (format) {
    case 'ndjson':
      return ndjsonReader(options);
    case 'json':
      return withReplies(jsonReader(options));
    case 'csv':
      return csvReader(options);
    case 'empty':
      return { push: () => [], end: () => [] };
    case 'xml':
      return xmlReader(options);
    case 'upgrade':
      return upgradeReader(options);
    case 'prefixed lines':
    case 'w3c':
    case 'access log':
    case 'error log':
    case 'load balancer':
    case 'catalina':
    case 'karaf':
    case 'postgres':
    case 'klog':
    case 'logfmt':
    case 'logger':
      return linesReader(format, options);
    case 'html':
      return wholeReader(
        'NOT_LOGS',
        'The entry is a page of HTML: a server may have answered with it in place of logs',
      );
    case 'gzip':
    case 'zip':
    case 'tar':
      return wholeReader('NOT_LOGS', `The entry is a ${format} archive inside another`);
    case 'unknown':
      return wholeReader(
        'NOT_LOGS',
        'The entry is neither JSON nor CSV with a heading that names a time or a message, nor has it <Msg> records or lines of a known log format',
        { isShown: true },
      );
  }
}

/** Bytes of an entry that are shown where its format is unknown. */
const shownBytes = 40;

/** Share of odd characters above which an entry is shown by its bytes: it is no text. */
const maxOddShare = 1 / 8;

/** Bytes by which known formats are told. */
const toldBytes = 512;

/** Formats that are known and hold no logs that are read, by how they begin, and what to do with them. */
const otherContents: readonly { readonly name: string; readonly start: RegExp; readonly advice: string }[] = [
  { name: 'a PDF', start: /^%PDF-/, advice: 'export the logs that it shows as CSV, JSON or text' },
  {
    name: 'a file of an old Office program, such as .xls, .doc or .msg',
    start: /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/,
    advice: 'save its table as .xlsx or CSV, a text as plain text, and import that',
  },
  {
    name: 'a text of a word processor (RTF)',
    start: /^\{\\rtf/,
    advice: 'save it as plain text, and import that',
  },
  {
    name: 'an image',
    start: /^(\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0|II\*\0|MM\0\*|RIFF.{4}WEBP)/s,
    advice: 'get the text that it shows as a file',
  },
  { name: 'a compiled class of Java', start: /^\xca\xfe\xba\xbe/, advice: 'it has no logs' },
  { name: 'a program of Windows', start: /^MZ.{2}/s, advice: 'it has no logs' },
  {
    name: 'YAML',
    start: /^(---\s*\n|%YAML|apiVersion: |kind: |- [\w.@-]+:(\s|$)|[\w.@-]+:\s*\n\s+(- )?[\w.@-]+:\s)/,
    advice: 'convert it to JSON, for instance with "yq -o=json" or "kubectl … -o json", and import that',
  },
  {
    name: 'a mail',
    start:
      /^(From |((From|To|Subject|Date|Received|Return-Path|Delivered-To|Message-ID|MIME-Version): .*\n([ \t].*\n)*){2})/i,
    advice: 'save what is attached, and import that',
  },
  {
    name: 'a list of settings (INI, TOML, properties)',
    start:
      /^(\s*[#;].*\n)*(\[[\w. "-]+\]\s*\n\s*)?[\w.-]+\s*=\s*\S.*\n(\s*[\w.-]+\s*=.*\n|\s*[#;[].*\n|\s*\n)*$/,
    advice: 'it has no logs',
  },
  {
    name: 'XML without <Msg> records',
    start: /^\s*<[A-Za-z_?!]/,
    advice: 'write its records as CSV or JSON',
  },
];

/** Says how an entry begins, so that its owner may know what it is, and what to do if that is known. */
function beginningOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  const codes = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const known = otherContents.find(({ start }) => start.test(codes));
  const text = new TextDecoder().decode(bytes);
  const odd = text.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g) ?? [];
  // A text with a control character is told by its words.
  const shown =
    maxOddShare * text.length < odd.length
      ? `the bytes ${Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join(' ')}`
      : JSON.stringify(text.trimStart().slice(0, shownBytes));
  const seen = `It begins with ${shown}`;
  return known ? `. ${seen}, as ${known.name}: ${known.advice}` : `. ${seen}`;
}

/** Creates a reader that returns the whole entry as one unreadable record. */
function wholeReader(
  code: UnreadableCode,
  reason: string,
  { isShown = false }: { readonly isShown?: boolean } = {},
): RecordReader {
  const decoder = new TextDecoder();
  let raw = '';
  let length = 0;
  /** First bytes, by which known formats are told. */
  let start: Uint8Array = new Uint8Array(0);
  return {
    push: (chunk) => {
      if (start.length < toldBytes) start = concatBytes(start, chunk.subarray(0, toldBytes - start.length));
      if (raw.length < maxRawLength) raw += decoder.decode(chunk, { stream: true });
      length += chunk.length;
      return [];
    },
    end: () => [
      unreadableRecord(code, isShown ? reason + beginningOf(start) : reason, {
        raw,
        position: { number: 1, offset: 0, length },
      }),
    ],
  };
}

/** Format of an entry, detected by its beginning. */
export type Format =
  | 'ndjson'
  | 'json'
  | 'csv'
  | 'xml'
  | LinesFormat
  /** Messages of an upgrade. */
  | 'upgrade'
  | 'html'
  | 'gzip'
  | 'zip'
  | 'tar'
  | 'empty'
  | 'unknown';

/** "ustar" in the header of a tar. */
const tarMark = [0x75, 0x73, 0x74, 0x61, 0x72] as const;
const tarMarkAt = 257;

/** Length of the inspected beginning, in bytes: a longer first line is taken for one JSON value. */
const sniffLength = 65_536;

/**
 * Detects the format of an entry by its first bytes, regardless of its name. `bytes` is the whole
 * entry or at least `sniffLength` of it, in UTF-8 if it is text.
 */
export function sniffFormat(bytes: Uint8Array): Format {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) return 'zip';
  if (tarMark.every((byte, at) => bytes[tarMarkAt + at] === byte)) return 'tar';
  const text = new TextDecoder().decode(bytes.subarray(0, sniffLength));
  // A prefix of "grep" may be coloured.
  const start = withoutColours(text).trimStart();
  // A text of a word processor begins like an object.
  if (start.startsWith('{\\rtf')) return 'unknown';
  if (start === '') return bytes.length <= sniffLength ? 'empty' : 'unknown';
  if (/^<(!doctype\s+html|html|head|body)\b/i.test(start)) return 'html';
  if (/^<(\?xml|!--|msg\b)/i.test(start)) return 'xml';
  if (/^\[\s*([{\]]|$)/.test(start)) return 'json';
  if (start.startsWith('{') && holdsUpgradeMessages(start)) return 'upgrade';
  if (start.startsWith('{')) return isOnePerLine(start) ? 'ndjson' : 'json';
  if (firstLines(start).some((line) => parseJsonObject(line) !== undefined)) return 'ndjson';
  return (
    byHeader(start) ?? (/<msg\s+[a-z]+\s*=\s*["']/i.test(start) ? 'xml' : (sniffLines(start) ?? 'unknown'))
  );
}

function byHeader(start: string): 'csv' | undefined {
  return readHeader(headingOf(start)) ? 'csv' : undefined;
}

/** Returns the complete lines: the text after the last line feed may be cut. */
function firstLines(start: string): readonly string[] {
  const lines = start.split('\n');
  return lines.slice(0, Math.max(1, lines.length - 1)).filter((line) => line.trim() !== '');
}

/**
 * Reports if a text that begins with an object has one on each line. A first line that is an object
 * decides, unless it holds the records as a list. If the first line is damaged, the second
 * distinguishes it from JSON over several lines.
 */
function isOnePerLine(start: string): boolean {
  const [first = '', second] = firstLines(start);
  const members = parseJsonObject(first);
  if (members) return isWholeLog(members) || !mayHoldLogs(members, second !== undefined);
  if (second === undefined) return false;
  return /^\s*\{/.test(second) && !/[[:]\s*$/.test(first) && !opensList(first);
}

/** Ends of an object in which a list goes on. */
const listEnds = [']}', ']}}', ']}}}'] as const;

/** Reports if a line is the start of an object with a list of records, after the first of them. */
function opensList(line: string): boolean {
  const start = /^(.*),\s*$/s.exec(line)?.[1];
  return start !== undefined && listEnds.some((end) => parseJsonObject(start + end) !== undefined);
}

/** Reports if an object is a reply that holds logs; a single object may hold an empty list of them. */
function mayHoldLogs(members: Readonly<Record<string, unknown>>, hasMore: boolean): boolean {
  return Object.values(members).some(hasMore ? holdsObjects : (member) => typeof member === 'object');
}

/** Reports if a value is or contains a list of objects. */
function holdsObjects(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return (
    (Array.isArray(value) && members.some((item) => typeof item === 'object')) || members.some(holdsObjects)
  );
}

/**
 * Formats of files that are certainly not logs: images, documents, metadata of operating systems,
 * and short texts for people.
 */
const nonLogFormats = ['image', 'pdf', 'metadata', 'text'] as const;

type NonLogFormat = (typeof nonLogFormats)[number];

/** Reports if a format is one of files that are certainly not logs. */
export function isNonLogFormat(format: string): format is NonLogFormat {
  return (nonLogFormats as readonly string[]).includes(format);
}

/** Maximum bytes of a text: the unseen rest of a longer one may be anything. */
const longestText = 32_768;

/** Maximum lines of a text for people. The Apache licence has 202. */
const mostLines = 500;

/**
 * Detects the format of a file that is certainly not a log, by its content. Returns undefined if in
 * doubt: ignoring logs is worse than reporting a text. `start` is the whole file or at least 64
 * KiB.
 */
export function detectNonLogFormat(start: Uint8Array): NonLogFormat | undefined {
  const known = marks.find(({ bytes, at = 0 }) => bytes.every((byte, index) => start[at + index] === byte));
  if (known) return known.format;
  if (longestText < start.length) return undefined;
  return isProse(new TextDecoder().decode(start)) ? 'text' : undefined;
}

/** Signatures of images, documents, and the folder metadata of macOS and Windows. */
const marks: readonly {
  readonly format: NonLogFormat;
  readonly bytes: readonly number[];
  readonly at?: number;
}[] = [
  { format: 'image', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] }, // PNG
  { format: 'image', bytes: [0xff, 0xd8, 0xff] }, // JPEG
  { format: 'image', bytes: [0x47, 0x49, 0x46, 0x38] }, // GIF
  { format: 'image', bytes: [0x57, 0x45, 0x42, 0x50], at: 8 }, // WebP
  { format: 'image', bytes: [0x49, 0x49, 0x2a, 0x00] }, // TIFF
  { format: 'image', bytes: [0x4d, 0x4d, 0x00, 0x2a] }, // TIFF
  { format: 'pdf', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { format: 'metadata', bytes: [0x00, 0x05, 0x16, 0x07] }, // AppleDouble: __MACOSX/._name
  { format: 'metadata', bytes: [0x00, 0x00, 0x00, 0x01, 0x42, 0x75, 0x64, 0x31] }, // .DS_Store
  { format: 'metadata', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] }, // Thumbs.db
];

/** Reports if a text is for people: nothing in it looks like a log record. */
function isProse(text: string): boolean {
  if (isBinary(text)) return false;
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (lines.length === 0 || mostLines < lines.length) return false;
  if (looksLikeRecord(first) || 1 < lines.filter(looksLikeRecord).length) return false;
  if (lines.length <= 2 * lines.filter((line) => dateTime.test(line)).length) return false;
  return !isTable(lines);
}

/** Reports if a text has control characters that no text for people has. */
function isBinary(text: string): boolean {
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
}

const date = String.raw`(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.](\d{1,2}|[A-Za-z]{3})[-/.]\d{2,4})`;
const monthAndDay = String.raw`((Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d`;
const timeOfDay = String.raw`\d{1,2}:\d{2}`;
const level =
  '(SEVERE|WARNING|WARN|INFO|FINE|FINER|FINEST|VERBOSE|DEBUG|TRACE|ERROR|FATAL|CRITICAL|CRIT|ALERT|EMERG|NOTICE)';

const dateTime = new RegExp(`${date}.{0,3}${timeOfDay}`);

/** Patterns of log records, absent from texts for people. */
const recordSigns: readonly RegExp[] = [
  // A time or a level, possibly in brackets or quotes.
  new RegExp(String.raw`^[\s[("'<]*(${date}|${monthAndDay}|${timeOfDay}|\d{10,}|${level}\b)`),
  new RegExp(`${dateTime.source}.*\\b${level}\\b|\\b${level}\\b.*${dateTime.source}`),
  // JSON, XML, and fragments of them.
  /^\s*([{}\]]|\[\s*["{[\d\]]|<[?!/]?[A-Za-z]|"[^"]*"\s*:)/,
  // Name=value pairs.
  /\b[\w.]+=\S+.*\b[\w.]+=\S/,
  // Stack traces.
  /^\s+at \S+\(|^Caused by: |^Traceback /,
  /\t.*\t/,
];

function looksLikeRecord(line: string): boolean {
  return recordSigns.some((sign) => sign.test(line));
}

/** Reports if all lines have the same number of columns, at least three. */
function isTable(lines: readonly string[]): boolean {
  if (lines.length < 2) return false;
  return [',', ';', '|'].some((separator) => {
    const counts = new Set(lines.map((line) => line.split(separator).length));
    return counts.size === 1 && 3 <= Math.max(...counts);
  });
}
