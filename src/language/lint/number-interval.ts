import type { Interval } from '../logic/interval.ts';
import { numberLine } from '../logic/number-line.ts';
import type { Field } from '../meaning/fields.ts';
import type { NumberValue } from '../meaning/number-value.ts';
import type { FieldContext } from '../meaning/resolve-item.ts';
import type { Item } from '../parse/tree.ts';
import { itemFilter } from './item-filter.ts';

/** The numbers or dates that an item asks of a field, whole ones on integer and date fields. Undefined if it asks for anything else. */
export function numberInterval(
  item: Item,
  field: Field,
  context: Readonly<Pick<FieldContext, 'now' | 'engine'>>,
): Interval<NumberValue> | undefined {
  const { type } = field;
  if (type === 'text' || type === 'keyword') return undefined;
  const filter = itemFilter(item)?.(field, { defaultOperator: 'or', ...context });
  return filter?.kind === 'range' ? numberLine(type).interval(filter) : undefined;
}

/** Returns whether an interval contains no number. */
export function isEmptyInterval({ from, to }: Interval<NumberValue>): boolean {
  return from === Number.POSITIVE_INFINITY || (from !== undefined && to !== undefined && to <= from);
}

/** The numbers in both intervals. */
export function intersectIntervals(
  a: Interval<NumberValue>,
  b: Interval<NumberValue>,
): Interval<NumberValue> {
  return {
    from: b.from === undefined || (a.from !== undefined && b.from < a.from) ? a.from : b.from,
    to: b.to === undefined || (a.to !== undefined && a.to < b.to) ? a.to : b.to,
  };
}
