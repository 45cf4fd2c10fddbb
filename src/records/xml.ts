import { isJsonWhiteSpace } from './json-bytes.ts';
import { readMsgElement } from './msg-element.ts';
import {
  maxRawLength,
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLongRecord,
  unreadableRecord,
} from './record.ts';
import { concatBytes } from './utf8.ts';

const noOffset = -1;
const less = 0x3c;

/** Bytes required to classify a `<`: inside a record or stray text, and outside. */
const lookahead = { inside: 100, outside: 1_000 } as const;

/** Start of a record: `<Msg` and an attribute. */
const recordStart = /^<msg\s+[a-z_][\w:.-]*\s*=\s*["']/i;

/** End of a record, regardless of its content. */
const recordEnd = /^<\/msg\s*>/i;

/** Markup allowed around records: declarations, comments, and tags without attributes, such as a root. */
const surrounding = /^<(?:\?[^<]*?\?|!--[^<]*?--|!doctype[^<[]*|\/?(?!msg\b)[a-z][\w:.-]*\s*\/?)>/i;

/**
 * Creates a reader of `<Msg>` records as the classic log file has them: without a root element,
 * over several lines, with a raw `<` in their texts.
 *
 * A record ends at `</Msg>` or, if that is missing, where the next one begins, so that a truncated
 * record does not consume another. Text outside records is unreadable; declarations and root tags
 * around them are skipped.
 */
export function xmlReader({ maxLength, zone }: ReaderOptions): RecordReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let buffer: Uint8Array = new Uint8Array(0);
  /** Bytes of the entry before the buffer, and the read offset in the buffer. */
  let base = 0;
  let at = 0;
  let isEnd = false;
  /** Offset in the entry of the current item, and if it is a record or stray text. */
  let start = noOffset;
  let isRecord = false;
  /** Beginning of an item that exceeds the buffer limit. */
  let head: Uint8Array | undefined;
  let count = 0;
  let found: ReadRecord[] = [];

  return { push, end };

  function push(chunk: Uint8Array): ReadRecord[] {
    takeIn(chunk);
    while (at < buffer.length && step());
    return takeFound();
  }

  function end(): ReadRecord[] {
    isEnd = true;
    while (at < buffer.length && step());
    if (start !== noOffset) giveUp();
    return takeFound();
  }

  function takeFound(): ReadRecord[] {
    const records = found;
    found = [];
    return records;
  }

  /** Adds bytes to the buffer and drops those that no record needs. */
  function takeIn(chunk: Uint8Array): void {
    const limit = isRecord ? maxLength : maxRawLength * 3;
    if (start !== noOffset && !head && limit < base + buffer.length - start)
      head = buffer.slice(start - base, start - base + maxRawLength * 3);
    const keepFrom = start === noOffset || head ? at : start - base;
    buffer = concatBytes(buffer.subarray(keepFrom), chunk);
    base += keepFrom;
    at -= keepFrom;
  }

  /** Finds the next `<` and classifies it; false if more bytes are required. */
  function step(): boolean {
    if (start === noOffset && isJsonWhiteSpace(buffer[at])) {
      at++;
      return true;
    }
    if (start === noOffset && buffer[at] !== less) begin(false);
    const next = buffer.indexOf(less, at);
    at = next < 0 ? buffer.length : next;
    if (next < 0) return false;
    const length = start === noOffset ? lookahead.outside : lookahead.inside;
    if (!isEnd && buffer.length - at < length) return false;
    if (start !== noOffset && !mayMatter()) at++;
    else meet(decoder.decode(buffer.subarray(at, at + length)));
    return true;
  }

  /** Reports if a `<` may end a record: only `<m` and `</m` do. */
  function mayMatter(): boolean {
    const first = buffer[at + 1];
    const letter = first === 0x2f ? buffer[at + 2] : first;
    return letter === 0x4d || letter === 0x6d;
  }

  function meet(text: string): void {
    if (recordStart.test(text)) {
      if (start !== noOffset) giveUp();
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
    const [passed] = (start === noOffset && surrounding.exec(text)) || [];
    if (passed === undefined && start === noOffset) begin(false);
    at += passed === undefined ? 1 : lengthOf(passed);
  }

  function begin(record: boolean): void {
    start = base + at;
    isRecord = record;
  }

  /** Emits the current item, which ends at an offset of the buffer. */
  function emit(end: number): void {
    const position = { number: ++count, offset: start, length: base + end - start };
    const raw = decoder.decode(head ?? buffer.subarray(start - base, end));
    found.push(isRecord ? readRecord(raw, position) : stray(raw, position));
    start = noOffset;
    isRecord = false;
    head = undefined;
  }

  /** Ends an item without an end tag; trailing white space is excluded. */
  function giveUp(): void {
    let end = at;
    while (isJsonWhiteSpace(buffer[end - 1])) end--;
    emit(end);
  }

  function readRecord(raw: string, position: Position): ReadRecord {
    const isTooLong = head !== undefined || maxLength < position.length;
    return isTooLong ? tooLongRecord(raw, position, maxLength) : readMsgElement({ raw, position, zone });
  }
}

function stray(raw: string, position: Position): ReadRecord {
  return unreadableRecord('BAD_XML', 'The text is outside of any <Msg> record', { raw, position });
}

/** Returns the length of a text in UTF-8 bytes. */
function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
