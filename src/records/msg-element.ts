import { readMembers } from './read-text.ts';
import { type Position, type ReadRecord, unreadable } from './record.ts';
import { toDecimal } from './to-log.ts';
import type { Zone } from './zone.ts';

/** The text of a `<Msg>` record, where it stands, and the zone of its time. */
export interface MsgText {
  readonly raw: string;
  readonly position: Position;
  readonly zone: Zone;
}

const attribute = /\s*([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const tagEnd = /\s*(\/?)>/y;

/**
 * Reads one `<Msg>` record: its attributes, of which none is required, and its
 * text as the message. A raw `<`, and an entity that XML does not know, stand
 * for themselves.
 */
export function readMsg(text: MsgText): ReadRecord {
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
    const reason = `The record is no <Msg> element: its attributes break off at character ${at + 1}`;
    return unreadable('BAD_XML', reason, { raw, position });
  }
  const content = end[1] === '/' ? '' : contentFrom(raw, tagEnd.lastIndex);
  if (content === undefined)
    return unreadable('TRUNCATED', 'The record breaks off without "</Msg>"', { raw, position });
  if (content !== '') members.msg = decoded(content);
  return readMembers(withMeaning(members), text);
}

/** What stands between the tags; undefined when the last one is missing. */
function contentFrom(raw: string, from: number): string | undefined {
  const close = raw.lastIndexOf('</');
  return close < from || !/^<\/msg\s*>\s*$/i.test(raw.slice(close)) ? undefined : raw.slice(from, close);
}

/**
 * Old files name the source `target`. A code of 9999 at level INFO, the time of
 * a whole request, has its elapsed time in milliseconds; all others in seconds.
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

/** The character of a code point; undefined for what is none. */
function characterOf(code: number): string | undefined {
  const isSurrogate = 0xd800 <= code && code <= 0xdfff;
  return code === 0 || isSurrogate || 0x10ffff < code ? undefined : String.fromCodePoint(code);
}
