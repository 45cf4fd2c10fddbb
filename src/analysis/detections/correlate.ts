import type { CorrelationRule, CountLimits } from '../rules/rule.ts';

/** A log that a correlated rule selects, or the last log of what a correlated correlation found. */
export interface CorrelatedEvent {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The number of the case, and the id of the log in it. */
  readonly case: number;
  readonly id: number;
  /** The number of the rule in the correlation. */
  readonly rule: number;
  /** The counted value; null if the log has none. */
  readonly value: string | null;
}

/** A range of events of one group, by their places in it, in which a correlation holds. */
export interface CorrelationHit {
  readonly from: number;
  readonly to: number;
  /** True if nothing happened between two events: `to` is the first event after the silence. */
  readonly isSilence?: true;
}

/** The parts of a correlation that decide. */
export type CorrelationTest = Pick<CorrelationRule, 'type' | 'timespan' | 'limits'> & {
  /** Number of the correlated rules. */
  readonly rules: number;
};

/** Orders events by time; equal times by case and id, and those of one log by rule. */
export function compareEvents(first: CorrelatedEvent, second: CorrelatedEvent): number {
  return (
    first.time - second.time || first.case - second.case || first.id - second.id || first.rule - second.rule
  );
}

/**
 * Finds the hits of a correlation among the events of one group, in the order of
 * `compareEvents`. Each event that ends a window of at most `timespan` with the correlation is
 * a hit. A window has all events of its last millisecond. Where no event at all would satisfy
 * an `event_count`, silences between two events that last longer than `timespan` are hits too.
 */
export function correlate(
  events: readonly CorrelatedEvent[],
  test: CorrelationTest,
): readonly CorrelationHit[] {
  if (test.type === 'temporal_ordered') return findSequences(events, test);
  const accepts = acceptance(test);
  const hits: CorrelationHit[] = [];
  const window = countingWindow(test.type);
  let from = 0;
  for (const [to, event] of events.entries()) {
    window.add(event);
    for (
      let oldest = events[from];
      oldest && test.timespan < event.time - oldest.time;
      oldest = events[from]
    ) {
      window.remove(oldest);
      from += 1;
    }
    const next = events[to + 1];
    if (next?.time !== event.time && accepts(window.count())) hits.push({ from, to });
    const isSilent = next !== undefined && test.timespan < next.time - event.time;
    if (isSilent && test.type === 'event_count' && accepts(0))
      hits.push({ from: to, to: to + 1, isSilence: true });
  }
  return hits;
}

/** Returns if a number of events, values or rules satisfies the condition; all rules without one. */
function acceptance({ limits, rules }: CorrelationTest): (count: number) => boolean {
  return limits ? (count) => isWithin(count, limits) : (count) => count === rules;
}

/** Returns if a correlation finds silences alone: no event at all satisfies it, and one does not. */
export function isSilenceTest({ type, limits }: Pick<CorrelationTest, 'type' | 'limits'>): boolean {
  return type === 'event_count' && limits !== undefined && isWithin(0, limits) && !isWithin(1, limits);
}

function isWithin(count: number, { gt, gte, lt, lte, eq }: CountLimits): boolean {
  return (
    (gt === undefined || gt < count) &&
    (gte === undefined || gte <= count) &&
    (lt === undefined || count < lt) &&
    (lte === undefined || count <= lte) &&
    (eq === undefined || count === eq)
  );
}

/** Counts events, their different values, or their different rules while a window moves over them. */
interface CountingWindow {
  readonly add: (event: CorrelatedEvent) => void;
  readonly remove: (event: CorrelatedEvent) => void;
  readonly count: () => number;
}

function countingWindow(type: CorrelationTest['type']): CountingWindow {
  const counts = new Map<string | number, number>();
  const keyOf = ({ value, rule, case: ofCase, id }: CorrelatedEvent) =>
    type === 'temporal' ? rule : type === 'value_count' ? value : `${ofCase} ${id}`;
  const change = (event: CorrelatedEvent, by: number) => {
    const key = keyOf(event);
    if (key === null) return;
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  return {
    add: (event) => change(event, 1),
    remove: (event) => change(event, -1),
    count: () => counts.size,
  };
}

/** Finds the events that end a sequence of all rules in their order, each by a log of its own. */
function findSequences(events: readonly CorrelatedEvent[], test: CorrelationTest): readonly CorrelationHit[] {
  const hits: CorrelationHit[] = [];
  // For each rule the latest beginning of a sequence that has come to it: an earlier one spans more time.
  const begins: (number | undefined)[] = [];
  let sameLog: { readonly rule: number; readonly begin: number }[] = [];
  for (const [at, event] of events.entries()) {
    const begin = event.rule === 0 ? at : begins[event.rule - 1];
    if (begin !== undefined) sameLog.push({ rule: event.rule, begin });
    const first = begin === undefined ? undefined : events[begin];
    const isComplete = first && event.rule === test.rules - 1 && event.time - first.time <= test.timespan;
    if (begin !== undefined && isComplete) hits.push({ from: begin, to: at });
    const next = events[at + 1];
    if (next?.case === event.case && next.id === event.id) continue;
    for (const each of sameLog) begins[each.rule] = Math.max(begins[each.rule] ?? 0, each.begin);
    sameLog = [];
  }
  return hits;
}

/** Joins hits that share an event, in their order; silences stay apart. */
export function joinHits(hits: readonly CorrelationHit[]): readonly CorrelationHit[] {
  const joined: CorrelationHit[] = hits.filter(({ isSilence }) => isSilence);
  let current: CorrelationHit | undefined;
  for (const hit of hits.filter(({ isSilence }) => !isSilence)) {
    if (current && hit.from <= current.to) current = { from: Math.min(current.from, hit.from), to: hit.to };
    else {
      if (current) joined.push(current);
      current = hit;
    }
  }
  if (current) joined.push(current);
  return joined.sort((first, second) => first.from - second.from || first.to - second.to);
}
