import { quote, withEscapes } from './lex.ts';
import { parse } from './parse.ts';
import {
  type Clause,
  type FieldName,
  type Group,
  type Item,
  type Phrase,
  print,
  type Query,
  type Range,
  type Regexp,
  tokensOf,
  type Wildcard,
  type Word,
} from './tree.ts';

/**
 * Builders of trees. Each writes the text of its part and parses it, so a built tree is what the
 * parser makes of its text, with blanks, quotes and escapes where the grammar needs them. What has
 * no text is a `RangeError`.
 */

/** What can stand between operators. A query of several clauses becomes a group. */
export type Operand = Query | Clause | Item;

/** The end of a range: a value, or undefined where the range is open. */
export type BoundValue = string | number | undefined;

/** Whether a range includes its ends. */
export interface RangeOptions {
  /** True unless given. */
  readonly includeLower?: boolean;
  /** True unless given. */
  readonly includeUpper?: boolean;
}

/**
 * One word: the value with its special characters escaped. A value that the engine reads as a
 * comparison even when it is escaped, such as `<5`, needs a `phrase`.
 *
 * ```ts
 * print(word('C:\\data')); // 'C\:\\data'
 * ```
 *
 * @throws {RangeError} if the value is empty or begins with `<` or `>`.
 */
export function word(value: string): Word {
  if (/^[<>]/.test(value))
    throw new RangeError(`${quote(value)} begins as a comparison does: build a phrase instead`);
  return itemOf('Word', withEscapes(value));
}

/**
 * A pattern in which `*` stands for any characters and `?` for one. All others are literal.
 *
 * ```ts
 * print(wildcard('time*')); // 'time*'
 * ```
 *
 * @throws {RangeError} if the pattern holds neither.
 */
export function wildcard(pattern: string): Wildcard {
  return itemOf(
    'Wildcard',
    pattern
      .split(/([*?])/)
      .map(literalExceptWild)
      .join(''),
  );
}

function literalExceptWild(piece: string, index: number): string {
  return index % 2 === 1 ? piece : withEscapes(piece);
}

/**
 * A regular expression in the syntax of the engine (section 7 of the language specification).
 *
 * ```ts
 * print(regexp('time(out)?')); // '/time(out)?/'
 * ```
 *
 * @throws {RangeError} if it cannot stand between two `/`, as one that ends in half an escape.
 */
export function regexp(pattern: string): Regexp {
  if (!/^(?:[^\\]|\\[\s\S])*$/.test(pattern))
    throw new RangeError(`The regular expression ${quote(pattern)} ends in half an escape`);
  return itemOf('Regexp', `/${pattern.replace(/\\[\s\S]|\//g, (part) => (part === '/' ? '\\/' : part))}/`);
}

/**
 * Words next to each other, or at most `slop` moves apart.
 *
 * ```ts
 * print(phrase('say "hi"', { slop: 2 })); // '"say \"hi\""~2'
 * ```
 *
 * @throws {RangeError} if `slop` is no whole number from 0 on.
 */
export function phrase(value: string, { slop = 0 }: { readonly slop?: number } = {}): Phrase {
  if (!Number.isSafeInteger(slop) || slop < 0)
    throw new RangeError(`A slop is a whole number from 0 on: ${slop}`);
  return itemOf('Phrase', quote(value) + (slop === 0 ? '' : `~${slop}`));
}

/**
 * A range, whose ends belong to it unless the options say otherwise.
 *
 * ```ts
 * print(range(9000, 9999)); // '[9000 TO 9999]'
 * print(range('2025-03-12 08:00', undefined, { includeLower: false })); // '{"2025-03-12 08:00" TO *]'
 * ```
 *
 * @throws {RangeError} if an end is empty, a `*`, or no number that can be written.
 */
export function range(lower: BoundValue, upper: BoundValue, options: RangeOptions = {}): Range {
  const { includeLower = true, includeUpper = true } = options;
  const open = includeLower ? '[' : '{';
  const close = includeUpper ? ']' : '}';
  return itemOf('Range', `${open}${boundText(lower)} TO ${boundText(upper)}${close}`);
}

function boundText(value: BoundValue): string {
  if (value === undefined) return '*';
  if (value === '') throw new RangeError('A range cannot end in an empty text');
  // The engine reads it as an open end, in quotes as well.
  if (value === '*') throw new RangeError('A range cannot end in "*": for an open end give undefined');
  const text = typeof value === 'number' ? numberText(value) : value;
  if (/^-?[\p{L}\p{N}_.:-]+$/u.test(text) && text !== 'TO') return text;
  // Within a range the engine takes `\"` as the end of the bound where another `"` follows.
  return `"${text.replace(/["\\]/g, (character) => (character === '"' ? '\\u0022' : '\\u005c'))}"`;
}

/** A number without an exponent. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`A query cannot hold the number ${value}`);
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 });
}

/**
 * The name of a field and its colon.
 *
 * ```ts
 * print(field('user name')); // 'user\ name:'
 * ```
 *
 * @throws {RangeError} if the name is empty.
 */
export function field(name: string): FieldName {
  const [part] = read(`${withEscapes(name)}:x`).parts;
  if (part?.kind !== 'Clause' || !part.field) throw new RangeError(`${quote(name)} cannot name a field`);
  return part.field;
}

/**
 * A clause: what a field must hold.
 *
 * ```ts
 * print(clause('msg', phrase('timed out'))); // 'msg:"timed out"'
 * print(clause('msg', or(word('a'), word('b')))); // 'msg:(a OR b)'
 * ```
 *
 * @throws {RangeError} if the field has no name.
 */
export function clause(fieldName: string, content: Operand): Clause {
  return clauseOf(`${print(field(fieldName))}${textOf(itemFrom(content))}`);
}

/**
 * An operand in parentheses.
 *
 * ```ts
 * print(group(or(word('a'), word('b')))); // '(a OR b)'
 * ```
 */
export function group(content: Operand): Group {
  return itemOf('Group', `(${textOf(content)})`);
}

/**
 * The logs that all operands select.
 *
 * ```ts
 * const query = and(clause('logLevel', word('SEVERE')), not(or(word('a'), word('b'))));
 * print(query); // 'logLevel:SEVERE AND NOT (a OR b)'
 * ```
 *
 * @throws {RangeError} without operands.
 */
export function and(...operands: readonly Operand[]): Query {
  return list(operands, ' AND ', listed);
}

/**
 * The logs that at least one operand selects. An operand that excludes is set in parentheses: in a
 * list, `a OR NOT b` takes the logs of `b` from those of `a`.
 *
 * ```ts
 * print(or(word('a'), not(word('b')))); // 'a OR (NOT b)'
 * ```
 *
 * @throws {RangeError} without operands.
 */
export function or(...operands: readonly Operand[]): Query {
  return list(operands, ' OR ', (operand) =>
    isExcluded(operand) && 1 < operands.length ? `(${listed(operand)})` : listed(operand),
  );
}

/**
 * The logs that the operand does not select.
 *
 * ```ts
 * print(not(clause('msg', word('a')))); // 'NOT msg:a'
 * ```
 */
export function not(operand: Operand): Clause {
  return clauseOf(`NOT ${isExcluded(operand) ? `(${listed(operand)})` : bare(operand)}`);
}

/**
 * The item with this weight for the order by relevance, in place of one that it has.
 *
 * ```ts
 * print(boost(word('timeout'), 2.5)); // 'timeout^2.5'
 * ```
 *
 * @throws {RangeError} if the weight is negative or no number that can be written.
 */
export function boost(content: Operand, weight: number): Item {
  if (weight < 0) throw new RangeError(`A weight is not negative: ${weight}`);
  const item = itemFrom(content);
  return itemOf(item.kind, `${textWithoutBoost(item)}^${numberText(weight)}`);
}

function textWithoutBoost(item: Item): string {
  switch (item.kind) {
    case 'Missing':
      return '';
    case 'Group':
    case 'Range':
      return textOf({ ...item, boost: undefined });
    default:
      return textOf({ ...item, suffixes: item.suffixes.filter(({ kind }) => kind !== 'Boost') });
  }
}

function list(operands: readonly Operand[], operator: string, toText: (operand: Operand) => string): Query {
  const texts = operands.map(toText);
  const text = texts.join(operator);
  const query = read(text);
  // A regular expression that ends in a backslash, as a parser may have read it, goes on to the next `/`.
  const isList =
    query.parts.length === operands.length &&
    query.parts.every(
      (part, index) => part.kind === 'Clause' && textOf({ ...part, conjunction: undefined }) === texts[index],
    );
  if (operands.length === 0 || !isList)
    throw new RangeError(`${quote(text)} is no list of ${operands.length} clauses`);
  return query;
}

/** The text of an operand in a list. */
function listed(operand: Operand): string {
  return `${isExcluded(operand) ? 'NOT ' : ''}${bare(operand)}`;
}

/** Whether the operand is a clause, or a query of one, that excludes. */
function isExcluded(operand: Operand): boolean {
  const single = onlyClause(operand);
  return single?.modifier?.kind === 'Not' || single?.modifier?.kind === 'Minus';
}

/** The text of an operand without operators before it, in parentheses where it holds several clauses. */
function bare(operand: Operand): string {
  const single = onlyClause(operand);
  if (single) return textOf({ ...single, conjunction: undefined, modifier: undefined });
  return operand.kind === 'Query' ? `(${textOf(operand)})` : textOf(operand);
}

function onlyClause(operand: Operand): Clause | undefined {
  if (operand.kind === 'Clause') return operand;
  if (operand.kind !== 'Query' || operand.parts.length !== 1) return;
  const [part] = operand.parts;
  return part?.kind === 'Clause' ? part : undefined;
}

/** An operand as the content of a field: itself, or a group. */
function itemFrom(operand: Operand): Item {
  const single = onlyClause(operand);
  if (single && !single.modifier && !single.field) return single.item;
  return operand.kind === 'Query' || operand.kind === 'Clause' ? group(operand) : operand;
}

/** The text of a node without the white space around it. */
function textOf(node: Query | Clause | Item): string {
  const tokens = tokensOf(node).filter(({ kind }) => kind !== 'End');
  const text = tokens.map((token, index) => (index === 0 ? token.text : token.before + token.text)).join('');
  // A lone sign is a word because a blank follows it.
  return tokens.at(-1)?.kind === 'Bare' ? `${text} ` : text;
}

function itemOf<K extends Item['kind']>(kind: K, text: string): Extract<Item, { kind: K }> {
  const { item } = clauseOf(text);
  if (!isOfKind(item, kind)) throw new RangeError(`${quote(text)} is no ${kind} in a query`);
  return item;
}

function isOfKind<K extends Item['kind']>(item: Item, kind: K): item is Extract<Item, { kind: K }> {
  return item.kind === kind;
}

function clauseOf(text: string): Clause {
  const [part, ...others] = read(text).parts;
  if (part?.kind !== 'Clause' || 0 < others.length)
    throw new RangeError(`${quote(text)} is no single clause`);
  return part;
}

function read(text: string): Query {
  const { query, findings } = parse(text);
  if (findings[0]) throw new RangeError(`${quote(text)} is no query: ${findings[0].message}`);
  return query;
}
