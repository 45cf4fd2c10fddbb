import { isBlank } from './json-bytes.ts';
import { readMsg } from './msg-element.ts';
import {
  maxRawLength,
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLong,
  unreadable,
} from './record.ts';
import { concat } from './utf8.ts';

const none = -1;
const less = 0x3c;

/** So many bytes tell what a `<` begins: within a record or stray text, and outside of them. */
const lookahead = { inside: 100, outside: 1_000 } as const;

/** A record begins with `<Msg` and an attribute. */
const recordStart = /^<msg\s+[a-z_][\w:.-]*\s*=\s*["']/i;

/** A record ends with this, whatever else is in it. */
const recordEnd = /^<\/msg\s*>/i;

/** What may stand around the records: declarations, comments, and tags without attributes such as those of a root. */
const surrounding = /^<(?:\?[^<]*?\?|!--[^<]*?--|!doctype[^<[]*|\/?(?!msg\b)[a-z][\w:.-]*\s*\/?)>/i;

/**
 * A reader of `<Msg>` records as the classic log file has them: without a root
 * element, over several lines, with a raw `<` in their texts.
 *
 * A record ends at `</Msg>`, or where the next one begins when that is missing,
 * so that one which breaks off takes no other with it. Text outside of records
 * is unreadable; declarations and tags of a root around them are passed over.
 */
export function xmlReader({ maxLength, zone }: ReaderOptions): RecordReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let buffer: Uint8Array = new Uint8Array(0);
  /** Bytes of the entry before the buffer, and where in the buffer reading goes on. */
  let base = 0;
  let at = 0;
  let isEnd = false;
  /** Offset in the entry where what is under way begins, and whether that is a record or stray text. */
  let start = none;
  let isRecord = false;
  /** The beginning of what grew too long to be held. */
  let head: Uint8Array | undefined;
  let count = 0;
  let found: ReadRecord[] = [];

  return { push, end };

  function push(chunk: Uint8Array): ReadRecord[] {
    takeIn(chunk);
    while (at < buffer.length && step());
    return given();
  }

  function end(): ReadRecord[] {
    isEnd = true;
    while (at < buffer.length && step());
    if (start !== none) giveUp();
    return given();
  }

  function given(): ReadRecord[] {
    const records = found;
    found = [];
    return records;
  }

  /** Adds bytes to the buffer and lets go of those that no record needs any more. */
  function takeIn(chunk: Uint8Array): void {
    const limit = isRecord ? maxLength : maxRawLength * 3;
    if (start !== none && !head && limit < base + buffer.length - start)
      head = buffer.slice(start - base, start - base + maxRawLength * 3);
    const keepFrom = start === none || head ? at : start - base;
    buffer = concat(buffer.subarray(keepFrom), chunk);
    base += keepFrom;
    at -= keepFrom;
  }

  /** Goes to the next `<` and sees what it begins. False when more bytes are needed. */
  function step(): boolean {
    if (start === none && isBlank(buffer[at])) {
      at++;
      return true;
    }
    if (start === none && buffer[at] !== less) begin(false);
    const next = buffer.indexOf(less, at);
    at = next < 0 ? buffer.length : next;
    if (next < 0) return false;
    const length = start === none ? lookahead.outside : lookahead.inside;
    if (!isEnd && buffer.length - at < length) return false;
    if (start !== none && !mayMatter()) at++;
    else meet(decoder.decode(buffer.subarray(at, at + length)));
    return true;
  }

  /** Inside of a record, only what begins with `<m` or `</m` may end it. */
  function mayMatter(): boolean {
    const first = buffer[at + 1];
    const letter = first === 0x2f ? buffer[at + 2] : first;
    return letter === 0x4d || letter === 0x6d;
  }

  function meet(text: string): void {
    if (recordStart.test(text)) {
      if (start !== none) giveUp();
      begin(true);
      at++;
      return;
    }
    const [ending] = recordEnd.exec(text) ?? [];
    if (ending !== undefined && isRecord) {
      at += ending.length;
      emit(at);
      return;
    }
    const [passed] = (start === none && surrounding.exec(text)) || [];
    if (passed === undefined && start === none) begin(false);
    at += passed === undefined ? 1 : lengthOf(passed);
  }

  function begin(record: boolean): void {
    start = base + at;
    isRecord = record;
  }

  /** Ends what is under way there. */
  function emit(end: number): void {
    const position = { number: ++count, offset: start, length: base + end - start };
    const raw = decoder.decode(head ?? buffer.subarray(start - base, end));
    found.push(isRecord ? readRecord(raw, position) : stray(raw, position));
    start = none;
    isRecord = false;
    head = undefined;
  }

  /** Ends what has no end of its own; the blanks behind it are no part of it. */
  function giveUp(): void {
    let end = at;
    while (isBlank(buffer[end - 1])) end--;
    emit(end);
  }

  function readRecord(raw: string, position: Position): ReadRecord {
    const isTooLong = head !== undefined || maxLength < position.length;
    return isTooLong ? tooLong(raw, position, maxLength) : readMsg({ raw, position, zone });
  }
}

function stray(raw: string, position: Position): ReadRecord {
  return unreadable('BAD_XML', 'The text is outside of any <Msg> record', { raw, position });
}

/** The bytes of a text in UTF-8. */
function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
