/**
 * Formats of files that are certainly not logs: images, documents, metadata of operating systems,
 * and short texts for people.
 */
export const nonLogFormats = ['image', 'pdf', 'metadata', 'text'] as const;

export type NonLogFormat = (typeof nonLogFormats)[number];

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
