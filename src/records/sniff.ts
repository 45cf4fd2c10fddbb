import { readHeader } from './csv.ts';
import { isWholeLog, parseObject } from './read-text.ts';
import { holdsUpgradeMessages } from './upgrade-messages.ts';

/** What the beginning of an entry says it is. */
export type Format =
  | 'ndjson'
  | 'json'
  | 'csv'
  | 'xml'
  /** The messages of an upgrade. */
  | 'upgrade'
  | 'html'
  | 'gzip'
  | 'zip'
  | 'empty'
  | 'unknown';

/** How much of an entry is looked at: a line longer than that is taken for one JSON value. */
export const sniffLength = 65_536;

/**
 * The format of an entry by its first bytes; its name is not asked. `bytes`
 * are the whole entry or at least `sniffLength` of it, in UTF-8 when they are text.
 */
export function sniff(bytes: Uint8Array): Format {
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
  if (firstLines(start).some((line) => parseObject(line) !== undefined)) return 'ndjson';
  return byHeader(start) ?? (/<msg\s+[a-z]+\s*=\s*["']/i.test(start) ? 'xml' : 'unknown');
}

function byHeader(start: string): 'csv' | undefined {
  const [line = ''] = start.split('\n', 1);
  return readHeader(line) ? 'csv' : undefined;
}

/** Lines that are whole: what stands behind the last line feed of a beginning may be cut. */
function firstLines(start: string): readonly string[] {
  const lines = start.split('\n');
  return lines.slice(0, Math.max(1, lines.length - 1)).filter((line) => line.trim() !== '');
}

/**
 * Whether a text that begins with an object has one on each line. A first line
 * that is an object decides it, unless it holds the records as a list. Where
 * the first line is damaged, the second tells it from JSON over several lines.
 */
function isOnePerLine(start: string): boolean {
  const [first = '', second] = firstLines(start);
  const members = parseObject(first);
  if (members) return isWholeLog(members) || !mayHoldLogs(members, second !== undefined);
  if (second === undefined) return false;
  return /^\s*\{/.test(second) && !/[[:]\s*$/.test(first);
}

/** Whether an object is a reply that holds logs; alone, it may hold none in an empty list. */
function mayHoldLogs(members: Readonly<Record<string, unknown>>, hasMore: boolean): boolean {
  return Object.values(members).some(hasMore ? holdsObjects : (member) => typeof member === 'object');
}

/** Whether a value is, or has somewhere in it, a list of objects. */
function holdsObjects(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return (
    (Array.isArray(value) && members.some((item) => typeof item === 'object')) || members.some(holdsObjects)
  );
}
