import type { FilterBound } from '../meaning/filter.ts';

/** Ends of a range; an absent one is open. */
export interface Ends<V> {
  readonly lower?: FilterBound<V>;
  readonly upper?: FilterBound<V>;
}

/** A condition in SQL on both ends of a range; empty without any. `placeholder` returns the text for a bound value. */
export function boundsCondition<V>(
  subject: string,
  { lower, upper }: Ends<V>,
  placeholder: (value: V) => string,
): string {
  const from = lower && `${subject} ${lower.inclusive ? '>=' : '>'} ${placeholder(lower.value)}`;
  const to = upper && `${subject} ${upper.inclusive ? '<=' : '<'} ${placeholder(upper.value)}`;
  return [from, to].filter((part) => part !== undefined).join(' AND ');
}
