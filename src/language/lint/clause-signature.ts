import { parseInteger, parseNumber } from '../meaning/bounds.ts';
import { parseDate } from '../meaning/date.ts';
import type { Token } from '../parse/token.ts';
import type { Clause, Phrase, Range, Word } from '../parse/tree.ts';
import type { SearchTargets } from './target-lookup.ts';
import { askedText } from './terms.ts';

/** Lookups of the query that signatures are made with. */
export interface SignatureReader {
  readonly terms: (clause: Clause) => readonly string[];
  /** The text of the query. */
  readonly text: () => string;
}

/** The length of the longest group that is compared: nobody repeats longer ones by accident, and their texts add up. */
const longestGroup = 500;

/**
 * A text that two clauses on the same fields share only if they ask for the same.
 * Empty where the clause cannot be compared.
 */
export function clauseSignature(
  clause: Clause,
  searchTargets: SearchTargets,
  { terms, text }: SignatureReader,
): string {
  const { item } = clause;
  switch (item.kind) {
    case 'Word':
    case 'Phrase':
      return wordSignature(item, terms(clause), searchTargets);
    case 'Wildcard':
    case 'Regexp':
      return item.term.text + tildeOf(item.suffixes);
    case 'Range':
      return rangeSignature(item);
    case 'Group':
      return longestGroup < item.to - item.from ? '' : text().slice(item.from, item.to);
    case 'Missing':
      return '';
  }
}

function rangeSignature({ open, lower, upper, close }: Range): string {
  return `${open.text}${lower?.term.text} ${upper?.term.text}${close?.text}`;
}

/**
 * On text fields the tokens; a single token is the same as a word and as a
 * phrase. On others the value. Only a single token has no blank in it.
 */
function wordSignature(item: Word | Phrase, terms: readonly string[], searchTargets: SearchTargets): string {
  const tilde = tildeOf(item.suffixes);
  const isComparison = item.kind === 'Word' && searchTargets.fields.length === 1 && startsRange(item);
  if (isComparison || !searchTargets.hasText) {
    const value = askedText(item) ?? '';
    return `value ${numberSignature(value) ?? value}${tilde}`;
  }
  if (searchTargets.hasKeyword) return `${item.kind} ${askedText(item)}${tilde}`;
  const [term, second] = terms;
  if (term === undefined) return '';
  const words = second === undefined ? term : `${item.kind} ${terms.join(' ')}`;
  return words + valueIn(item, searchTargets) + tilde;
}

/** The value in a text where numbers or dates are searched too: `9003` and `"2024-01-01"` ask for more than their tokens. */
function valueIn(item: Word | Phrase, { hasNumbers, fields }: SearchTargets): string {
  if (!hasNumbers) return '';
  const text = askedText(item) ?? '';
  const isDate =
    fields.some(({ type }) => type === 'date') && parseDate(text, { roundUp: false, now: 0 }) !== undefined;
  const value = numberSignature(text) ?? (isDate ? text : undefined);
  return value === undefined ? '' : ` ${value}`;
}

/** The number of a text as decimal fields read it, and as integer fields do; undefined if it is none. */
function numberSignature(text: string): string | undefined {
  const number = parseNumber(text);
  if (number === undefined) return undefined;
  return Object.is(number, -0) ? '-0' : `${number} ${Number.isSafeInteger(number) ? '' : parseInteger(text)}`;
}

function startsRange(item: Word): boolean {
  return /^[\\<>]/.test(item.term.text) && /^[<>]/.test(askedText(item) ?? '');
}

function tildeOf(suffixes: readonly Token[]): string {
  return suffixes.find(({ kind }) => kind === 'Tilde')?.text ?? '';
}
