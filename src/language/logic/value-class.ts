import type { FieldValue } from '../meaning/document.ts';
import { logLevels } from '../meaning/fields.ts';
import type { Filter } from '../meaning/filter.ts';
import { match } from '../meaning/match.ts';
import type { NumberValue } from '../meaning/number-value.ts';
import type { LeafFilter } from './boolean-logic.ts';
import { cutInto, type Interval } from './interval.ts';
import { keywordLine } from './keyword-line.ts';
import type { ValueLine } from './line-theory.ts';
import { numberLine } from './number-line.ts';

/** Values of one field that a filter does not distinguish. */
export interface ValueClass {
  /** One of the values; undefined for no value. */
  readonly sample: FieldValue | undefined;
  /** True if there is no other value. */
  readonly single: boolean;
  /** For numbers: the first one, and the first one after them; undefined for an open end. */
  readonly from?: NumberValue | undefined;
  readonly to?: NumberValue | undefined;
  /** Evaluates a leaf on the field for these values; undefined if the leaf may distinguish them. */
  readonly judge: (leaf: LeafFilter) => boolean | undefined;
}

/**
 * The classes of values that leaves on a field distinguish, including no value. The field is not a
 * text field.
 */
export function valueClasses(leaves: readonly LeafFilter[]): readonly ValueClass[] {
  const type = leaves[0]?.field.type;
  if (!type || type === 'text') return [];
  return type === 'keyword'
    ? [absent, ...onLine(keywordLine, leaves, () => ({}))]
    : [absent, ...onLine(numberLine(type), leaves, ({ from, to }) => ({ from, to }))];
}

/** Each level and no level as classes. They are the same for a text and a keyword field. */
export const levelClasses: readonly ValueClass[] = [undefined, ...logLevels].map((level) => ({
  sample: level,
  single: true,
  judge: (leaf) => match(leaf, { [leaf.field.name]: level }),
}));

const absent: ValueClass = { sample: undefined, single: true, judge: () => false };

function onLine<V extends FieldValue>(
  line: ValueLine<V>,
  leaves: readonly LeafFilter[],
  ends: (interval: Interval<V>) => Pick<ValueClass, 'from' | 'to'>,
): ValueClass[] {
  const intervals = leaves.map((leaf) => line.interval(leaf)).filter((interval) => interval !== undefined);
  return cutInto(intervals, line.compare).all.flatMap((interval) => {
    const [sample] = line.valuesIn(interval);
    if (sample === undefined) return [];
    const single = line.onlyValue(interval) !== undefined;
    const judge = (leaf: LeafFilter) => {
      const isConstant = single || leaf.kind === 'exists' || line.interval(leaf) !== undefined;
      return isConstant ? match(leaf, { [leaf.field.name]: sample }) : undefined;
    };
    return [{ sample, single, judge, ...ends(interval) }];
  });
}

/** The leaves of a filter by field name. */
export function leavesByField(filter: Filter): ReadonlyMap<string, readonly LeafFilter[]> {
  const found = new Map<string, LeafFilter[]>();
  const visit = (each: Filter): void => {
    if (each.kind === 'all' || each.kind === 'none') return;
    if (each.kind === 'disMax') each.filters.forEach(visit);
    else if (each.kind === 'bool') [...each.must, ...each.should, ...each.mustNot].forEach(visit);
    else if (!found.get(each.field.name)?.push(each)) found.set(each.field.name, [each]);
  };
  visit(filter);
  return found;
}

/**
 * Evaluates a filter for logs with these values in a field: true or false only if that holds for
 * any values of their other fields.
 */
export function judgeFilter(filter: Filter, field: string, values: ValueClass): boolean | undefined {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'disMax':
      return any(filter.filters.map((each) => judgeFilter(each, field, values)));
    case 'bool': {
      const { must, should, mustNot } = filter;
      const verdicts = must.map((each) => judgeFilter(each, field, values));
      if (must.length === 0 && 0 < should.length) {
        verdicts.push(any(should.map((each) => judgeFilter(each, field, values))));
      }
      for (const each of mustNot) verdicts.push(not(judgeFilter(each, field, values)));
      return not(any(verdicts.map(not)));
    }
    default:
      return filter.field.name === field ? values.judge(filter) : undefined;
  }
}

function any(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}
