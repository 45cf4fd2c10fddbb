import { analyze } from '../meaning/analyze.ts';
import { type FieldValue, match } from '../meaning/match.ts';
import { nearestNames } from '../meaning/nearest.ts';
import { fieldsNamed, resolve } from '../meaning/resolve.ts';
import { type Dialect, documentedSchema, type Field, type Schema } from '../meaning/schema.ts';
import { numberText, parseFieldNumber } from '../meaning/values.ts';
import { isPlainValue, lex, quote, withEscapes, withoutEscapes, withoutQuotes } from '../parse/lex.ts';
import { parse } from '../parse/parse.ts';
import type { Clause, Group, Item, Part, Query, Range, Span, Token } from '../parse/tree.ts';

/** The sources and limits of a completion. */
export interface CompleteOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `documented` unless given. */
  readonly dialect?: Dialect;
  /**
   * Values by the names of their fields, the most frequent first, beside those of
   * the schema. Only those of the field that `wantedValues` names are read.
   */
  readonly values?: ReadonlyMap<string, readonly CountedValue[]>;
  /** The maximum number of suggestions; 50 unless given. */
  readonly limit?: number;
}

/** The suggestions at a cursor. Each replaces the span, which contains the cursor. */
export interface Completion extends Span {
  /** The likeliest first. */
  readonly suggestions: readonly Suggestion[];
}

/**
 * Suggests fields, values and operators at a cursor, an offset in UTF-16 units. Any
 * text is accepted, finished or not. Suggestions that begin with the written text
 * come first, then those that contain it; case does not matter. No suggestion adds
 * a syntax error or takes in what follows the cursor; one that begins something is
 * offered as it is where nothing but closing brackets follows, and with an empty
 * value elsewhere. A suggested value selects the logs that have it.
 *
 * ```ts
 * complete('logLevel:se', 11).suggestions[0]?.insert; // 'SEVERE'
 * ```
 */
export function complete(text: string, cursor: number, options: CompleteOptions = {}): Completion {
  const { schema = documentedSchema, dialect = 'documented', values = new Map(), limit = 50 } = options;
  const place = placeAt(text, clampCursor(text, cursor), schema);
  const candidates = ranked(candidatesFor(place, { schema, dialect, values }), place.written);
  const fits = fitting(text, place);
  const suggestions: Suggestion[] = [];
  for (const candidate of candidates) {
    if (limit <= suggestions.length) break;
    // What needs more text behind it would leave a distance or a weight alone.
    if (place.hasDistance && candidate.ending !== '') continue;
    const written = separated(candidate.insert, text, place);
    if (written === text.slice(place.from, place.to)) continue;
    const insert = [written, ...closed(candidate, text, place)].find((each, index) =>
      fits(each, index === 0 ? candidate : { ...candidate, ending: '' }),
    );
    if (insert === undefined || !candidate.holds()) continue;
    const { kind, label, detail } = candidate;
    suggestions.push({ kind, insert, label, detail });
  }
  return { from: place.from, to: place.to, suggestions };
}

/** The field whose values would help at a cursor. */
export interface WantedValues {
  readonly field: Field;
  /** The text of the value in front of the cursor, without quotes and escapes. */
  readonly written: string;
}

/**
 * The field whose values could stand at a cursor, or undefined. Fetch its values
 * from a case before calling `complete`.
 *
 * ```ts
 * const wanted = wantedValues('source:Sh', 9); // the field whose values belong there
 * ```
 */
export function wantedValues(
  text: string,
  cursor: number,
  schema = documentedSchema,
): WantedValues | undefined {
  const { field, written, wants } = placeAt(text, clampCursor(text, cursor), schema);
  return field && (wants.includes('value') || wants.includes('bound')) ? { field, written } : undefined;
}

function clampCursor(text: string, cursor: number): number {
  return Math.min(Math.max(0, Math.floor(cursor) || 0), text.length);
}

/** Candidates that begin with the written text, then those that contain it; if there are none, fields described by it. */
function ranked(lists: readonly (readonly Candidate[])[], prefix: string): readonly Candidate[] {
  const lower = prefix.toLowerCase();
  const [beginning, inside, about]: [Candidate[], Candidate[], Candidate[]] = [[], [], []];
  for (const candidate of lists.flat()) {
    const says = candidate.says.toLowerCase();
    if (says.startsWith(lower)) beginning.push(candidate);
    else if (says.includes(lower)) inside.push(candidate);
    else if (candidate.kind === 'field' && isAbout(candidate, lower)) about.push(candidate);
  }
  const found = [...beginning, ...inside];
  return 0 < found.length ? found : about;
}

/** Returns whether a word in the description of a field begins with a text of at least two letters. */
function isAbout({ detail }: Candidate, begun: string): boolean {
  return 1 < begun.length && ` ${detail.toLowerCase()}`.includes(` ${begun}`);
}

/** A suggestion with an empty value, apart from its neighbours; none for one without such a value. */
function closed({ insert, emptyValue }: Candidate, text: string, place: CursorPlace): readonly string[] {
  if (emptyValue === '') return [];
  const touches = /[^ \t\r\n\u3000)]/.test(text.charAt(place.to));
  return [`${separated(insert, text, place)}${emptyValue}${touches ? ' ' : ''}`];
}

/** Puts blanks around a text that would join its neighbours. Only these characters are blanks to the engine. */
function separated(insert: string, text: string, { from, to, wants }: CursorPlace): string {
  if (wants.includes('name')) return insert;
  const [before, after] = [text.charAt(from - 1), text.charAt(to)];
  const isGlued = /[^ \t\r\n\u3000([{:+\-!]/.test(before);
  const isMoreToCome = /[:[("<>=]$/.test(insert);
  const touches = /[^ \t\r\n\u3000)\]}~^]/.test(after) && !isMoreToCome;
  // A word operator needs a blank behind it.
  const isWord = /^(AND|OR|NOT|TO)$/.test(insert) && !/[ \t\r\n\u3000]/.test(after);
  return `${isGlued ? ' ' : ''}${insert}${touches || isWord ? ' ' : ''}`;
}

/**
 * A test whether a suggestion adds no syntax error, and leaves what follows as it is. Candidates of one shape share the
 * answer. At the end of a text or a group its author goes on, so the text that completes it is put behind it.
 */
function fitting(text: string, { from, to }: CursorPlace): (insert: string, candidate: Candidate) => boolean {
  const isNoWorse = noWorseThan(text);
  const [before, behind] = [text.slice(0, from), text.slice(to)];
  const goesOn = !/^[ \t\r\n\u3000)\]}]*$/.test(behind);
  const tokens = lex(text);
  const isCut = tokens.some((token) => token.from < to && to < token.to);
  const kept = tokensBehind(tokens, to);
  const keepsRest = (made: string) => isCut || tokensBehind(lex(made), made.length - behind.length) === kept;
  const known = new Map<string, boolean>();
  return (insert, { kind, ending }) => {
    const shape = (kind === 'operator' ? insert : insert.replace(/[\p{L}\p{N}_]+/gu, 'x')) + ending;
    const fits =
      known.get(shape) ??
      (isNoWorse(before + insert + (goesOn ? '' : ending) + behind) && keepsRest(before + insert + behind));
    known.set(shape, fits);
    return fits;
  };
}

/** The kinds and texts of the tokens from an offset on, as a text to compare. */
function tokensBehind(tokens: readonly Token[], from: number): string {
  return JSON.stringify(tokens.filter((token) => from <= token.from).map(({ kind, text }) => [kind, text]));
}

/**
 * The kind of a suggestion: the name of a `field`, a `value` of one, a `bound` of a
 * range, or an `operator`: AND, OR, NOT, TO, brackets and the like.
 */
export type SuggestionKind = 'field' | 'value' | 'bound' | 'operator';

/** One text that could stand at the cursor. */
export interface Suggestion {
  readonly kind: SuggestionKind;
  /** The text to insert, quoted and escaped where necessary. */
  readonly insert: string;
  /** The text to show in a list. */
  readonly label: string;
  /** A description of one line. */
  readonly detail: string;
}

/** A value of a field, and the number of logs that have it if that is known. */
export interface CountedValue {
  readonly value: FieldValue;
  readonly count?: number;
}

/** A suggestion that is not yet verified. */
export interface Candidate extends Suggestion {
  /** The text that the written beginning is compared with. */
  readonly says: string;
  /** The text that completes the query behind it, so that it can be parsed. */
  readonly ending: string;
  /** An empty value that can stand behind it where other text follows; an empty text if none can. */
  readonly emptyValue: string;
  /** True if it selects what it promises. Called only for those that would be shown. */
  readonly holds: () => boolean;
}

/** The sources of candidates. */
export interface SuggestionSources {
  readonly schema: Schema;
  readonly dialect: Dialect;
  readonly values: ReadonlyMap<string, readonly CountedValue[]>;
}

/** The candidates at a place, one list for each expected kind, the likeliest first. */
export function candidatesFor(
  place: CursorPlace,
  source: SuggestionSources,
): readonly (readonly Candidate[])[] {
  return place.wants.map((want) => makers[want](place, source));
}

const makers: { readonly [W in Want]: (place: CursorPlace, source: SuggestionSources) => Candidate[] } = {
  name: (place, { schema }) => fieldNames(place, schema, ''),
  field: (place, { schema }) => fieldNames(place, schema, ':'),
  known: ({ written }, { schema }) => (written === '' ? [] : knownValues(written.toLowerCase(), schema)),
  value: (place, source) => (place.field ? valuesOf(place.field, place, source) : []),
  form: ({ field }, { dialect }) => (field ? formsFor(field, dialect) : []),
  join: () => [operator('AND', 'both must match', 'x '), operator('OR', 'either may match', 'x ')],
  not: () => [operator('NOT', 'excludes what follows', 'x ')],
  end: () => [operator(')', 'closes the group')],
  bound: ({ field }, source) => boundsOf(field, source),
  to: () => [operator('TO', 'stands between the two bounds')],
  close: () => [operator(']', 'includes the bound'), operator('}', 'excludes the bound')],
};

function operator(insert: string, detail: string, ending = '', emptyValue = ''): Candidate {
  return candidate({ kind: 'operator', insert, label: insert, detail }, { ending, emptyValue });
}

function candidate(suggestion: Suggestion, more: Partial<Candidate> = {}): Candidate {
  return { ...suggestion, says: suggestion.label, ending: '', emptyValue: '', holds: () => true, ...more };
}

/** The fields in their order. If no name contains the written text, similar names match it instead. */
function fieldNames({ written }: CursorPlace, { fields }: Schema, colon: string): Candidate[] {
  const names = [...fields.keys()];
  const lower = written.toLowerCase();
  const isKnown = names.some((name) => name.toLowerCase().includes(lower));
  const near = isKnown ? [] : nearestNames(written, names);
  return [...fields.values()].map(({ name, about }) => {
    const insert = withEscapes(name) + colon;
    return candidate(
      { kind: 'field', insert, label: name, detail: about },
      {
        says: near.includes(name) ? written : name,
        ending: colon === '' ? '' : 'x ',
        emptyValue: colon === '' ? '' : '""',
      },
    );
  });
}

/** Known values that begin with the written text, with their fields. */
function knownValues(begun: string, schema: Schema): Candidate[] {
  return [...schema.fields.values()].flatMap((field) => {
    const known = (field.values ?? []).filter((value) => value.toLowerCase().startsWith(begun));
    return known.map((value) => {
      const text = valueText(field, value, { quoted: false });
      const insert = `${withEscapes(field.name)}:${text}`;
      return candidate(
        { kind: 'value', insert, label: `${field.name}:${value}`, detail: field.about },
        { says: value, holds: () => findsValue(field, { value, text }, schema) },
      );
    });
  });
}

/** The longest value that is suggested, in UTF-16 units: nobody picks a stack trace from a list. */
const longestValue = 200;

function valuesOf(field: Field, place: CursorPlace, { schema, values }: SuggestionSources): Candidate[] {
  // In a group plain words side by side are one value except on text, and a distance makes a word match similar ones.
  const quoted = place.hasDistance || (place.inGroup && field.type !== 'text');
  return countedValues(field, values).map(({ value, count }) => {
    const label = shownValue(field, value);
    const insert = valueText(field, label, { quoted });
    return candidate(
      {
        kind: 'value',
        insert,
        label,
        detail: count === undefined ? field.about : `${count} ${count === 1 ? 'log' : 'logs'}`,
      },
      { holds: () => findsValue(field, { value, text: insert }, schema) },
    );
  });
}

/** The known values of a field in their order, then the other ones. */
function countedValues(
  { name, values: known = [] }: Field,
  values: SuggestionSources['values'],
): CountedValue[] {
  const counted = new Map((values.get(name) ?? []).map((value) => [String(value.value), value]));
  const listed = known.map((value) => counted.get(value) ?? { value });
  const others = [...counted.values()].filter(({ value }) => !known.includes(String(value)));
  return [...listed, ...others].filter(
    ({ value }) => 0 < String(value).length && String(value).length <= longestValue,
  );
}

function formsFor({ type }: Field, dialect: Dialect): Candidate[] {
  const isNumber = type !== 'text' && type !== 'keyword';
  const range = operator('[', 'a range: [1 TO 5]', '1 TO 5] ');
  const phrase = operator('"', 'words one after the other', 'x" ', '"');
  const compared = ['>', '>=', '<', '<='].map((sign) => operator(sign, 'a comparison', '1 '));
  return [
    ...(isNumber ? [range] : [phrase]),
    ...(isNumber && dialect === 'lucene' ? compared : []),
    operator('(', 'several of its values: (a OR b)', 'x) '),
    operator(dialect === 'lucene' ? '*' : '[* TO *]', 'any value'),
  ];
}

/** Date expressions that people use, from now backwards. */
const moments: readonly (readonly [math: string, about: string])[] = [
  ['now', 'the present'],
  ['now-15m', '15 minutes ago'],
  ['now-1h', 'an hour ago'],
  ['now-24h', '24 hours ago'],
  ['now-7d', '7 days ago'],
];

function boundsOf(field: Field | undefined, { values }: SuggestionSources): Candidate[] {
  const open = candidate({ kind: 'bound', insert: '*', label: '*', detail: 'no bound' });
  // A range on text compares tokens, not whole values.
  if (!field || field.type === 'text') return [open];
  const relative = field.type === 'date' ? moments : [];
  return [
    ...relative.map(([insert, detail]) => candidate({ kind: 'bound', insert, label: insert, detail })),
    ...valuesAsBounds(field, values),
    open,
  ];
}

function valuesAsBounds(field: Field, values: SuggestionSources['values']): Candidate[] {
  return countedValues(field, values).map(({ value }) => {
    const label = shownValue(field, value);
    return candidate({ kind: 'bound', insert: boundText(label), label, detail: field.about });
  });
}

/** The text of a value as it is shown; dates as they are written in a query. */
export function shownValue(field: Field, value: FieldValue): string {
  return typeof value === 'string' ? value : numberText(field.type, value);
}

/** The query text that asks for this value alone, quoted if it has to be or if `quoted` is set. */
export function valueText(field: Field, shown: string, { quoted }: { readonly quoted: boolean }): string {
  return !quoted && isOneWord(field, shown) ? shown : quote(shown);
}

function isOneWord({ type }: Field, shown: string): boolean {
  if (type === 'integer' || type === 'decimal') return /^\d+(\.\d+)?$/.test(shown);
  if (type === 'date' || !isPlainValue(shown)) return false;
  return type === 'keyword' || analyze(shown).length === 1;
}

/** One end of a range as it is written. */
export function boundText(shown: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.:+-]*$/u.test(shown) && shown !== 'TO' ? shown : quote(shown);
}

/** Returns whether a clause selects the logs that have the value. It does not for `"---"`, which has no token. */
export function findsValue(field: Field, { value, text }: ValueQuery, schema: Schema): boolean {
  const isNumber = field.type !== 'text' && field.type !== 'keyword';
  const has = isNumber && typeof value === 'string' ? parseFieldNumber(field.type, value) : value;
  const clause = parse(`${withEscapes(field.name)}:${text}`).query;
  return match(resolve(clause, { schema }), { [field.name]: has });
}

/** A value, and the query text that asks for it. */
interface ValueQuery {
  readonly value: FieldValue;
  readonly text: string;
}

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
type Want = 'name' | 'field' | 'known' | 'value' | 'form' | 'join' | 'not' | 'end' | 'bound' | 'to' | 'close';

/** The position of a cursor in a query. A suggestion replaces its span. */
interface CursorPlace extends Span {
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
  const span = word.from < cursor ? writtenOf(word, cursor) : {};
  return { ...emptyPlace(cursor), ...span, wants: ['to'] };
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

/** A test whether a changed text has no more syntax errors of any kind than the original one. */
export function noWorseThan(text: string): (changed: string) => boolean {
  const known = problemsOf(text);
  return (changed) => [...problemsOf(changed)].every(([code, count]) => count <= (known.get(code) ?? 0));
}

/** The number of syntax errors by code. */
function problemsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of parse(text).findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
