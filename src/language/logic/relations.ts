import type { FieldValue } from '../meaning/document.ts';
import type { Field } from '../meaning/fields.ts';
import type { LeafFilter } from './boolean-logic.ts';
import type { Interval } from './interval.ts';
import { keywordLine } from './keyword-line.ts';
import { hasMatch, phraseImplies } from './leaf-match.ts';
import type { ValueLine } from './line-theory.ts';
import { numberLine } from './number-line.ts';
import { isNeverToken } from './term-samples.ts';

/** Returns whether certainly no log matches a leaf. */
export function isImpossible(leaf: LeafFilter): boolean {
  const isText = leaf.field.type === 'text';
  if (leaf.kind === 'term') return isText && isNeverToken(leaf.term);
  if (leaf.kind === 'phrase') return isText && leaf.terms.some(isNeverToken);
  if (leaf.kind === 'range') return isText || isEmpty(leaf);
  return leaf.kind === 'termRange' && isEmpty(leaf);
}

/** Returns whether a leaf only requires that its field has a value, or a token. */
export function asksForAny(leaf: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const interval = line.interval(leaf);
    return interval !== undefined && interval.from === undefined && interval.to === undefined;
  });
}

/** Returns whether every log that matches the first leaf certainly matches the second. */
export function leafImplies(leaf: LeafFilter, other: LeafFilter): boolean {
  if (leaf.field.name !== other.field.name || leaf.field.type !== other.field.type) return false;
  // A text may have a value without any token.
  if (other.kind === 'exists') return !(leaf.kind === 'exists' && leaf.byNorms && !other.byNorms);
  const { type } = leaf.field;
  if (leaf.kind === 'phrase') {
    if (other.kind === 'phrase') return phraseImplies(leaf, other);
    return leaf.terms.some((term) => hasMatch(other, [term]));
  }
  if (leaf.kind === 'term' && (type === 'text' || type === 'keyword')) return hasMatch(other, [leaf.term]);
  return isWithin(leaf, other);
}

/** Returns whether certainly no log matches both leaves. Never true of text, which can have any tokens. */
export function leafExcludes(leaf: LeafFilter, other: LeafFilter): boolean {
  if (leaf.field.name !== other.field.name || leaf.field.type !== other.field.type) return false;
  if (leaf.field.type === 'text') return false;
  if (leaf.field.type === 'keyword') {
    if (leaf.kind === 'term') return !hasMatch(other, [leaf.term]);
    if (other.kind === 'term') return !hasMatch(leaf, [other.term]);
  }
  return isApart(leaf, other);
}

function isEmpty(leaf: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const interval = line.interval(leaf);
    return interval !== undefined && hasNone(interval, line);
  });
}

function hasNone<V extends FieldValue>({ from, to }: Interval<V>, line: ValueLine<V>): boolean {
  if (to === '') return true;
  if (from !== undefined && to !== undefined) return 0 <= line.compare(from, to);
  return typeof (from ?? to ?? '') !== 'string' && line.valuesIn({ from, to }).length === 0;
}

function isWithin(leaf: LeafFilter, other: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const [inner, outer] = [line.interval(leaf), line.interval(other)];
    if (!inner || !outer) return false;
    const startsWithin = outer.from === undefined || isBefore(outer.from, inner.from, line);
    return startsWithin && (outer.to === undefined || isBefore(inner.to, outer.to, line));
  });
}

function isApart(leaf: LeafFilter, other: LeafFilter): boolean {
  return onLine(leaf.field, (line) => {
    const [one, another] = [line.interval(leaf), line.interval(other)];
    if (!one || !another) return false;
    return isBefore(one.to, another.from, line) || isBefore(another.to, one.from, line);
  });
}

/** Returns whether both ends exist and the first does not exceed the second. */
function isBefore<V>(end: V | undefined, other: V | undefined, line: ValueLine<V>): boolean {
  return end !== undefined && other !== undefined && line.compare(end, other) <= 0;
}

/** Terms of text have the same order as the values of a keyword field. */
export function onLine<T>({ type }: Field, use: <V extends FieldValue>(line: ValueLine<V>) => T): T {
  return type === 'text' || type === 'keyword' ? use(keywordLine) : use(numberLine(type));
}
