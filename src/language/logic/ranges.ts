import type { RangeFilter } from '../meaning/filter.ts';
import type { NumberValue } from '../meaning/number-value.ts';
import { type Connective, type Expression, toLiteral } from './expression.ts';
import type { Interval } from './interval.ts';
import { numberLine } from './number-line.ts';

/**
 * Merges the ranges of a level over each number field: for `and` into their intersection, for `or`
 * into the union of each run of ranges without gaps.
 */
export function withRangesMerged(kind: Connective, parts: readonly Expression[]): readonly Expression[] {
  const replaced = new Map<RangeFilter, readonly RangeFilter[]>();
  for (const ranges of rangesByField(parts)) {
    const [first, second] = ranges;
    if (!first || !second) continue;
    for (const range of ranges) replaced.set(range, []);
    replaced.set(first, kind === 'and' ? [intersection(ranges)] : union(ranges));
  }
  if (replaced.size === 0) return parts;
  return parts.flatMap((part) => {
    const ranges = isRange(part) ? replaced.get(part.leaf) : undefined;
    return ranges ? ranges.map((range) => toLiteral(range, true)) : [part];
  });
}

function rangesByField(parts: readonly Expression[]): Iterable<readonly RangeFilter[]> {
  const found = new Map<string, RangeFilter[]>();
  for (const part of parts) {
    if (!isRange(part)) continue;
    const { name, type } = part.leaf.field;
    const key = `${type} ${name}`;
    if (!found.get(key)?.push(part.leaf)) found.set(key, [part.leaf]);
  }
  return found.values();
}

function isRange(part: Expression): part is Extract<Expression, { kind: 'literal' }> & { leaf: RangeFilter } {
  return part.kind === 'literal' && part.holds && part.leaf.kind === 'range';
}

/** The intersection of ranges, which may be empty. */
function intersection(ranges: readonly RangeFilter[]): RangeFilter {
  return ranges.reduce((a, b) => {
    const lower = fromOf(a) < fromOf(b) ? b.lower : a.lower;
    const upper = toOf(b) < toOf(a) ? b.upper : a.upper;
    return { kind: 'range', field: a.field, ...(lower && { lower }), ...(upper && { upper }) };
  });
}

/** The ranges in order; those that overlap or touch are merged. */
function union(ranges: readonly RangeFilter[]): RangeFilter[] {
  const merged: RangeFilter[] = [];
  for (const range of ranges.toSorted((a, b) => (fromOf(a) < fromOf(b) ? -1 : 1))) {
    const last = merged.at(-1);
    if (!last || toOf(last) < fromOf(range)) merged.push(range);
    else if (toOf(last) < toOf(range)) merged.splice(-1, 1, upTo(last, range));
  }
  return merged;
}

function upTo({ field, lower }: RangeFilter, { upper }: RangeFilter): RangeFilter {
  return { kind: 'range', field, ...(lower && { lower }), ...(upper && { upper }) };
}

/** The first number of a range. */
function fromOf(range: RangeFilter): NumberValue {
  return intervalOf(range).from ?? Number.NEGATIVE_INFINITY;
}

/** The first number after a range. */
function toOf(range: RangeFilter): NumberValue {
  return intervalOf(range).to ?? Number.POSITIVE_INFINITY;
}

function intervalOf(range: RangeFilter): Interval<NumberValue> {
  const { type } = range.field;
  const line = type === 'text' || type === 'keyword' ? undefined : numberLine(type);
  // A range over text is always empty, and was removed before ranges are merged.
  return line?.interval(range) ?? { from: undefined, to: undefined };
}
