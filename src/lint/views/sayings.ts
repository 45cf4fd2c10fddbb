import type { Token } from '../../language/token.ts';
import type { Clause, Group, Phrase, Range, Word } from '../../language/tree.ts';
import { parseInteger, parseNumber } from '../../meaning/bounds.ts';
import { parseDate } from '../../meaning/date.ts';
import type { Field } from '../../meaning/fields.ts';
import { plainTermOf } from './plain-term.ts';
import type { Sought } from './target-lookup.ts';
import { askedText } from './terms.ts';

/** Tells the tokens of a clause. */
type Terms = (clause: Clause) => readonly string[];

/** Longer groups are not compared: nobody repeats them by accident, and their texts add up. */
const longestGroup = 500;

/**
 * What a clause asks of the fields that it searches, as far as it can be
 * compared: a text that another clause on them has too only if it asks for the
 * same. Of a group it is no more than a number for its length and for where its
 * last part begins, which takes less than its text. An empty one is not to be
 * compared.
 */
export function sayingOf(clause: Clause, sought: Sought, terms: Terms): string | number {
  const { item } = clause;
  switch (item.kind) {
    case 'Word':
    case 'Phrase':
      return plainTermOf(item, sought) ?? wordSaying(item, terms(clause), sought);
    case 'Wildcard':
    case 'Regexp':
      return item.term.text + tildeOf(item.suffixes);
    case 'Range':
      return rangeSaying(item);
    case 'Group':
      return groupSaying(item);
    case 'Missing':
      return '';
  }
}

function groupSaying({ from, to, parts }: Group): string | number {
  if (longestGroup < to - from) return '';
  return (to - from) * longestGroup + ((parts.at(-1)?.from ?? to) - from);
}

function rangeSaying({ open, lower, upper, close }: Range): string {
  return `${open.text}${lower?.term.text} ${upper?.term.text}${close?.text}`;
}

/**
 * On text fields the tokens, of which one says the same as a word and as a
 * phrase; on others the value. Only in one token alone there is no blank.
 */
function wordSaying(item: Word | Phrase, terms: readonly string[], sought: Sought): string {
  const tilde = tildeOf(item.suffixes);
  const isComparison = item.kind === 'Word' && sought.fields.length === 1 && startsRange(item);
  if (isComparison || !sought.hasText) {
    const value = askedText(item) ?? '';
    return `value ${numberSaying(value) ?? value}${tilde}`;
  }
  if (sought.hasKeyword) return `${item.kind} ${askedText(item)}${tilde}`;
  const [term, second] = terms;
  if (term === undefined) return '';
  const said = second === undefined ? term : `${item.kind} ${terms.join(' ')}`;
  return said + valueIn(item, sought) + tilde;
}

/** Where numbers or dates are searched as well, `9003` and `"2024-01-01"` ask for more than their tokens. */
function valueIn(item: Word | Phrase, { hasNumbers, fields }: Sought): string {
  if (!hasNumbers) return '';
  const text = askedText(item) ?? '';
  const value = numberSaying(text) ?? (fields.some(isDate) ? dateSaying(text) : undefined);
  return value === undefined ? '' : ` ${value}`;
}

function isDate({ type }: Field): boolean {
  return type === 'date';
}

/** The text itself, where it says a date; undefined where it says none. */
function dateSaying(text: string): string | undefined {
  return parseDate(text, { roundUp: false, now: 0 }) === undefined ? undefined : text;
}

/** The number of a text as decimal fields have it, and as integer fields do; undefined when it says none. */
function numberSaying(text: string): string | undefined {
  const number = parseNumber(text);
  if (number === undefined) return undefined;
  return Object.is(number, -0) ? '-0' : `${number} ${Number.isSafeInteger(number) ? '' : parseInteger(text)}`;
}

function startsRange(item: Word): boolean {
  return /^[\\<>]/.test(item.term.text) && /^[<>]/.test(askedText(item) ?? '');
}

function tildeOf(suffixes: readonly Token[]): string {
  return suffixes.length === 0 ? '' : (suffixes.find(({ kind }) => kind === 'Tilde')?.text ?? '');
}
