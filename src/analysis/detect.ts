import { type Case, countEach, type FilterCount, readEvents } from '../case/index.ts';
import { boolFilter, type Filter } from '../language/index.ts';
import { coverageOf, type RequestedInterval } from './coverage.ts';
import type { MappedField } from './rules/mapping.ts';
import {
  type CorrelationRule,
  type CountLimits,
  type DetectionRule,
  type Rule,
  type RuleLevel,
  ruleLevels,
  type UnsupportedRule,
} from './rules/rule.ts';

/** The result of a rule. */
export interface Detection {
  readonly rule: Rule;
  /** Number of logs; for a correlation those of all occurrences. */
  readonly count: number;
  /** In the order of time. Absent without logs. */
  readonly first?: DetectedLog;
  readonly last?: DetectedLog;
  /** For a correlation, in the order of time. */
  readonly occurrences?: readonly Occurrence[];
}

/** Results of rules. */
export interface Detections {
  /** One for each rule that was evaluated, in the order of the rules. */
  readonly detections: readonly Detection[];
  /** Rules whose evaluation was given up. */
  readonly unsupported: readonly UnsupportedRule[];
}

/**
 * Evaluates rules on the logs of some cases, all rules on single logs in one pass.
 *
 * ```ts
 * const { rules, unsupported } = compileRules([{ name: 'own.yml', text: 'title: A\ndetection: {s: {logCode: 7569}, condition: s}' }]);
 * const { detections } = await detect([incident], rules, { filter });
 * for (const { rule, count } of detections) if (0 < count) console.log(rule.title, count);
 * ```
 */
export async function detect(
  cases: readonly Case[],
  rules: readonly Rule[],
  options: DetectOptions,
): Promise<Detections> {
  const single = rules.filter((rule): rule is DetectionRule => rule.kind === 'detection');
  const counted = await Promise.all(
    cases.map((from) =>
      countEach(
        from,
        single.map(({ filter }) => filter),
        { among: options.filter },
      ),
    ),
  );
  const unsupported: UnsupportedRule[] = [];
  const detections: Detection[] = [];
  for (const rule of rules) {
    if (rule.kind === 'detection') {
      const index = single.indexOf(rule);
      detections.push(
        toDetection(
          rule,
          counted.map((counts) => counts[index]),
        ),
      );
    } else {
      const found = await correlateRule(cases, rule, options);
      if ('reason' in found) unsupported.push(found);
      else detections.push(found);
    }
  }
  return { detections, unsupported };
}

function toDetection(rule: DetectionRule, counts: readonly (FilterCount | undefined)[]): Detection {
  const logs = counts.flatMap((count, index): readonly DetectedLog[] => {
    const ends = [count?.first, count?.last].flatMap((log) => (log ? [{ case: index, ...log }] : []));
    if (0 < ends.length || count?.timeless === undefined) return ends;
    return [{ case: index, id: count.timeless }];
  });
  const [first, last] = endsOf(logs);
  const count = counts.reduce((sum, caseCount) => sum + (caseCount?.count ?? 0), 0);
  return { rule, count, ...(first && { first }), ...(last && { last }) };
}

async function correlateRule(
  cases: readonly Case[],
  rule: CorrelationRule,
  options: DetectOptions,
): Promise<Detection | UnsupportedRule> {
  try {
    const occurrences = await findOccurrences(cases, rule, options);
    const [first, last] = endsOf(occurrences.flatMap((occurrence) => [occurrence.first, occurrence.last]));
    const count = occurrences.reduce((sum, occurrence) => sum + occurrence.count, 0);
    return { rule, count, occurrences, ...(first && { first }), ...(last && { last }) };
  } catch (error) {
    if (!(error instanceof TooManyEvents)) throw error;
    const { file, document, title } = rule;
    return { file, document, title, reason: error.message };
  }
}

/** The first and the last of some logs in the order of time; those without one are last. */
function endsOf(logs: readonly DetectedLog[]): readonly [DetectedLog?, DetectedLog?] {
  const timeOf = ({ time = Number.MAX_VALUE }: DetectedLog) => time;
  const sorted = logs.toSorted(
    (first, second) => timeOf(first) - timeOf(second) || first.case - second.case || first.id - second.id,
  );
  const [first] = sorted;
  const last = sorted.findLast(({ time }) => time !== undefined) ?? first;
  return first && last ? [first, last] : [];
}

/** Reports if a rule found something. A correlation that finds silences has occurrences without logs. */
export function isHit({ count, occurrences = [] }: Pick<Detection, 'count' | 'occurrences'>): boolean {
  return 0 < count || 0 < occurrences.length;
}

/** Orders detections: the most critical level first, then in the order of the first logs. */
export function compareDetections(a: Detection, b: Detection): number {
  const levels = rankOfLevel(b.rule.level) - rankOfLevel(a.rule.level);
  const [first, second] = [a, b].map(({ first: log }) => log?.time ?? Number.MAX_VALUE);
  return levels || (first ?? 0) - (second ?? 0);
}

/** Returns the rank of a level; rules without one are below all. */
export function rankOfLevel(level: RuleLevel | undefined): number {
  return level === undefined ? -1 : ruleLevels.indexOf(level);
}

/** A log that a rule found. */
export interface DetectedLog {
  /** The number of the case. */
  readonly case: number;
  readonly id: number;
  /** Milliseconds since the epoch; absent if the log has none. */
  readonly time?: number;
}

/** The logs to look at. */
export interface DetectOptions {
  /** Only logs that this filter selects. */
  readonly filter: Filter;
  /** Intervals that were requested from a deployment: a silence within others proves nothing. */
  readonly requested?: readonly RequestedInterval[] | undefined;
}

/** A period in which a correlation holds without a break. */
export interface Occurrence {
  /** The common values of its logs, in the order in which the rule groups by them. */
  readonly group: readonly { readonly name: string; readonly value: string }[];
  /** Its logs; for a silence 0. */
  readonly count: number;
  readonly first: DetectedLog;
  readonly last: DetectedLog;
  /** True if nothing was logged between the first log and the last. */
  readonly isSilence?: true;
}

/** Thrown if a correlation concerns more logs than fit into memory. */
export class TooManyEvents extends Error {
  override readonly name = 'TooManyEvents';
}

/** Logs of one correlated rule that are read. Each takes about 200 bytes. */
const maxEvents = 1_000_000;

/** An event with the values that a correlation of this one asks for. */
interface EventWithValues extends CorrelatedEvent {
  readonly group: readonly string[];
  readonly extraValues: readonly (string | null)[];
}

/** Finds the occurrences of a correlation, in the order of their first logs. */
export async function findOccurrences(
  cases: readonly Case[],
  rule: CorrelationRule,
  options: DetectOptions,
): Promise<readonly Occurrence[]> {
  const groups = await readGroups(cases, rule, { options, extraFields: [] });
  return groups
    .flatMap((events) =>
      joinHits(correlate(events, testOf(rule)))
        .filter((hit) => !hit.isSilence || isKnown(events, hit, options))
        .map((hit) => toOccurrence(events, hit, rule)),
    )
    .sort(
      (a, b) =>
        (a.first.time ?? 0) - (b.first.time ?? 0) || a.first.case - b.first.case || a.first.id - b.first.id,
    );
}

function testOf({ rules, ...rule }: CorrelationRule): CorrelationTest {
  return { ...rule, rules: rules.length };
}

/** Returns if the time between two logs was exported whole. */
function isKnown(
  events: readonly CorrelatedEvent[],
  hit: CorrelationHit,
  { requested }: DetectOptions,
): boolean {
  const [first, last] = [events[hit.from], events[hit.to]];
  if (requested === undefined || !first || !last) return true;
  return coverageOf(requested, { start: first.time, length: last.time - first.time }) === 'complete';
}

function toOccurrence(
  events: readonly EventWithValues[],
  { from, to, isSilence }: CorrelationHit,
  { groupNames }: CorrelationRule,
): Occurrence {
  const logs = events.slice(from, to + 1);
  const [first, last] = [logs[0], logs.at(-1)];
  if (!first || !last) throw new Error('An occurrence has no log');
  const group = groupNames.map((name, index) => ({ name, value: first.group[index] ?? '' }));
  const count = isSilence ? 0 : new Set(logs.map((log) => `${log.case} ${log.id}`)).size;
  return { group, count, first: toLog(first), last: toLog(last), ...(isSilence && { isSilence }) };
}

function toLog({ case: ofCase, id, time }: CorrelatedEvent): DetectedLog {
  return { case: ofCase, id, time };
}

/** Options of reading events. */
interface Reading {
  readonly options: DetectOptions;
  /** Values that the correlation above asks for. */
  readonly extraFields: readonly MappedField[];
  /** The length of silences, in milliseconds, if nothing but silences is looked for. */
  readonly thin?: number | undefined;
}

/** Reads the events of a correlation by their groups, each in the order of time. */
async function readGroups(
  cases: readonly Case[],
  rule: CorrelationRule,
  { options, extraFields: asked }: Reading,
): Promise<readonly (readonly EventWithValues[])[]> {
  const groups = new Map<string, EventWithValues[]>();
  for (const [number, child] of rule.rules.entries()) {
    const fields = rule.groupBy[number] ?? [];
    const counted = rule.counted?.[number];
    const allFields = [...fields, ...(counted ? [counted] : []), ...asked];
    const thin = isSilenceTest(rule) ? rule.timespan : undefined;
    for (const { values, ...log } of await readRuleEvents(cases, child, {
      options,
      extraFields: allFields,
      thin,
    })) {
      const group = values.slice(0, fields.length).flatMap((value) => value ?? []);
      // A log without a value that is grouped by belongs to no group.
      if (group.length < fields.length) continue;
      const key = JSON.stringify(group);
      const events = groups.get(key) ?? [];
      if (events.length === 0) groups.set(key, events);
      const value = counted ? (values[fields.length] ?? null) : null;
      events.push({
        ...log,
        rule: number,
        value,
        group,
        extraValues: values.slice(allFields.length - asked.length),
      });
    }
  }
  for (const events of groups.values()) events.sort(compareEvents);
  return [...groups.values()];
}

/** A log, and the values that were asked for. */
interface RuleEvent {
  readonly case: number;
  readonly id: number;
  readonly time: number;
  readonly values: readonly (string | null)[];
}

/** Reads the logs of a rule; of a correlation the log that ends each window in which it holds. */
async function readRuleEvents(
  cases: readonly Case[],
  rule: Rule,
  { options, extraFields: asked, thin }: Reading,
): Promise<readonly RuleEvent[]> {
  if (rule.kind === 'correlation') {
    const groups = await readGroups(cases, rule, { options, extraFields: asked });
    return groups.flatMap((events) =>
      correlate(events, testOf(rule)).flatMap(({ to }) => {
        const last = events[to];
        return last ? [{ case: last.case, id: last.id, time: last.time, values: last.extraValues }] : [];
      }),
    );
  }
  const filter = boolFilter({ must: [options.filter, rule.filter] });
  const found: RuleEvent[] = [];
  for (const [index, from] of cases.entries()) {
    const events = await readEvents(from, filter, {
      values: asked,
      limit: maxEvents + 1 - found.length,
      thin,
    });
    for (const event of events) found.push({ case: index, ...event });
    if (maxEvents < found.length)
      throw new TooManyEvents(
        `The correlation concerns more than ${maxEvents} logs: --from, --to and others can select fewer`,
      );
  }
  return found;
}

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
export type CorrelationTest = Pick<CorrelationRule, 'type' | 'timespan' | 'limits' | 'percentile'> & {
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
 * a hit. A window has all events of its last millisecond; with an upper limit (`lt`, `lte`, `eq`) it has all
 * events that fit into `timespan`, as a part of more events would satisfy it always. Where no event at all would
 * satisfy an `event_count`, silences between two events that last longer than `timespan` are hits too.
 */
export function correlate(
  events: readonly CorrelatedEvent[],
  test: CorrelationTest,
): readonly CorrelationHit[] {
  if (test.type === 'temporal_ordered') return findSequences(events, test);
  const accepts = acceptance(test);
  const hits: CorrelationHit[] = [];
  const window = windowOf(test);
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
    if (isWhole(events, { from, next }, test) && next?.time !== event.time && accepts(window.number()))
      hits.push({ from, to });
    const isSilent = next !== undefined && test.timespan < next.time - event.time;
    if (isSilent && test.type === 'event_count' && accepts(0))
      hits.push({ from: to, to: to + 1, isSilence: true });
  }
  return hits;
}

/** Returns if a window, which ends before the event `next`, may be judged: beneath an upper limit, if `next` does not fit. */
function isWhole(
  events: readonly CorrelatedEvent[],
  { from, next }: { readonly from: number; readonly next: CorrelatedEvent | undefined },
  { timespan, limits: { lt, lte, eq } = {} }: CorrelationTest,
): boolean {
  const upper = lt ?? lte ?? eq;
  const oldest = events[from];
  return upper === undefined || !next || !oldest || timespan < next.time - oldest.time;
}

/** Returns if the number of a window satisfies the condition; without one, if it has all rules. */
function acceptance({ limits, rules }: CorrelationTest): (number: number | undefined) => boolean {
  return (number) => number !== undefined && (limits ? isWithin(number, limits) : number === rules);
}

/** Returns if a correlation finds silences alone: no event at all satisfies it, and one does not. */
function isSilenceTest({ type, limits }: Pick<CorrelationTest, 'type' | 'limits'>): boolean {
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

/** The events of a window that moves over them: those that came first go first. */
interface MovingWindow {
  readonly add: (event: CorrelatedEvent) => void;
  readonly remove: (event: CorrelatedEvent) => void;
  /** What the condition limits; undefined if it is of values, and there are none. */
  readonly number: () => number | undefined;
}

function windowOf(test: CorrelationTest): MovingWindow {
  switch (test.type) {
    case 'value_sum':
      return numericWindow(movingSum(({ sum }) => sum));
    case 'value_avg':
      return numericWindow(movingSum(({ sum, count }) => sum / count));
    case 'value_percentile':
      return numericWindow(sortedWindow(test.percentile ?? 50));
    case 'value_median':
      return numericWindow(sortedWindow(50));
    case 'event_count':
    case 'value_count':
    case 'temporal':
    case 'temporal_ordered':
      return countingWindow(test.type);
  }
}

/** Counts events, their different values, or their different rules. */
function countingWindow(type: CorrelationTest['type']): MovingWindow {
  const counts = new Map<string | number, number>();
  const keyOf = (event: CorrelatedEvent) =>
    type === 'temporal' ? event.rule : type === 'value_count' ? event.value : logKey(event);
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
    number: () => counts.size,
  };
}

function logKey({ case: ofCase, id }: CorrelatedEvent): string {
  return `${ofCase} ${id}`;
}

/** The numbers of a window, of which the oldest is removed first. */
interface NumberWindow {
  readonly add: (value: number) => void;
  readonly remove: (value: number) => void;
  /** Never asked of an empty window. */
  readonly number: () => number;
}

/** Takes the value of each log once, whatever rules select it. What is no number is left out. */
function numericWindow(window: NumberWindow): MovingWindow {
  const logs = new Map<string, number>();
  return {
    add: (event) => {
      const value = event.value?.trim() ? Number(event.value) : Number.NaN;
      if (!Number.isFinite(value) || logs.has(logKey(event))) return;
      logs.set(logKey(event), value);
      window.add(value);
    },
    remove: (event) => {
      const value = logs.get(logKey(event));
      // The other events of the log have the same time, and are removed with it.
      if (value !== undefined && logs.delete(logKey(event))) window.remove(value);
    },
    number: () => (logs.size === 0 ? undefined : window.number()),
  };
}

/** Adds, and never subtracts: after a large value is removed, the small ones have lost nothing. */
function movingSum(
  numberOf: (values: { readonly sum: number; readonly count: number }) => number,
): NumberWindow {
  let added: number[] = [];
  let sum = 0;
  /** The sums of the older values from each on, the oldest last. */
  let older: number[] = [];
  return {
    add: (value) => {
      added.push(value);
      sum += value;
    },
    remove: () => {
      if (older.length === 0) {
        let total = 0;
        older = added.toReversed().map((value) => {
          total += value;
          return total;
        });
        added = [];
        sum = 0;
      }
      older.pop();
    },
    number: () => numberOf({ sum: (older.at(-1) ?? 0) + sum, count: older.length + added.length }),
  };
}

/** Keeps values in their order, for percentiles of type 7: linear between the two nearest ranks. */
function sortedWindow(percentile: number): NumberWindow {
  const values: number[] = [];
  const indexOf = (value: number): number => {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    add: (value) => {
      values.splice(indexOf(value), 0, value);
    },
    remove: (value) => {
      values.splice(indexOf(value), 1);
    },
    number: () => {
      const rank = (percentile / 100) * (values.length - 1);
      const [below = 0, above = below] = [values[Math.floor(rank)], values[Math.ceil(rank)]];
      return below + (rank - Math.floor(rank)) * (above - below);
    },
  };
}

/**
 * Finds the events that end a sequence of all rules in their order, each by a log of its own. A hit begins with the
 * first log of the first rule within the timespan, so that all logs that took part are counted.
 */
function findSequences(events: readonly CorrelatedEvent[], test: CorrelationTest): readonly CorrelationHit[] {
  const hits: CorrelationHit[] = [];
  // For each rule the latest beginning of a sequence that has come to it: an earlier one spans more time.
  const begins: (number | undefined)[] = [];
  let sameLog: { readonly rule: number; readonly begin: number }[] = [];
  let earliest = 0;
  for (const [at, event] of events.entries()) {
    const begin = event.rule === 0 ? at : begins[event.rule - 1];
    if (begin !== undefined) sameLog.push({ rule: event.rule, begin });
    const first = begin === undefined ? undefined : events[begin];
    const isComplete = first && event.rule === test.rules - 1 && event.time - first.time <= test.timespan;
    if (isComplete) {
      while (!canBegin(events[earliest], event, test)) earliest += 1;
      hits.push({ from: earliest, to: at });
    }
    const next = events[at + 1];
    if (next?.case === event.case && next.id === event.id) continue;
    for (const sequence of sameLog)
      begins[sequence.rule] = Math.max(begins[sequence.rule] ?? 0, sequence.begin);
    sameLog = [];
  }
  return hits;
}

/** Returns if an event is of the first rule and near enough to the end of a sequence; past its end there is none. */
function canBegin(
  first: CorrelatedEvent | undefined,
  last: CorrelatedEvent,
  { timespan }: CorrelationTest,
): boolean {
  return first === undefined || (first.rule === 0 && last.time - first.time <= timespan);
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
