import type { Field, Schema } from '../meaning/fields.ts';
import { fieldsNamed } from '../meaning/targets.ts';
import { withoutEscapes, withoutQuotes } from '../parse/escape.ts';
import { parse } from '../parse/parse.ts';
import type { Token } from '../parse/token.ts';
import type { Clause, Group, Item, Part, Query, Range, Span } from '../parse/tree.ts';
import { noWorseThan } from './no-worse-than.ts';

/**
 * The kinds of text that can stand at a place:
 *
 * - `name`: the name of a field whose colon is there already;
 * - `field`: the name of a field, with its colon;
 * - `known`: a field and one of its known values;
 * - `value`: a value of the field of the place;
 * - `form`: the beginning of a value other than a word, such as the bracket of a range;
 * - `join`: AND and OR; `not`: NOT; `end`: the parenthesis that closes the group;
 * - `bound`: one end of a range; `to`: the TO of a range; `close`: its closing bracket.
 */
export type Want =
  | 'name'
  | 'field'
  | 'known'
  | 'value'
  | 'form'
  | 'join'
  | 'not'
  | 'end'
  | 'bound'
  | 'to'
  | 'close';

/** The position of a cursor in a query. A suggestion replaces its span. */
export interface CursorPlace extends Span {
  /** The text of the span in front of the cursor, without quotes and escapes. */
  readonly written: string;
  /** The kinds of text that can stand here, the likeliest first. */
  readonly wants: readonly Want[];
  /** The field whose values can stand here. */
  readonly field: Field | undefined;
  /** True if that field belongs to a group around the place. */
  readonly inGroup: boolean;
  /** True if a `~` belongs to what stands here. */
  readonly hasDistance: boolean;
}

/** A place without the text behind it. */
type Found = Omit<CursorPlace, 'hasDistance'>;

/** The place of a cursor in a query. Any text is accepted, finished or not. */
export function placeAt(text: string, cursor: number, schema: Schema): CursorPlace {
  const found = findPlace(text, cursor, schema);
  return { ...found, hasDistance: text.startsWith('~', found.to) || text.startsWith('^', found.to) };
}

function findPlace(text: string, cursor: number, schema: Schema): Found {
  const level = levelAt(parse(text).query, cursor);
  const last = lastBefore(level, cursor);
  const at: At = { text, cursor, schema, level };
  if (!last) return beginning(at, { joins: false, negates: true });
  if (last.kind === 'Stray') return last.to < cursor ? between(at) : emptyPlace(cursor);
  return placeIn(last, at);
}

/** A cursor and its surroundings. */
interface At {
  readonly text: string;
  readonly cursor: number;
  readonly schema: Schema;
  readonly level: LevelAt;
}

/** The last part of a level that begins in front of a cursor. */
function lastBefore({ parts }: LevelAt, cursor: number): LevelAt['parts'][number] | undefined {
  let last: LevelAt['parts'][number] | undefined;
  for (const part of parts) {
    if (cursor <= part.from) break;
    last = part;
  }
  return last;
}

/** A place in or behind a clause that begins in front of the cursor. */
function placeIn(clause: Clause, at: At): Found {
  const { conjunction, modifier, field, item } = clause;
  const { cursor } = at;
  if (item.kind !== 'Missing' && item.from < cursor) return placeInItem(clause, at);
  if (field && field.colon.from < cursor) return behindColon(clause, at);
  if (field && field.name.from < cursor) {
    return cursor <= field.name.to ? ofToken(field.name, at, ['name']) : emptyPlace(cursor);
  }
  if (modifier && modifier.from < cursor) {
    if (cursor <= modifier.to && modifier.text === 'NOT') return ofToken(modifier, at, ['not']);
    return beginning(at, { joins: false, negates: false });
  }
  if (conjunction && cursor <= conjunction.to) {
    return /^[A-Z]/.test(conjunction.text) ? ofToken(conjunction, at, ['join']) : emptyPlace(cursor);
  }
  return beginning(at, { joins: false, negates: modifier === undefined });
}

function placeInItem(clause: Clause, at: At): Found {
  const { item } = clause;
  const { cursor } = at;
  if (item.kind === 'Range' && isInside(item, cursor)) return placeInRange(item, fieldOf(clause, at), at);
  if (item.to < cursor) return between(at);
  if (!('term' in item)) return cursor === item.to && isClosed(item) ? between(at) : emptyPlace(cursor);
  const { term } = item;
  if (term.kind === 'Quoted' && cursor === term.to) return between(at);
  if (term.to < cursor || term.kind === 'Regexp' || term.kind === 'Bare') return emptyPlace(cursor);
  if (item.kind === 'Phrase') return placeInPhrase(term, fieldOf(clause, at), at);
  if (clause.field) return ofToken(term, at, ['value'], fieldOf(clause, at));
  const index = at.level.parts.indexOf(clause);
  // Behind a colon stands a value, even if nothing is in front of that colon.
  if (at.level.parts[index - 1]?.kind === 'Stray') return emptyPlace(at.cursor);
  const begun = beginning(at, {
    joins: !clause.conjunction && !clause.modifier && index !== 0,
    negates: !clause.modifier,
  });
  return { ...begun, ...writtenOf(term, cursor) };
}

/**
 * An unclosed phrase takes in the rest of the text. If that rest parses without
 * it, the phrase is taken to end at the cursor.
 */
function placeInPhrase(term: Token, field: Field | undefined, at: At): Found {
  const { text, cursor } = at;
  const place = ofToken(term, at, ['value'], field);
  if (term.kind === 'Quoted') return place;
  const to = /[\udc00-\udfff]/.test(text.charAt(cursor)) ? cursor + 1 : cursor;
  const isMeant = noWorseThan(text)(`${text.slice(0, term.from)}"x" ${text.slice(to)}`);
  return isMeant ? { ...place, to } : place;
}

/** Returns whether an item is complete, so that nothing behind it can belong to it. */
function isClosed(item: Item): boolean {
  return (item.kind === 'Group' || item.kind === 'Range') && item.close !== undefined && !item.boost;
}

/** A place where a clause can begin. */
function beginning(
  at: At,
  { joins, negates }: { readonly joins: boolean; readonly negates: boolean },
): Found {
  const { cursor, level } = at;
  const field = oneField(level.field, at.schema);
  const inGroup = level.field !== undefined;
  const wants: Want[] = inGroup ? ['value'] : ['field', 'known'];
  if (joins) wants.push('join');
  if (negates) wants.push('not');
  return { from: cursor, to: cursor, written: '', wants, field, inGroup };
}

/** A place behind a clause that is complete. */
function between({ cursor, level }: At): Found {
  const next = level.parts.find((part) => cursor <= part.from);
  const isJoined = next?.kind === 'Clause' && next.conjunction !== undefined;
  if (isJoined) return emptyPlace(cursor);
  const wants: Want[] = ['join', 'not'];
  if (level.isOpen && !next) wants.push('end');
  return { ...emptyPlace(cursor), wants };
}

function behindColon(clause: Clause, at: At): Found {
  const { item } = clause;
  const { cursor } = at;
  const field = fieldOf(clause, at);
  const isAtItem = item.from === cursor && 'term' in item && item.kind !== 'Regexp';
  const span = isAtItem ? item.term : { from: cursor, to: cursor };
  const wants: Want[] = item.kind === 'Missing' ? ['value', 'form'] : ['value'];
  return { from: span.from, to: span.to, written: '', wants, field, inGroup: false };
}

function isInside({ open, close }: Range, cursor: number): boolean {
  return open.to <= cursor && (!close || cursor <= close.from);
}

function placeInRange(range: Range, field: Field | undefined, at: At): Found {
  const { lower, separator, upper, strays, close } = range;
  const { cursor } = at;
  if (0 < strays.length) return emptyPlace(cursor);
  if (!lower || cursor <= lower.to) return boundAt(lower?.term, at, field);
  if (!separator) return upper ? toAt(upper.term, at) : { ...emptyPlace(cursor), wants: ['to'] };
  if (cursor <= separator.to) return emptyPlace(cursor);
  if (!upper || cursor <= upper.to) return boundAt(upper?.term, at, field);
  return close ? emptyPlace(cursor) : { ...emptyPlace(cursor), wants: ['close'] };
}

/** In front of the second bound TO goes between the two, and replaces its written beginning. */
function toAt(word: Token, { cursor }: At): Found {
  if (word.to < cursor) return emptyPlace(cursor);
  const written = word.from < cursor ? writtenOf(word, cursor) : {};
  return { ...emptyPlace(cursor), ...written, wants: ['to'] };
}

function boundAt(term: Token | undefined, at: At, field: Field | undefined): Found {
  const { cursor } = at;
  if (!term) return { ...emptyPlace(cursor), wants: ['bound'], field };
  return touches(term, cursor) ? ofToken(term, at, ['bound'], field) : emptyPlace(cursor);
}

function touches({ from, to }: Span, cursor: number): boolean {
  return from <= cursor && cursor <= to;
}

function ofToken(token: Token, { cursor }: At, wants: readonly Want[], field?: Field): Found {
  return { ...writtenOf(token, cursor), wants, field, inGroup: false };
}

/** A place where nothing can stand. */
function emptyPlace(cursor: number): Found {
  return { from: cursor, to: cursor, written: '', wants: [], field: undefined, inGroup: false };
}

/** The span of a token, and its text up to the cursor. */
function writtenOf({ kind, text, from, to }: Token, cursor: number): Pick<Found, 'from' | 'to' | 'written'> {
  const begun = text.slice(0, cursor - from);
  const isQuoted = kind === 'Quoted' || kind === 'UnclosedQuoted' || kind === 'RangeQuoted';
  return { from, to, written: withoutEscapes(isQuoted ? withoutQuotes(begun) : begun).text };
}

/** The field that a clause asks; undefined unless it is a single known one. */
function fieldOf({ field }: Clause, { level, schema }: At): Field | undefined {
  return oneField(field ? withoutEscapes(field.name.text).text : level.field, schema);
}

function oneField(name: string | undefined, schema: Schema): Field | undefined {
  const [field, second] = name === undefined ? [] : fieldsNamed(name, schema);
  return second ? undefined : field;
}

/** The innermost list of clauses around a cursor. */
interface LevelAt {
  readonly parts: readonly Part[];
  /** The name of the field that a group gives to its clauses. */
  readonly field: string | undefined;
  /** True if it is a group that is not closed. */
  readonly isOpen: boolean;
}

/** The level at a cursor. An unclosed group extends to the end of the text. */
export function levelAt(query: Query, cursor: number): LevelAt {
  let level: LevelAt = { parts: query.parts, field: undefined, isOpen: false };
  for (;;) {
    const inner = groupAround(level, cursor);
    if (!inner) return level;
    level = inner;
  }
}

function groupAround({ parts, field }: LevelAt, cursor: number): LevelAt | undefined {
  for (const part of parts) {
    if (part.kind === 'Stray' || part.item.kind !== 'Group' || !levelAtIsInside(part.item, cursor)) continue;
    const name = part.field ? withoutEscapes(part.field.name.text).text : field;
    return { parts: part.item.parts, field: name, isOpen: part.item.close === undefined };
  }
  return undefined;
}

function levelAtIsInside({ open, close }: Group, cursor: number): boolean {
  return open.to <= cursor && (!close || cursor <= close.from);
}
