import type { PhraseFilter } from '../meaning/filter.ts';
import { compareCodePoints } from '../meaning/match.ts';
import type { LeafFilter, Variable } from './boolean-logic.ts';
import type { LeafOccurrence } from './field-theory.ts';
import { cutInto, holdsTerm, type Interval, nextTerm, termInterval } from './interval.ts';
import { isNeverToken } from './term-samples.ts';

/** A leaf with its own variable: the text has a match of it. */
export interface TextPart<L extends LeafFilter = LeafFilter> {
  readonly leaf: L;
  readonly variable: Variable;
}

/** The tokens of an interval except those with their own variable, and the variable that the text has one. */
export interface OtherTokens {
  readonly interval: Interval<string>;
  readonly variable: Variable;
}

/** The conditions of filters on one text field, without those that no text can fulfil. */
export interface TextParts {
  /** Single tokens, by their text. */
  readonly terms: ReadonlyMap<string, Variable>;
  readonly phrases: readonly TextPart<PhraseFilter>[];
  /** Wildcards, regular expressions and fuzzy terms. */
  readonly patterns: readonly TextPart[];
  /** All other tokens, cut at the ends of ranges and prefixes; empty if no filter refers to them. */
  readonly rests: readonly OtherTokens[];
  /**
   * The variable that there is a text at all, even one without tokens; undefined if no filter
   * refers to it.
   */
  readonly present: Variable | undefined;
}

/** Sorts the leaves on a text field by kind, and gives each a variable. */
export function textPartsOf(occurrences: readonly LeafOccurrence[]): TextParts {
  const terms = new Map<string, Variable>();
  const phrases: TextPart<PhraseFilter>[] = [];
  const patterns: TextPart[] = [];
  const intervals: Interval<string>[] = [];
  let wholeFrom: number | undefined;
  let present: Variable | undefined;
  for (const { leaf, order } of occurrences) {
    if (leaf.kind === 'term') {
      if (!isNeverToken(leaf.term)) terms.set(leaf.term, { order, cost: 2 });
    } else if (leaf.kind === 'phrase') {
      if (!leaf.terms.some(isNeverToken))
        phrases.push({ leaf, variable: { order, cost: leaf.terms.length } });
    } else if (leaf.kind === 'wildcard' || leaf.kind === 'regexp' || leaf.kind === 'fuzzy') {
      patterns.push({ leaf, variable: { order, cost: 2 } });
    } else if (leaf.kind === 'exists' && leaf.byNorms) {
      present ??= { order, cost: 1 };
    } else if (leaf.kind !== 'range') {
      wholeFrom ??= order;
      const interval = termInterval(leaf);
      if (interval) intervals.push(interval);
    }
  }
  const rests = wholeFrom === undefined ? [] : restsOf(intervals, terms, wholeFrom);
  return { terms, phrases, patterns, rests, present };
}

function restsOf(
  intervals: readonly Interval<string>[],
  terms: ReadonlyMap<string, Variable>,
  order: number,
): OtherTokens[] {
  return cutInto(intervals, compareCodePoints)
    .all.filter((interval) => interval.to !== '' && !isNamedOnly(interval, terms))
    .map((interval) => ({ interval, variable: { order, cost: 3 } }));
}

/** Returns whether an interval contains one token alone, which has its own variable or cannot occur. */
function isNamedOnly({ from, to }: Interval<string>, terms: ReadonlyMap<string, Variable>): boolean {
  if (from === undefined || to !== nextTerm(from)) return false;
  return terms.has(from) || isNeverToken(from);
}

/**
 * The variables for the tokens of an interval, or for all tokens: one holds if the text has a
 * token there.
 */
export function tokenVariables({ terms, rests }: TextParts, interval?: Interval<string>): Variable[] {
  if (!interval) return [...terms.values(), ...rests.map(({ variable }) => variable)];
  const named = [...terms].filter(([term]) => holdsTerm(interval, term)).map(([, variable]) => variable);
  const others = rests.filter((rest) => isWithin(rest.interval, interval)).map(({ variable }) => variable);
  return [...named, ...others];
}

/** Returns whether a segment lies in an interval. The ends of intervals are ends of segments. */
function isWithin(segment: Interval<string>, { from, to }: Interval<string>): boolean {
  const afterFrom =
    from === undefined || (segment.from !== undefined && compareCodePoints(from, segment.from) <= 0);
  const beforeTo = to === undefined || (segment.to !== undefined && compareCodePoints(segment.to, to) <= 0);
  return afterFrom && beforeTo;
}
