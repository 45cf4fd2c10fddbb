import { parseNumber } from '../meaning/bounds.ts';
import type { Field } from '../meaning/fields.ts';

/** The fields that can have these bounds: those of numbers, or those of dates if one of the bounds is no number. */
export function boundFields(bounds: readonly string[], fields: Iterable<Field>): Field[] {
  const areNumbers = bounds.every((bound) => parseNumber(bound) !== undefined);
  return [...fields].filter(({ type }) =>
    areNumbers ? type === 'integer' || type === 'decimal' : type === 'date',
  );
}
