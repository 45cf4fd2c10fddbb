import { fieldsNamed } from '../meaning/resolve.ts';
import type { Schema } from '../meaning/schema.ts';
import { parseDate, parseNumber } from '../meaning/values.ts';
import { withoutEscapes } from '../parse/lex.ts';
import { type Clause, type Part, type Span, tokensOf, type Word } from '../parse/tree.ts';

/**
 * Parts that were meant as one construct, but that the parser reads one by one.
 * One rule reports each kind; other rules ignore the parts of it.
 */
export type SplitConstruct = QuotePair | Pasted | MissingColon | BareRange;

/**
 * The split constructs of a level, at the index of each of their parts. Of
 * overlapping ones the first in this order wins: quotes, once mended, protect
 * what is between them.
 */
export function splitConstructsOn(
  parts: readonly Part[],
  schema: Schema,
): readonly (SplitConstruct | undefined)[] {
  const constructs: (SplitConstruct | undefined)[] = [];
  add(quotePairsOn(parts));
  add(pastedOn(parts, schema));
  add(missingColonsOn(parts, schema));
  add(bareRangesOn(parts));
  return constructs;

  function add(found: Iterable<SplitConstruct>): void {
    for (const construct of found) {
      const indexes = construct.parts.map((_, index) => construct.at + index);
      if (indexes.every((index) => constructs[index] === undefined))
        for (const index of indexes) constructs[index] = construct;
    }
  }
}

/** Quotes that do not quote but were meant to, as in `“timed out”` and `'timed out'`. */
export interface QuotePair {
  readonly kind: 'quotes';
  readonly at: number;
  readonly open: Span;
  readonly close: Span;
  /** The parts from the one that holds the first to the one that holds the second. */
  readonly parts: readonly Part[];
}

/** The marks that open, each with those that may close: typographic quotes of several languages, and straight single ones. */
const closings: ReadonlyMap<string, string> = new Map([
  ...[...'“”„‟«»〝＂'].map((opening): [string, string] => [opening, '“”„‟«»〝〞＂']),
  ...[...'‘‚‛‹'].map((opening): [string, string] => [opening, '’‘‛›']),
  ["'", "'"],
  ['`', "`'"],
]);

/** The pairs on a level, in order. Both marks are on one level, so a phrase of them cuts no group. */
function* quotePairsOn(parts: readonly Part[]): Generator<QuotePair> {
  let open: { readonly at: number; readonly span: Span; readonly closing: string } | undefined;
  for (const [index, part] of parts.entries()) {
    const word = wordOf(part);
    if (!word) {
      // A phrase made of the pair would end at the quotes of this one.
      if (part.kind === 'Clause' && part.item.kind === 'Phrase') open = undefined;
      continue;
    }
    let from = 0;
    if (!open) {
      const closing = closings.get(word.term.text.charAt(0));
      if (!closing) continue;
      open = { at: index, span: characterAt(word, 0), closing };
      from = 1;
    }
    const close = closeIn(word, from, open.closing);
    if (close === undefined) continue;
    const between = parts.slice(open.at, index + 1);
    yield { kind: 'quotes', at: open.at, open: open.span, close: characterAt(word, close), parts: between };
    open = undefined;
  }
}

function wordOf(part: Part): Word | undefined {
  return part.kind === 'Clause' && part.item.kind === 'Word' ? part.item : undefined;
}

/** The offset of the closing mark in a word. Escaped marks do not count, nor do single ones within a word, which are apostrophes. */
function closeIn({ term: { text } }: Word, from: number, closing: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (closing.includes(text.charAt(at)) && !isApostrophe(text, at)) return at;
  }
  return undefined;
}

function isApostrophe(text: string, at: number): boolean {
  return /['’‘]/.test(text.charAt(at)) && /^[\p{L}\p{N}]/u.test(text.slice(at + 1, at + 3));
}

function characterAt({ term }: Word, at: number): Span {
  return { from: term.from + at, to: term.from + at + 1 };
}

/** A value without quotes, which its own colons and slashes split into parts: a URL, a path, a time. */
export interface Pasted extends Span {
  readonly kind: 'pasted';
  readonly at: number;
  readonly parts: readonly Part[];
  /** The value that was meant, or the text from another offset of the parts on. */
  readonly value: (from?: number) => string;
  /** True if it is a syntax error, which the parser reports. */
  readonly isBroken: boolean;
  /** The kind of value, such as "a URL"; undefined for a path, which only its slashes split. */
  readonly look: string | undefined;
}

/** The pasted values on a level. */
function* pastedOn(parts: readonly Part[], schema: Schema): Generator<Pasted> {
  for (const [at, run] of runsOf(parts)) {
    const pasted = toPasted(at, run, schema);
    if (pasted) yield pasted;
  }
}

/** The runs of parts without a blank between them that have a field or a pair of slashes. */
function* runsOf(parts: readonly Part[]): Generator<readonly [at: number, run: readonly Part[]]> {
  let first = 0;
  let special = false;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'Clause' && (part.field || part.item.kind === 'Regexp')) special = true;
    if (parts[index + 1]?.from === part.to) continue;
    if (special) yield [first, parts.slice(first, index + 1)];
    first = index + 1;
    special = false;
  }
}

function toPasted(at: number, run: readonly Part[], schema: Schema): Pasted | undefined {
  const [head] = run;
  if (head?.kind !== 'Clause' || !run.every((part) => isPiece(part, part === head))) return undefined;
  const isBroken = run.some(({ kind }) => kind === 'Stray');
  const look = lookOf(head, schema);
  if (!look && !isBroken && !isPath(run, schema)) return undefined;
  const from = look && head.field ? head.field.from : head.item.from;
  const to = run.at(-1)?.to ?? from;
  const value = (start = from) => pastedValue(run, start);
  return { kind: 'pasted', at, from, to, parts: run, value, isBroken, look };
}

/** The text from an offset on, with every backslash without effect. */
function pastedValue(run: readonly Part[], from: number): string {
  const tokens = run.flatMap((part) => tokensOf(part)).filter((token) => from <= token.from);
  const raw = tokens.map(({ before, text }, index) => (index === 0 ? '' : before) + text).join('');
  return withoutEscapes(doubleLostBackslashes(raw)).text;
}

function isPiece(part: Part, isHead: boolean): boolean {
  if (part.kind === 'Stray') return ':/\\'.includes(part.token.text);
  if (!isHead && part.conjunction) return false;
  return ['Word', 'Regexp', 'Wildcard', 'Missing'].includes(part.item.kind);
}

/**
 * Returns whether slashes seem to belong to paths: a part touches them, or they enclose
 * a blank, which no token has. The value of a keyword can have one.
 */
function isPath(parts: readonly Part[], schema: Schema): boolean {
  return parts.some((part) => {
    if (part.kind === 'Stray' || part.item.kind !== 'Regexp') return false;
    const { field, item } = part;
    if (1 < parts.length) return true;
    const isKeyword = field && schema.fields.get(withoutEscapes(field.name.text).text)?.type === 'keyword';
    // No path begins or ends with a dot and a star.
    return !isKeyword && /\s/.test(item.term.text) && !/^\/\.[*+]|\.[*+]\/$/.test(item.term.text);
  });
}

/** The kind of value that a clause on an unknown field looks like, with all that touches it. */
function lookOf({ field, item }: Clause, schema: Schema): string | undefined {
  if (!field || !('term' in item) || field.name.to !== field.colon.from || field.to !== item.from)
    return undefined;
  const name = withoutEscapes(field.name.text).text;
  if (name === '_exists_' || 0 < fieldsNamed(name, schema).length) return undefined;
  const value = item.term.text;
  return looks.find(({ fits }) => fits(name, value))?.look;
}

interface Look {
  readonly look: string;
  readonly fits: (name: string, value: string) => boolean;
}

const looks: readonly Look[] = [
  { look: 'a URL', fits: (_name, value) => value.startsWith('//') },
  { look: 'a Windows path', fits: (name, value) => /^[A-Za-z]$/.test(name) && /^[\\/]/.test(value) },
  { look: 'a time of day', fits: (name, value) => /^\d{1,2}$/.test(name) && /^\d\d$/.test(value) },
  {
    look: 'a file and a line',
    fits: (name, value) => /\.[A-Za-z]{1,6}$/.test(name) && /^\d{1,4}$/.test(value) && isSource(name),
  },
  {
    look: 'a host and its port',
    fits: (name, value) => /[.\-\d]|^localhost$/.test(name) && /^\d{2,5}$/.test(value),
  },
  {
    look: 'a class and its method',
    fits: (name, value) =>
      /^[a-z][\w$]*(\.[\w$]+)*\.[A-Z][\w$]*$/.test(name) && /^[a-z<][\w$<>]*$/.test(value),
  },
];

/** Returns whether a name ends like a source file, and not like a host. */
function isSource(name: string): boolean {
  return /\.(java|kt|scala|groovy|py|js|ts|cs|cpp|cc|c|h|go|rb|php|sql|xml|jsp)$/i.test(name);
}

/**
 * Returns whether a text has a backslash without effect: in front of a letter or a digit.
 * In `\uXXXX` it writes a character, and in `\AND` it makes a word of an operator.
 */
export function losesBackslash(text: string): boolean {
  if (!text.includes('\\') || /^\\(AND|OR|NOT|TO)$/.test(text)) return false;
  for (const [, escaped = ''] of text.matchAll(/\\(u[0-9a-fA-F]{4}|[\s\S])/g)) {
    if (/^[A-Za-z0-9]$/.test(escaped)) return true;
  }
  return false;
}

/**
 * A text in which every backslash without effect is doubled, so that it stands for a backslash. In a Windows path
 * none was meant to have an effect, but for one in front of quotes.
 */
export function doubleLostBackslashes(text: string): string {
  if (/^"?[A-Za-z]:\\/.test(text)) return text.replace(/\\\\|\\(?!")/g, '\\\\');
  return text.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (sequence, escaped: string) =>
    /^[A-Za-z0-9]$/.test(escaped) ? `\\${sequence}` : sequence,
  );
}

/** A field and a value with a sign between them instead of a colon: `logLevel=SEVERE`, `elapsed > 5`. */
export interface MissingColon extends Span {
  readonly kind: 'missing colon';
  readonly at: number;
  /** One word, or up to three. */
  readonly parts: readonly Part[];
  readonly field: string;
  /** `=`, `==`, `!=`, `<`, `<=`, `>` or `>=`. */
  readonly sign: string;
  /** The written text, with its quotes if it has some. */
  readonly value: string;
}

/** The fields without a colon on a level. */
function* missingColonsOn(parts: readonly Part[], schema: Schema): Generator<MissingColon> {
  for (const [index, part] of parts.entries()) {
    if (!isPlainWord(part, { conjunction: true }) || !canBegin(part.item.term.text, schema)) continue;
    const missingColon = missingColonIn(part, parts.slice(index, index + 3), schema);
    if (missingColon) yield { at: index, ...missingColon };
  }
}

/** Returns whether a word is the name of a field, or has a sign in it. */
function canBegin(text: string, schema: Schema): boolean {
  return schema.fields.has(text) || /[=<>]/.test(text);
}

function missingColonIn(
  first: Clause,
  parts: readonly Part[],
  schema: Schema,
): Omit<MissingColon, 'at'> | undefined {
  let glued = '';
  for (const [position, part] of parts.entries()) {
    const piece = pieceOf(part, position === 0);
    if (piece === undefined) return undefined;
    glued += piece;
    const [, field = '', sign, value] = /^([\w.]+)(==?|!=|[<>]=?)?(.*)$/s.exec(glued) ?? [];
    if (!schema.fields.has(field)) return undefined;
    if (value) {
      return sign
        ? {
            kind: 'missing colon',
            from: first.item.from,
            to: part.to,
            parts: parts.slice(0, position + 1),
            field,
            sign,
            value,
          }
        : undefined;
    }
  }
  return undefined;
}

/** The text of a part that can continue a comparison. The parser reads the first sign of `!=` as an operator. */
function pieceOf(part: Part, isFirst: boolean): string | undefined {
  if (isFirst || isPlainWord(part) || isPlainPhrase(part)) return termOf(part);
  if (part.kind !== 'Clause' || part.modifier?.text !== '!' || part.conjunction || part.field)
    return undefined;
  const text = termOf(part);
  return part.item.kind === 'Word' && text?.startsWith('=') ? `!${text}` : undefined;
}

function termOf(part: Part): string | undefined {
  return part.kind === 'Clause' && 'term' in part.item ? part.item.term.text : undefined;
}

function isPlainPhrase(part: Part): boolean {
  if (part.kind !== 'Clause' || part.conjunction || part.modifier || part.field) return false;
  return part.item.kind === 'Phrase' && part.item.suffixes.length === 0;
}

/** A clause of one plain word: without a field, a modifier, a conjunction or a suffix. */
export type PlainWord = Clause & { readonly item: Word };

/** Returns whether a part is one plain word, with a conjunction only if that is allowed. */
export function isPlainWord(
  part: Part | undefined,
  allowed: { readonly conjunction?: boolean } = {},
): part is PlainWord {
  if (part?.kind !== 'Clause' || part.field || part.modifier || (part.conjunction && !allowed.conjunction))
    return false;
  return part.item.kind === 'Word' && part.item.term.kind === 'Term' && part.item.suffixes.length === 0;
}

const lookAlikes: ReadonlyMap<string, 'AND' | 'OR' | 'NOT'> = new Map([
  ['and', 'AND'],
  ['or', 'OR'],
  ['not', 'NOT'],
  ['&', 'AND'],
  ['|', 'OR'],
]);

/** The operator that a word looks like. */
export function operatorMeantBy(text: string): 'AND' | 'OR' | 'NOT' | undefined {
  return lookAlikes.get(text.toLowerCase());
}

/** Returns whether a part is a lone sign, which is a word only because a blank follows it. */
export function isLoneSign(part: Part | undefined): boolean {
  return part?.kind === 'Clause' && part.item.kind === 'Word' && part.item.term.kind === 'Bare';
}

/** Returns whether a stray colon gives a clause something like a field, as in `a:b:[1 TO 5]`; the parser reports it. */
export function isBehindColon(before: Part | undefined, { from }: Clause): boolean {
  return before?.kind === 'Stray' && before.to === from && before.token.text === ':';
}

/** Two numbers or dates with `TO` between them and no brackets around: `9000 TO 9999`. The span leaves out the field. */
export interface BareRange extends Span {
  readonly kind: 'bare range';
  readonly at: number;
  readonly parts: readonly Part[];
  readonly first: Clause;
  readonly lower: string;
  readonly upper: string;
}

/** The ranges without brackets on a level. */
function* bareRangesOn(parts: readonly Part[]): Generator<BareRange> {
  for (const [index, to] of parts.entries()) {
    if (!isPlainWord(to) || !/^to$/i.test(to.item.term.text)) continue;
    const range = 0 < index ? rangeFrom(index - 1, parts) : undefined;
    if (range) yield range;
  }
}

function rangeFrom(at: number, all: readonly Part[]): BareRange | undefined {
  const parts = all.slice(at, at + 3);
  const [first, , last] = parts;
  if (first?.kind !== 'Clause' || first.item.kind !== 'Word' || !isPlainWord(last)) return undefined;
  const [lower, upper] = [first.item.term.text, last.item.term.text];
  if (0 < first.item.suffixes.length || !isBound(lower) || !isBound(upper)) return undefined;
  return { kind: 'bare range', at, parts, first, lower, upper, from: first.item.from, to: last.to };
}

/** Returns whether a text is a number or a date. */
export function isBound(text: string): boolean {
  return parseNumber(text) !== undefined || parseDate(text, { roundUp: false, now: 0 }) !== undefined;
}
