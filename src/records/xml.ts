import { isJsonWhiteSpace, readRecordMembers } from './json.ts';
import { isSimilarPrefix, readPrefix, withoutColours, withoutPrefixes } from './line-prefix.ts';
import { concatBytes, lineFeed } from './lines.ts';
import {
  maxRawLength,
  newMembers,
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLongRecord,
  unreadableRecord,
} from './log.ts';
import type { Zone } from './time.ts';
import { toDecimal } from './to-log.ts';

const noOffset = -1;
const less = 0x3c;

/** Bytes required to classify a `<`: inside a record or stray text, and outside. */
const lookahead = { inside: 100, outside: 1_000 } as const;

/** Escape sequences of colours, which `grep --color` puts around what it found. */
const colours = String.raw`(?:\x1b\[[\d;]*[mK])*`;

/** Start of a record: `<Msg` and an attribute. */
const recordStart = new RegExp(String.raw`^<msg${colours}\s+${colours}[a-z_][\w:.-]*\s*=\s*["']`, 'i');

/** End of a record, regardless of its content. */
const recordEnd = /^<\/msg\s*>/i;

/** Start and end of a text in which `<` and `&` mean nothing. */
const cdata = { start: '<![CDATA[', end: new TextEncoder().encode(']]>') } as const;

/** Markup allowed around records: declarations, comments, and tags without attributes, such as a root. */
const surrounding = /^<(?:\?[^<]*?\?|!--[^<]*?--|!doctype[^<[]*|\/?(?!msg\b)[a-z][\w:.-]*\s*\/?)>/i;

/** Maximum bytes of what stands before a record in its line. */
const longestPrefix = 1_000;

/** Bytes behind an end tag within which the end tag of the record may follow, if the first one is of a quotation. */
const longestQuotation = 65_536;

/**
 * Creates a reader of `<Msg>` records as the classic log file has them: without a root element,
 * over several lines, with a raw `<` in their texts.
 *
 * A record ends at `</Msg>` or, if that is missing, where the next one begins, so that a truncated
 * record does not consume another. A `<Msg` behind a blank or a bracket in the text of a record is a
 * quotation. What stands before a record in its line, such as the file that `grep` names, is a part of it. Other text
 * outside records is unreadable; declarations and root tags around them are skipped.
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
  /** Text before the `<Msg` of the current record. */
  let prefix = '';
  /** Quotations of a record in the current one that have no end so far. */
  let quotations = 0;
  /** Offset in the entry behind an end tag that is the end of the record, unless another follows in its line. */
  let mayEnd = noOffset;
  /** Offset in the entry up to which no end of a CDATA section is. */
  let noCdataEndBefore = 0;
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
    do {
      while (at < buffer.length && step());
    } while (endAtQuotation());
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
    const needed = start === noOffset || head ? at : start - base;
    const keepFrom = mayEnd === noOffset ? needed : Math.min(needed, mayEnd - base);
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
    if (start === noOffset && buffer[at] === 0xef) return passMark();
    if (start === noOffset && buffer[at] !== less) begin(false);
    const next = buffer.indexOf(less, at);
    const to = next < 0 ? buffer.length : next;
    if (mayEnd !== noOffset && isQuotationOver(at, to)) return endAtQuotation();
    at = to;
    if (next < 0) return false;
    const length = start === noOffset ? lookahead.outside : lookahead.inside;
    if (!isEnd && buffer.length - at < length) return false;
    if (start !== noOffset && !mayMatter()) at++;
    else return meet(decoder.decode(buffer.subarray(at, at + length)));
    return true;
  }

  /** Passes the byte order mark of a file that was joined to others. */
  function passMark(): boolean {
    if (buffer.length - at < 3 && !isEnd) return false;
    if (buffer[at + 1] === 0xbb && buffer[at + 2] === 0xbf) at += 3;
    else {
      begin(false);
      at++;
    }
    return true;
  }

  /** Reports if a `<` may end a record: only `<m`, `</m` and `<![` do. */
  function mayMatter(): boolean {
    const first = buffer[at + 1];
    if (first === 0x21) return isRecord && buffer[at + 2] === 0x5b;
    const letter = first === 0x2f ? buffer[at + 2] : first;
    return letter === 0x4d || letter === 0x6d;
  }

  /** Reads what a `<` begins; false if more bytes are required. */
  function meet(text: string): boolean {
    if (recordStart.test(text)) {
      if (mayEnd !== noOffset && isBlank(mayEnd - base, at)) return endAtQuotation();
      if (isRecord && isQuotation()) quotations++;
      else meetRecord();
      at++;
      return true;
    }
    if (isRecord && text.startsWith(cdata.start)) return passCdata();
    const [ending] = recordEnd.exec(text) ?? [];
    if (ending !== undefined && isRecord) {
      at += ending.length;
      if (quotations === 0 || head) emit(at);
      else {
        quotations--;
        mayEnd = base + at;
      }
      return true;
    }
    const [passed] = (start === noOffset && surrounding.exec(text)) || [];
    if (passed === undefined && start === noOffset) begin(false);
    at += passed === undefined ? 1 : lengthOf(passed);
    return true;
  }

  /** Begins a record; what stands before it in its line is a part of it. */
  function meetRecord(): void {
    const before = start === noOffset ? '' : textBefore();
    const isOwn = before !== undefined && before.replace('\ufeff', '').trim() !== '';
    const ownPrefix = isOwn && (!isRecord || mayPrecede(before)) ? before : '';
    const from = at - lengthOf(ownPrefix);
    if (start !== noOffset && start < base + from) {
      const record = at;
      at = from;
      giveUp();
      at = record;
    }
    begin(true, base + from);
    prefix = ownPrefix;
  }

  /** Reports if a `<Msg` in the text of a record is a quotation, and begins no record. */
  function isQuotation(): boolean {
    const before = textBefore();
    if (before !== undefined && mayPrecede(before)) return false;
    return /[\s"'`([{<:=>,;|-]$/.test(decoder.decode(buffer.subarray(Math.max(0, at - 4), at)));
  }

  /** Reports if a text in front of a `<Msg` belongs to a new record: it is blank, or a prefix like the current one. */
  function mayPrecede(before: string): boolean {
    const plain = withoutColours(before).replace('\ufeff', '');
    return plain.trim() === '' || (prefix !== '' && isSimilarPrefix(plain, withoutColours(prefix)));
  }

  /** Returns the text between the start of the line or of the item and the read offset; undefined if it is long or has a tag. */
  function textBefore(): string | undefined {
    const from = Math.max(0, start - base, at - longestPrefix);
    const bytes = buffer.subarray(from, at);
    const lineStart = bytes.lastIndexOf(lineFeed) + 1;
    if (lineStart === 0 && from !== start - base) return undefined;
    const text = decoder.decode(bytes.subarray(lineStart));
    return /<(?!\d{1,3}>)/.test(text) ? undefined : text;
  }

  /** Passes a CDATA section; one without an end is ordinary text. */
  function passCdata(): boolean {
    const from = Math.max(at, noCdataEndBefore - base);
    const found = indexOfBytes(buffer, cdata.end, from);
    if (0 <= found) at = found + cdata.end.length;
    else {
      noCdataEndBefore = base + Math.max(0, buffer.length - cdata.end.length + 1);
      if (!isEnd && base + buffer.length - start <= maxLength) return false;
      at++;
    }
    return true;
  }

  /** Reports if the line of a possible end of the record is over, or too long for another. */
  function isQuotationOver(from: number, to: number): boolean {
    const line = buffer.subarray(Math.max(from, mayEnd - base), to);
    return line.includes(lineFeed) || longestQuotation < base + to - mayEnd;
  }

  /** Ends the record at its possible end, if it has one. */
  function endAtQuotation(): boolean {
    if (mayEnd === noOffset) return false;
    at = mayEnd - base;
    noCdataEndBefore = 0;
    emit(at);
    return true;
  }

  function isBlank(from: number, to: number): boolean {
    return buffer.subarray(from, to).every(isJsonWhiteSpace);
  }

  function begin(record: boolean, from: number = base + at): void {
    start = from;
    isRecord = record;
    prefix = '';
  }

  /** Emits the current item, which ends at an offset of the buffer. */
  function emit(end: number): void {
    const position = { number: count + 1, offset: start, length: base + end - start };
    const raw = decoder.decode(head ?? buffer.subarray(start - base, end));
    // The line between the groups that grep found, and the colours around a record.
    const isNothing = !isRecord && /^(--)?$/.test(withoutColours(raw).trim());
    if (!isNothing) {
      found.push(isRecord ? readRecord(raw, position) : stray(raw, position));
      count++;
    }
    start = noOffset;
    isRecord = false;
    head = undefined;
    quotations = 0;
    mayEnd = noOffset;
  }

  /** Ends an item without an end tag; trailing white space and the byte order mark of a joined file are excluded. */
  function giveUp(): void {
    let end = at;
    for (;;) {
      if (isJsonWhiteSpace(buffer[end - 1])) end--;
      else if (buffer[end - 1] === 0xbf && buffer[end - 2] === 0xbb && buffer[end - 3] === 0xef) end -= 3;
      else break;
    }
    emit(end);
  }

  function readRecord(raw: string, position: Position): ReadRecord {
    const isTooLong = head !== undefined || maxLength < position.length;
    return isTooLong
      ? tooLongRecord(raw, position, maxLength)
      : readMsgElement({ raw, position, zone, prefix });
  }
}

function stray(raw: string, position: Position): ReadRecord {
  return unreadableRecord('BAD_XML', 'The text is outside of any <Msg> record', { raw, position });
}

/** Returns the length of a text in UTF-8 bytes. */
function lengthOf(text: string): number {
  return text === '' ? 0 : new TextEncoder().encode(text).length;
}

/** Returns the offset of bytes from an offset on, or -1. */
function indexOfBytes(bytes: Uint8Array, searched: Uint8Array, from: number): number {
  const [first = 0] = searched;
  for (let at = bytes.indexOf(first, from); 0 <= at; at = bytes.indexOf(first, at + 1))
    if (searched.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}

/** Text of a `<Msg>` record, its position, and the zone of its time. */
interface MsgText {
  readonly raw: string;
  readonly position: Position;
  readonly zone: Zone;
  /** Text before the element in its line. */
  readonly prefix: string;
}

const attribute = /\s*([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const tagEnd = /\s*(\/?)>/y;

/**
 * Reads one `<Msg>` record: its attributes, all optional, and its text as the message. A raw `<`
 * and an entity unknown to XML stand for themselves.
 */
function readMsgElement(text: MsgText): ReadRecord {
  const { raw, position } = text;
  const read = readElement(raw.slice(text.prefix.length));
  if ('brokenAt' in read) {
    const reason = `The record is not a <Msg> element: its attributes break off at character ${read.brokenAt}`;
    return unreadableRecord('BAD_XML', reason, { raw, position });
  }
  const { members, content, isWhole } = read;
  const prefix = withoutColours(text.prefix);
  const message = messageOf(prefix === '' ? content : withoutPrefixes(content, prefix));
  if (message !== '') members.msg = message;
  const record = readRecordMembers(withPrefix(withMeaning(members), prefix), text);
  if (isWhole || record.kind !== 'log') return record;
  return { ...record, remarks: [...(record.remarks ?? []), { code: 'NO_END', field: 'msg' }] };
}

/** Returns the members of a `<Msg>` record that is the text of a member; undefined if it is none. */
export function membersOfMsg(
  text: string,
): { readonly members: Readonly<Record<string, unknown>>; readonly isWhole: boolean } | undefined {
  if (!recordStart.test(text)) return undefined;
  const read = readElement(text);
  if ('brokenAt' in read) return undefined;
  const { members, content, isWhole } = read;
  const message = messageOf(content);
  if (message !== '') members.msg = message;
  return { members: withMeaning(members), isWhole };
}

/** The attributes of an element, and the text between its tags as it is written. */
interface MsgElement {
  readonly members: Record<string, unknown>;
  readonly content: string;
  readonly isWhole: boolean;
}

function readElement(text: string): MsgElement | { readonly brokenAt: number } {
  const element = withoutColours(text);
  const members = newMembers();
  let at = '<Msg'.length;
  attribute.lastIndex = at;
  for (let match = attribute.exec(element); match; match = attribute.exec(element)) {
    const [, name = '', double, single] = match;
    members[name] = decoded(double ?? single ?? '');
    at = attribute.lastIndex;
  }
  tagEnd.lastIndex = at;
  const end = tagEnd.exec(element);
  if (!end) return { brokenAt: at + 1 };
  if (end[1] === '/') return { members, content: '', isWhole: true };
  return { members, ...contentFrom(element, tagEnd.lastIndex) };
}

/** Adds the prefix of a record to its members; its time counts if the record has none. */
function withPrefix(
  members: Readonly<Record<string, unknown>>,
  text: string,
): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return members;
  const { parts } = readPrefix(text);
  const { time } = parts;
  return { ...(!members.time && time !== undefined && { time }), ...members, prefix: parts };
}

/** Returns the text between the tags, or up to the end if the end tag is missing. */
function contentFrom(element: string, from: number): { readonly content: string; readonly isWhole: boolean } {
  const close = element.lastIndexOf('</');
  if (from <= close && /^<\/msg\s*>\s*$/i.test(element.slice(close)))
    return { content: element.slice(from, close), isWhole: true };
  // The line between the groups that grep found.
  return { content: element.slice(from).replace(/\n--\s*$/, ''), isWhole: false };
}

/** Decodes a text with entities, and CDATA sections, which have none. */
function messageOf(content: string): string {
  if (!content.includes(cdata.start)) return decoded(content);
  let message = '';
  let from = 0;
  for (let at = content.indexOf(cdata.start); 0 <= at; at = content.indexOf(cdata.start, from)) {
    const end = content.indexOf(']]>', at);
    if (end < 0) break;
    message += decoded(content.slice(from, at)) + content.slice(at + cdata.start.length, end);
    from = end + 3;
  }
  return message + decoded(content.slice(from));
}

/**
 * Converts old conventions: old files name the source `target`. The elapsed time of a request (code
 * 9999, level INFO) is in milliseconds, all others in seconds.
 */
function withMeaning(members: Record<string, unknown>): Readonly<Record<string, unknown>> {
  const { type, code, elapsed } = members;
  if (members.target !== undefined && members.source === undefined) {
    members.source = members.target;
    delete members.target;
  }
  const milliseconds = type === 'INFO' && code === '9999' ? toDecimal(elapsed) : undefined;
  if (milliseconds !== undefined) members.elapsed = milliseconds / 1_000;
  return members;
}

const entity = /&(?:#(\d{1,8})|#x([\da-f]{1,8})|(amp|lt|gt|quot|apos));/gi;

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(entity, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? whole;
    return (
      characterOf(decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)) ?? whole
    );
  });
}

/** Returns the character of a code point; undefined if it is not a character. */
function characterOf(code: number): string | undefined {
  const isSurrogate = 0xd800 <= code && code <= 0xdfff;
  return code === 0 || isSurrogate || 0x10ffff < code ? undefined : String.fromCodePoint(code);
}
