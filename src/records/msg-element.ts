import { readRecordMembers } from './read-json-record.ts';
import { type Position, type ReadRecord, unreadableRecord } from './record.ts';
import { toDecimal } from './to-log.ts';
import type { Zone } from './zone.ts';

/** Text of a `<Msg>` record, its position, and the zone of its time. */
export interface MsgText {
  readonly raw: string;
  readonly position: Position;
  readonly zone: Zone;
}

const attribute = /\s*([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const tagEnd = /\s*(\/?)>/y;

/**
 * Reads one `<Msg>` record: its attributes, all optional, and its text as the message. A raw `<`
 * and an entity unknown to XML stand for themselves.
 */
export function readMsgElement(text: MsgText): ReadRecord {
  const { raw, position } = text;
  const members = Object.create(null) as Record<string, unknown>;
  let at = '<Msg'.length;
  attribute.lastIndex = at;
  for (let match = attribute.exec(raw); match; match = attribute.exec(raw)) {
    const [, name = '', double, single] = match;
    members[name] = decoded(double ?? single ?? '');
    at = attribute.lastIndex;
  }
  tagEnd.lastIndex = at;
  const end = tagEnd.exec(raw);
  if (!end) {
    const reason = `The record is not a <Msg> element: its attributes break off at character ${at + 1}`;
    return unreadableRecord('BAD_XML', reason, { raw, position });
  }
  const content = end[1] === '/' ? '' : contentFrom(raw, tagEnd.lastIndex);
  if (content === undefined)
    return unreadableRecord('TRUNCATED', 'The record breaks off without "</Msg>"', { raw, position });
  if (content !== '') members.msg = decoded(content);
  return readRecordMembers(withMeaning(members), text);
}

/** Returns the text between the tags; undefined if the end tag is missing. */
function contentFrom(raw: string, from: number): string | undefined {
  const close = raw.lastIndexOf('</');
  return close < from || !/^<\/msg\s*>\s*$/i.test(raw.slice(close)) ? undefined : raw.slice(from, close);
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
