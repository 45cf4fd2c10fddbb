import { findClosingQuote, findNextRecord, isJsonWhiteSpace, jsonByte } from './json-bytes.ts';
import { isWholeLog, parseJsonObject, readJsonRecord } from './read-json-record.ts';
import {
  maxRawLength,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLongRecord,
  type UnreadableCode,
  unreadableRecord,
} from './record.ts';
import { concatBytes } from './utf8.ts';

/** Maximum nesting depth of a record. */
const maxDepth = 1_000;

/** Maximum broken records, each beginning inside the one before, until reading continues behind them. */
const maxRestarts = 32;

const noOffset = -1;

/**
 * Creates a reader of JSON other than one value per line. It reads a list of records, an object
 * with lists of them at any depth, and consecutive records over several lines.
 *
 * It follows the structure and extracts records: objects in a list or alone, outside any other
 * record. A record with invalid JSON ends where the next one appears to begin, so that one damaged
 * record does not consume the rest.
 */
export function jsonReader({ maxLength, zone }: ReaderOptions): RecordReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let buffer: Uint8Array = new Uint8Array(0);
  /** Bytes of the entry before the buffer. */
  let base = 0;
  /** Read offset in the buffer, and if it is inside a string. */
  let at = 0;
  let inString = false;
  /** Open lists and objects around the records, and those inside the current record. */
  let outer: number[] = [];
  let inner: number[] = [];
  /** The current top-level object holds a list of objects but is itself a log. */
  let isLogWithList = false;
  /** Last character of the current record, white space excluded. */
  let previous: number = jsonByte.openObject;
  /** Offset in the entry of the current record or damaged block. */
  let start = noOffset;
  /** Beginning of a block that exceeds the buffer limit. */
  let head: Uint8Array | undefined;
  let damage: { readonly code: UnreadableCode; readonly reason: string } | undefined;
  let isDamaged = false;
  let restarts = 0;
  let count = 0;
  let found: ReadRecord[] = [];

  return { push, end };

  function push(chunk: Uint8Array): ReadRecord[] {
    takeIn(chunk);
    run();
    return takeFound();
  }

  function end(): ReadRecord[] {
    run();
    while (0 < inner.length) {
      breakOff('TRUNCATED', 'The entry ends inside the record');
      run();
    }
    if (0 < outer.length && !isDamaged) {
      start = base + buffer.length;
      breakOff('TRUNCATED', 'The entry ends before its list does: records may be missing');
    }
    emitDamage(base + buffer.length);
    return takeFound();
  }

  function run(): void {
    while (at < buffer.length && step());
  }

  function takeFound(): ReadRecord[] {
    const records = found;
    found = [];
    return records;
  }

  /** Adds bytes to the buffer and drops those that no record needs. */
  function takeIn(chunk: Uint8Array): void {
    const limit = damage ? maxRawLength * 3 : maxLength;
    if (start !== noOffset && !head && limit < base + buffer.length - start)
      head = buffer.slice(start - base, start - base + maxRawLength * 3);
    const keepFrom = start === noOffset || head ? at : start - base;
    buffer = concatBytes(buffer.subarray(keepFrom), chunk);
    base += keepFrom;
    at -= keepFrom;
  }

  /** Reads one character; false if more bytes are required. */
  function step(): boolean {
    if (damage) return seekNext();
    if (inString) return passString();
    const code = buffer[at];
    if (code === undefined) return false;
    if (isJsonWhiteSpace(code)) at++;
    else if (inner.length === 0) return outside(code);
    else return inside(code);
    return true;
  }

  function outside(code: number): boolean {
    const parent = outer.at(-1);
    if (code === jsonByte.openObject && parent !== jsonByte.openObject) begin();
    else if (code === jsonByte.openObject || code === jsonByte.openList) {
      if (outer.length < maxDepth) outer.push(code);
    } else if (code === jsonByte.closeObject || code === jsonByte.closeList) {
      if (parent === openingBracketOf(code)) outer.pop();
    } else if (outer.length < 2 && parent !== jsonByte.openObject && code !== jsonByte.comma) {
      start = base + at;
      breakOff('NOT_A_RECORD', 'The value is not a record');
      return true;
    } else if (code === jsonByte.quote) inString = true;
    at++;
    return true;
  }

  function begin(): void {
    start = base + at;
    inner.push(jsonByte.openObject);
    previous = jsonByte.openObject;
    isLogWithList = false;
  }

  function inside(code: number): boolean {
    if (!mayFollow(code, previous, inner.at(-1)))
      return breakOff('BAD_JSON', `The record is not JSON: ${where()}`);
    previous = isStructural(code) ? code : jsonByte.literal;
    at++;
    if (code === jsonByte.quote) inString = true;
    else if (code === jsonByte.openObject || code === jsonByte.openList) open(code);
    else if (code === jsonByte.closeObject || code === jsonByte.closeList) close();
    return true;
  }

  function open(code: number): void {
    const isInList = code === jsonByte.openObject && inner.at(-1) === jsonByte.openList && outer.length === 0;
    if (isInList && !isLogWithList) isLogWithList = isLogSoFar();
    if (isInList && !isLogWithList) beginInList();
    else inner.push(code);
    if (maxDepth < inner.length) breakOff('TOO_DEEP', `The record is nested deeper than ${maxDepth} levels`);
  }

  /** Handles an object that proves to hold the records in a list: starts the first of them. */
  function beginInList(): void {
    outer = inner;
    inner = [];
    head = undefined;
    at--;
    begin();
    at++;
  }

  function isLogSoFar(): boolean {
    const closers = inner.map((code) => (code === jsonByte.openList ? ']' : '}')).reverse();
    const members = head ? undefined : parseJsonObject(rawUpTo(base + at - 1) + closers.join(''));
    return members !== undefined && isWholeLog(members);
  }

  function close(): void {
    inner.pop();
    if (inner.length === 0) emitRecord();
  }

  /** Skips to the end of the current string; false if the end has not arrived. */
  function passString(): boolean {
    const close = findClosingQuote(buffer, at);
    const lineFeed = buffer.subarray(at, close < 0 ? undefined : close).indexOf(jsonByte.lineFeed);
    if (0 <= lineFeed) {
      at += lineFeed;
      inString = false;
      if (0 < inner.length)
        breakOff('BAD_JSON', `The record is not JSON: a string is not closed, ${where()}`);
      return true;
    }
    // A trailing backslash must be read again together with the character it escapes.
    at = close < 0 ? endWithoutBackslashes() : close + 1;
    inString = close < 0;
    return !inString;
  }

  function endWithoutBackslashes(): number {
    let end = buffer.length;
    while (at < end && buffer[end - 1] === jsonByte.backslash) end--;
    return end;
  }

  function where(): string {
    return `at its byte ${base + at - start + 1}`;
  }

  function emitRecord(): void {
    const raw = rawUpTo(base + at);
    const position = { number: count + 1, offset: start, length: base + at - start };
    const isTooLong = head !== undefined || maxLength < position.length;
    const record = isTooLong
      ? tooLongRecord(raw, position, maxLength)
      : readJsonRecord({ raw, position, zone });
    if (!(outer.length === 0 && isEmptyReply(record))) {
      found.push(record);
      count++;
    }
    restarts = 0;
    head = undefined;
    start = noOffset;
  }

  function rawUpTo(offset: number): string {
    return decoder.decode(head ?? buffer.subarray(start - base, offset - base));
  }

  /** Gives up the current record; data up to the next record is damaged. */
  function breakOff(code: UnreadableCode, reason: string): true {
    damage = { code, reason };
    isDamaged = true;
    inner = [];
    inString = false;
    // Searching inside the failed record for the next one is limited because it takes time.
    if (!head && restarts++ < maxRestarts) at = Math.max(0, start + 1 - base);
    return true;
  }

  /** Finds the record that ends a damaged block. */
  function seekNext(): boolean {
    const { found, undecided } = findNextRecord(buffer, at);
    if (found < 0) {
      at = undecided;
      return false;
    }
    at = found;
    emitDamage(base + at);
    return true;
  }

  function emitDamage(to: number): void {
    if (!damage) return;
    const position = { number: ++count, offset: start, length: to - start };
    found.push(unreadableRecord(damage.code, damage.reason, { raw: rawUpTo(to), position }));
    damage = undefined;
    head = undefined;
    start = noOffset;
  }
}

/** Reports if a top-level object is a reply with an empty list of logs. */
function isEmptyReply(record: ReadRecord): boolean {
  if (record.kind === 'log' || record.code !== 'NO_LOG') return false;
  const members = parseJsonObject(record.raw) ?? {};
  if ('error' in members || 'status' in members) return false;
  return Object.values(members).some((value) => Array.isArray(value) && value.length === 0);
}

/** Returns the opening bracket of a closing bracket. */
function openingBracketOf(code: number): number {
  return code === jsonByte.closeObject ? jsonByte.openObject : jsonByte.openList;
}

/** Reports if a byte is a structural character of JSON (RFC 8259, section 2) or a quote. */
function isStructural(code: number): boolean {
  switch (code) {
    case jsonByte.quote:
    case jsonByte.comma:
    case jsonByte.colon:
    case jsonByte.openList:
    case jsonByte.closeList:
    case jsonByte.openObject:
    case jsonByte.closeObject:
      return true;
    default:
      return false;
  }
}

/** Reports if a character may follow another in JSON. An approximation: the parser decides. */
function mayFollow(code: number, previous: number, parent: number | undefined): boolean {
  const afterValue =
    previous === jsonByte.quote ||
    previous === jsonByte.closeObject ||
    previous === jsonByte.closeList ||
    previous === jsonByte.literal;
  switch (code) {
    case jsonByte.comma:
      return afterValue;
    case jsonByte.colon:
      return previous === jsonByte.quote && parent === jsonByte.openObject;
    case jsonByte.closeObject:
    case jsonByte.closeList:
      return parent === openingBracketOf(code) && previous !== jsonByte.colon;
    case jsonByte.quote:
      return !afterValue;
    case jsonByte.openObject:
    case jsonByte.openList:
      return previous === jsonByte.colon || (parent === jsonByte.openList && !afterValue);
    default:
      return previous === jsonByte.literal || !afterValue;
  }
}
