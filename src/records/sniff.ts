import { readHeader } from './csv.ts';
import { isWholeLog, parseJsonObject } from './read-json-record.ts';
import { holdsUpgradeMessages } from './upgrade-messages.ts';

/** Format of an entry, detected by its beginning. */
export type Format =
  | 'ndjson'
  | 'json'
  | 'csv'
  | 'xml'
  /** Messages of an upgrade. */
  | 'upgrade'
  | 'html'
  | 'gzip'
  | 'zip'
  | 'empty'
  | 'unknown';

/** Length of the inspected beginning, in bytes: a longer first line is taken for one JSON value. */
export const sniffLength = 65_536;

/**
 * Detects the format of an entry by its first bytes, regardless of its name. `bytes` is the whole
 * entry or at least `sniffLength` of it, in UTF-8 if it is text.
 */
export function sniffFormat(bytes: Uint8Array): Format {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) return 'zip';
  const text = new TextDecoder().decode(bytes.subarray(0, sniffLength));
  const start = text.trimStart();
  if (start === '') return bytes.length <= sniffLength ? 'empty' : 'unknown';
  if (/^<(!doctype\s+html|html|head|body)\b/i.test(start)) return 'html';
  if (/^<(\?xml|!--|msg\b)/i.test(start)) return 'xml';
  if (/^\[\s*([{\]]|$)/.test(start)) return 'json';
  if (start.startsWith('{') && holdsUpgradeMessages(start)) return 'upgrade';
  if (start.startsWith('{')) return isOnePerLine(start) ? 'ndjson' : 'json';
  if (firstLines(start).some((line) => parseJsonObject(line) !== undefined)) return 'ndjson';
  return byHeader(start) ?? (/<msg\s+[a-z]+\s*=\s*["']/i.test(start) ? 'xml' : 'unknown');
}

function byHeader(start: string): 'csv' | undefined {
  const [line = ''] = start.split('\n', 1);
  return readHeader(line) ? 'csv' : undefined;
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
  return /^\s*\{/.test(second) && !/[[:]\s*$/.test(first);
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
