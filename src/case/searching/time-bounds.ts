import type { Filter, NumberValue } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { timesOfCase } from '../file/case-set.ts';

/** An interval of times, both included: milliseconds since the epoch. */
interface TimeBounds {
  readonly from: number;
  readonly to: number;
}

const always: TimeBounds = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** True if no log of a case can be selected, since a filter demands times that the logs of the case are known not to have. */
export function isOutside(of: Case, filter: Filter): boolean {
  const times = timesOfCase(of);
  if (times === undefined) return false;
  const { from, to } = demandedTimes(filter);
  if (from === always.from && to === always.to) return false;
  const { first, last } = times;
  return first === undefined || last === undefined || last < from || to < first;
}

/** Returns an interval that has the times of all logs that a filter selects, if it demands a time. */
function demandedTimes(filter: Filter): TimeBounds {
  switch (filter.kind) {
    case 'range': {
      const { field, lower, upper } = filter;
      if (field.type !== 'date' || field.name !== 'time') return always;
      return { from: boundOf(lower?.value, always.from), to: boundOf(upper?.value, always.to) };
    }
    case 'bool': {
      const { must, should } = filter;
      if (0 < must.length) return must.map(demandedTimes).reduce(intersection, always);
      return 0 < should.length ? unionOf(should) : always;
    }
    case 'disMax':
      return unionOf(filter.filters);
    default:
      return always;
  }
}

/** A bound that a double holds, else one that excludes nothing. */
function boundOf(value: NumberValue | undefined, none: number): number {
  return typeof value === 'number' && !Number.isNaN(value) ? value : none;
}

function intersection(one: TimeBounds, other: TimeBounds): TimeBounds {
  return { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
}

function unionOf(filters: readonly Filter[]): TimeBounds {
  const all = filters.map(demandedTimes);
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}
