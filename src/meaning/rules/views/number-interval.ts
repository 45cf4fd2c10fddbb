import type { Interval } from '../../compare/interval.ts';
import { numberLine } from '../../compare/number-line.ts';
import type { Filter } from '../../filter.ts';

/** The numbers or dates that a range selects, of an integer or date field whole ones only; undefined for other filters. */
export function numbersOf(filter: Filter | undefined): Interval<number> | undefined {
  if (filter?.kind !== 'range') return undefined;
  const { type } = filter.field;
  return type === 'text' || type === 'keyword' ? undefined : numberLine(type).interval(filter);
}

/** Whether no number lies in an interval. */
export function isEmpty({ from, to }: Interval<number>): boolean {
  return from === Number.POSITIVE_INFINITY || (from !== undefined && to !== undefined && to <= from);
}

/** The numbers that lie in both. */
export function intersection(a: Interval<number>, b: Interval<number>): Interval<number> {
  return {
    from: a.from === undefined ? b.from : Math.max(a.from, b.from ?? a.from),
    to: a.to === undefined ? b.to : Math.min(a.to, b.to ?? a.to),
  };
}
