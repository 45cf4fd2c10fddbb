import { type Case, readEvents } from '../../case/index.ts';
import { boolFilter, type Filter } from '../../language/index.ts';
import { coverageOf, type RequestedInterval } from '../interval-coverage.ts';
import type { MappedField } from '../rules/mapping.ts';
import type { CorrelationRule, Rule } from '../rules/rule.ts';
import {
  type CorrelatedEvent,
  type CorrelationHit,
  compareEvents,
  correlate,
  isSilenceTest,
  joinHits,
} from './correlate.ts';

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
  readonly asked: readonly (string | null)[];
}

/** Finds the occurrences of a correlation, in the order of their first logs. */
export async function findOccurrences(
  cases: readonly Case[],
  rule: CorrelationRule,
  options: DetectOptions,
): Promise<readonly Occurrence[]> {
  const groups = await readGroups(cases, rule, { options, asked: [] });
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

function testOf({ type, timespan, limits, rules }: CorrelationRule): Parameters<typeof correlate>[1] {
  return { type, timespan, rules: rules.length, ...(limits && { limits }) };
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
  const count = isSilence ? 0 : new Set(logs.map((each) => `${each.case} ${each.id}`)).size;
  return { group, count, first: toLog(first), last: toLog(last), ...(isSilence && { isSilence }) };
}

function toLog({ case: ofCase, id, time }: CorrelatedEvent): DetectedLog {
  return { case: ofCase, id, time };
}

/** Options of reading events. */
interface Reading {
  readonly options: DetectOptions;
  /** Values that the correlation above asks for. */
  readonly asked: readonly MappedField[];
  /** The length of silences, in milliseconds, if nothing but silences is looked for. */
  readonly thin?: number | undefined;
}

/** Reads the events of a correlation by their groups, each in the order of time. */
async function readGroups(
  cases: readonly Case[],
  rule: CorrelationRule,
  { options, asked }: Reading,
): Promise<readonly (readonly EventWithValues[])[]> {
  const groups = new Map<string, EventWithValues[]>();
  for (const [number, child] of rule.rules.entries()) {
    const fields = rule.groupBy[number] ?? [];
    const counted = rule.counted?.[number];
    const wanted = [...fields, ...(counted ? [counted] : []), ...asked];
    const thin = isSilenceTest(rule) ? rule.timespan : undefined;
    for (const { values, ...place } of await readRuleEvents(cases, child, { options, asked: wanted, thin })) {
      const group = values.slice(0, fields.length).flatMap((value) => value ?? []);
      // A log without a value that is grouped by belongs to no group.
      if (group.length < fields.length) continue;
      const key = JSON.stringify(group);
      const events = groups.get(key) ?? [];
      if (events.length === 0) groups.set(key, events);
      const value = counted ? (values[fields.length] ?? null) : null;
      events.push({
        ...place,
        rule: number,
        value,
        group,
        asked: values.slice(wanted.length - asked.length),
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
  { options, asked, thin }: Reading,
): Promise<readonly RuleEvent[]> {
  if (rule.kind === 'correlation') {
    const groups = await readGroups(cases, rule, { options, asked });
    return groups.flatMap((events) =>
      correlate(events, testOf(rule)).flatMap(({ to }) => {
        const last = events[to];
        return last ? [{ case: last.case, id: last.id, time: last.time, values: last.asked }] : [];
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
    for (const each of events) found.push({ case: index, ...each });
    if (maxEvents < found.length)
      throw new TooManyEvents(
        `The correlation concerns more than ${maxEvents} logs: --from, --to and others can select fewer`,
      );
  }
  return found;
}
