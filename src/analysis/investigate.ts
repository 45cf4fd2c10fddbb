import { type Case, countBy, exportedOnly, streamLogs, timeSpan } from '../case/index.ts';
import { boolFilter, type Filter } from '../language/index.ts';
import { intervalStart } from '../records/index.ts';
import {
  alignedBuckets,
  type Change,
  type ChangeSubject,
  type CollectedSeries,
  collectSeries,
  fieldClause,
  filterOfQuery,
  gainOf,
  joinByAnd,
  joinByOr,
  type QueriedLogs,
  rankOf,
  runQuery,
  type SubjectSeries,
  type TimeInterval,
  timeClause,
} from './collect-series.ts';
import type { CoverageGap, RequestedInterval } from './coverage.ts';
import { facets } from './facets.ts';
import { aheadOf, type ClockOffset, findClockOffsets } from './find-clock-offsets.ts';
import { compareCounts, type Difference } from './find-differences.ts';
import { type Episode, findAllEpisodes } from './find-episodes.ts';
import { findRareBefore, findStep, type RareBefore } from './find-rare-logs.ts';
import { findRecurrences, type Recurrence } from './find-recurrences.ts';
import { type FoundSilences, findSilences, type Silence } from './find-silences.ts';
import { compareTexts } from './group-blocks.ts';
import { bucketLength } from './histogram.ts';
import { type Buckets, collectMaskGroups, countMasks, type MaskGroups } from './mask-groups.ts';
import { mergeLogs } from './several-cases.ts';

/** A change with the query for its logs, and the number that it selects. */
export type QueriedChange = Change & {
  readonly logs?: QueriedLogs;
  /** The begin to a twentieth of an interval, where it was found: milliseconds since the epoch. */
  readonly onset?: number;
};

/** A recurrence with the query for all of its logs, and the first log of its last time. */
export type QueriedRecurrence = Recurrence & {
  readonly logs?: QueriedLogs;
  /** Milliseconds since the epoch. */
  readonly begin?: number;
};

/** A difference since the change with the query for its logs. */
export interface QueriedDifference {
  /** The strongest of a group of differences that concern the same logs. */
  readonly difference: Difference;
  readonly logs?: QueriedLogs;
}

/** A user or a service with failures. */
export interface HitValue {
  readonly value: string;
  readonly count: number;
}

/** Those hit by the failures. */
export interface Hit {
  /** The logs of the failures. */
  readonly logs: QueriedLogs;
  readonly users: readonly HitValue[];
  /** Users with any log in the interval. */
  readonly activeUsers: number;
  readonly sources: readonly HitValue[];
  readonly activeSources: number;
}

/** Findings of an investigation. Times are milliseconds since the epoch. */
export interface Investigation {
  readonly logs: number;
  /** Logs without a time, which are in no interval. */
  readonly timeless: number;
  /** First and last time; absent if no log has one. */
  readonly first?: number;
  readonly last?: number;
  /** Length of an interval in milliseconds. */
  readonly every: number;
  /** Number of series that were examined: codes, patterns, levels, sources, users, hosts, latencies. */
  readonly examined: number;
  /** Logs with a time that the query of the symptom selects. Absent without one. */
  readonly symptomLogs?: number;
  /** All significant changes, in order of time. */
  readonly changes: readonly Change[];
  /** Logs that come at the same time of most days or weeks: no change, the most frequent first. */
  readonly recurring: readonly QueriedRecurrence[];
  /** The main change, those that begin with it, and the earliest that still lasts. Absent if nothing changed. */
  readonly main?: QueriedChange;
  readonly together: readonly QueriedChange[];
  readonly firstSign?: QueriedChange;
  /** The interval of the main change; what is compared with all logs before it. */
  readonly since?: TimeInterval;
  readonly differences: readonly QueriedDifference[];
  /** Slower and faster requests that begin with the main change or later, or still last then. */
  readonly latencies: readonly QueriedChange[];
  /** Acts of administration and upgrades in the day before the first change, and up to the main one; the newest first. */
  readonly before: readonly PrecedingEvent[];
  /** True if any log, of any time, is of an act of administration or an upgrade: else they may have been left out. */
  readonly hasAdministration: boolean;
  /** Logs of any code and level that hardly occur otherwise, before the first change. Absent if nothing changed. */
  readonly rare?: RareBefore;
  readonly hit?: Hit;
  /** Sources or hosts whose clocks differ from others; lead times are by the clock of most. */
  readonly clocks: readonly ClockOffset[];
  /** False if no export requested an interval: what files lack is not known then. */
  readonly isExported: boolean;
  /** Times that were not exported as a whole, up to the last log, as `findSilences` returns them. */
  readonly gaps: readonly CoverageGap[];
  /** Which logs the exports asked for, if not for all: `exportedOnly`. */
  readonly exportedOnly?: string;
}

/** Options of `investigate`. */
export interface InvestigateOptions extends MomentHint {
  /** The logs to investigate. */
  readonly filter: Filter;
  /** The query of a symptom and its meaning: the rate of its logs is examined before all others. */
  readonly symptom?: { readonly query: string; readonly filter: Filter } | undefined;
  /** Intervals requested by exports; empty if there was none. */
  readonly requested: readonly RequestedInterval[];
  /** Which logs the exports asked for, if not for all: the findings repeat it. Default: that of the cases. */
  readonly exportedOnly?: string | undefined;
  /** The limit for p-values. Default 0.01. */
  readonly limit?: number;
  /** The messages of these logs with `namedFields` and `changeBuckets`, if they were read before. */
  readonly messages?: Promise<MaskGroups>;
  /** Receives how far it is, now and then; not while `messages` are read elsewhere. */
  readonly onProgress?: ((progress: InvestigationProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far an investigation is. */
export interface InvestigationProgress {
  /** Logs whose messages were read, of all. */
  readonly logs: number;
  readonly of: number;
  /** The changes, once they are known, before what explains them. */
  readonly found?: Investigation;
}

/** Approximate number of intervals in which rates are compared. */
const intervals = 250;

/** Time before the first change in which events are looked for: a day, in milliseconds. */
const lookBack = 86_400_000;

/** Fields whose values are compared beside patterns: those that a reader knows by name. */
export const namedFields = ['logLevel', 'logCode', 'source', 'username'] as const;

/** Changes with a query of their own, of each list. */
const mostQueried = 5;

/** Differences with a query of their own, of each kind. */
const queriedDifferences = 3;

/**
 * Investigates the changes in the logs of some cases: failures, patterns and latencies with their times. It finds
 * what is new since, who is hit, and what was administered before. It names no cause. Rejects with a `StoreError`,
 * or the reason of the signal.
 *
 * ```ts
 * const requested = (await readCoverage(incident)).flatMap(({ covered }) => covered);
 * const { main, hit } = await investigate([incident], { filter, requested });
 * if (main) console.log(main.kind, new Date(main.start).toISOString(), hit?.users.length);
 * ```
 */
export async function investigate(
  cases: readonly Case[],
  {
    filter,
    symptom,
    requested,
    exportedOnly: exported,
    limit = 0.01,
    around,
    since,
    messages: known,
    onProgress,
    signal,
  }: InvestigateOptions,
): Promise<Investigation> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filter)));
  const first = Math.min(...spans.map((span) => span.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...spans.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  const timeless = spans.reduce((sum, span) => sum + span.timeless, 0);
  const logs = timeless + spans.reduce((sum, span) => sum + span.count, 0);
  const only = exported ?? (await exportedOnly(cases));
  const named = only === undefined ? {} : { exportedOnly: only };
  const nothing = {
    together: [],
    differences: [],
    latencies: [],
    before: [],
    changes: [],
    clocks: [],
    recurring: [],
    hasAdministration: false,
  };
  if (last < first) {
    const every = bucketLength(last - first, intervals);
    const isExported = 0 < requested.length;
    return { ...nothing, ...named, logs, timeless, every, examined: 0, isExported, gaps: [] };
  }
  const span = { first, last };
  const buckets = changeBuckets(span);
  const every = buckets.length;
  const onRead = (_: MaskGroups, read: number) => onProgress?.({ logs: read, of: logs });
  const options = { filter, fields: namedFields, partitions: [buckets], onRead, signal };
  const messages = known ?? collectMaskGroups(cases, options);
  const [found, { silences, lulls, notExported }, clocks] = await Promise.all([
    collectSeries(cases, { filter, buckets, span, messages, requested, symptom, signal }),
    findSilences(cases, { filter, requested, limit }),
    findClockOffsets(cases, { filter, logs, limit, signal }),
  ]);
  const byOwnClocks = withSilences(findChanges(found, limit), { silences, lulls }, last);
  const changes = await Promise.all(byOwnClocks.map((change) => withClock(cases, change, clocks)));
  const recurrences = findRecurrences(found, limit);
  const recurring = await Promise.all(
    recurrences.slice(0, mostQueried).map((each) => withRecurrenceLogs(cases, each)),
  );
  const facts = {
    ...named,
    recurring,
    logs,
    timeless,
    every,
    changes,
    ...span,
    clocks,
    examined: found.series.length,
    ...(found.symptomLogs !== undefined && { symptomLogs: found.symptomLogs }),
    isExported: 0 < requested.length,
    gaps: notExported,
  };
  const chosen = chooseMoment(changes, { every, around, since, isSymptomOnly: symptom !== undefined });
  if (!chosen) return { ...nothing, ...facts };
  const { main, together } = chosen;
  onProgress?.({
    logs,
    of: logs,
    found: { ...nothing, ...facts, main, together: together.slice(0, mostQueried) },
  });
  return {
    ...facts,
    ...(await explain(cases, {
      chosen,
      changes,
      recurrences,
      filter,
      span,
      buckets,
      every,
      clocks,
      messages: await messages,
    })),
  };
}

/** The intervals in which rates are compared. */
export function changeBuckets({ first, last }: { readonly first: number; readonly last: number }): Buckets {
  const length = bucketLength(last - first, intervals);
  const start = intervalStart(first, length);
  return { start, length, count: Math.floor((last - start) / length) + 1 };
}

interface Explaining {
  readonly chosen: ChosenChanges;
  readonly changes: readonly Change[];
  readonly recurrences: readonly Recurrence[];
  readonly filter: Filter;
  readonly span: { readonly first: number; readonly last: number };
  readonly buckets: Buckets;
  readonly every: number;
  readonly clocks: readonly ClockOffset[];
  readonly messages: MaskGroups;
}

type Explained = Omit<
  Investigation,
  'logs' | 'timeless' | 'every' | 'changes' | 'examined' | 'isExported' | 'gaps' | 'clocks' | 'recurring'
>;

async function explain(cases: readonly Case[], context: Explaining): Promise<Explained> {
  const { chosen, filter, span } = context;
  const { main } = chosen;
  const isEarliest = (change: Change) => change.start <= main.start && rankOf(change) === rankOf(main);
  const starts = chosen.together.filter(isEarliest).map(({ start }) => start);
  const since = {
    from: Math.max(span.first, Math.min(...starts)),
    to: main.isOpen ? span.last : main.end - 1,
  };
  const { every } = context;
  const queried = (change: Change) => withLogs(cases, change, every);
  const [queriedMain, together] = await Promise.all([
    queried(main),
    Promise.all(chosen.together.slice(0, mostQueried).map(queried)),
  ]);
  const queriedSign = chosen.firstSign
    ? await queried(chosen.firstSign)
    : earlierOf(together, trueOnsetOf(queriedMain), rankOf(main));
  const begin = Math.min(
    trueOnsetOf(queriedMain),
    queriedSign ? trueOnsetOf(queriedSign) : Number.POSITIVE_INFINITY,
  );
  // The database reads for one while this thread counts for another.
  const [differences, latencies, { events: before, hasAny: hasAdministration }, hit] = await Promise.all([
    differencesSince(cases, context, since),
    Promise.all(latenciesSince(context, since).slice(0, mostQueried).map(queried)),
    findPrecedingEvents(cases, {
      filter,
      interval: { from: begin - lookBack, to: trueOnsetOf(queriedMain) },
      span: { from: span.first, to: span.last },
      clocks: context.clocks,
      recurringCodes: context.recurrences.flatMap(({ subject }) =>
        subject.type === 'code' ? [subject.code] : [],
      ),
    }),
    findHit(cases, { chosen, since, filter }),
  ]);
  const changed = new Set(
    context.changes.flatMap(({ subject }) => ('template' in subject ? (subject.template ?? []) : [])),
  );
  const rare = await findRareBefore(cases, {
    messages: context.messages,
    buckets: context.buckets,
    change: begin,
    begin: span.first,
    clocks: context.clocks,
    isKnown: ({ template, first }) =>
      changed.has(template) || before.some((event) => event.first <= first && first <= event.last),
  });
  return {
    ...span,
    main: queriedMain,
    together,
    since,
    differences,
    latencies,
    before,
    hasAdministration,
    rare,
    ...(queriedSign && { firstSign: queriedSign }),
    ...(hit && { hit }),
  };
}

/**
 * The earliest of the changes that begin with the main one, if it is before it: new or more logs of one kind. Undefined
 * for a main change of routine.
 */
function earlierOf(
  together: readonly QueriedChange[],
  onset: number,
  rank: number,
): QueriedChange | undefined {
  const isDated = ({ kind, subject, onset: found }: QueriedChange) =>
    (subject.type === 'code' || subject.type === 'pattern') && (kind === 'new' || found !== undefined);
  const [earliest] = together
    .filter((change) => isDated(change) && trueOnsetOf(change) < onset)
    .sort((a, b) => trueOnsetOf(a) - trueOnsetOf(b));
  return 2 <= rank ? earliest : undefined;
}

/** Differences between the interval of the main change and all logs before, but for what the change says itself. */
async function differencesSince(
  cases: readonly Case[],
  { chosen, recurrences, span, buckets, messages }: Explaining,
  since: TimeInterval,
): Promise<readonly QueriedDifference[]> {
  // Of a time without logs nothing else can be said.
  if (chosen.main.subject.type === 'total' && chosen.main.kind === 'gone') return [];
  const before = { from: span.first, to: since.from - 1 };
  // The interval has whole buckets, but for the ends of all logs.
  const [start = 0, last = 0] = [since.from, since.to].map((time) =>
    Math.floor((time - buckets.start) / buckets.length),
  );
  const count = (from: number, to: number) =>
    countMasks(messages, { fields: namedFields, buckets, within: { from, to } });
  const sides = [count(0, start), count(start, last + 1)] as const;
  const { groups } = compareCounts(sides, { fields: namedFields });
  const strongest = groups
    .filter(
      ({ differences }) =>
        !differences.some((difference) => isOf([...chosen.together, ...recurrences], difference)),
    )
    .flatMap(({ differences: [difference] }) => (difference ? [difference] : []));
  const shown = (['new', 'gone', 'more', 'less'] as const).flatMap((kind) =>
    strongest.filter((difference) => difference.kind === kind).slice(0, queriedDifferences),
  );
  return await Promise.all(
    shown.map((difference) => withDifferenceLogs(cases, difference, { since, before })),
  );
}

/** Slower and faster services in the interval of the main change, but for those that are said otherwise. */
function latenciesSince({ chosen, changes }: Explaining, { from, to }: TimeInterval): readonly Change[] {
  return changes.filter(
    (change) =>
      (change.kind === 'slower' || change.kind === 'faster') &&
      change !== chosen.firstSign &&
      change !== chosen.main &&
      from < change.end &&
      change.start <= to,
  );
}

/** True if one of the changes or recurrences implies a difference. */
function isOf(changes: readonly Pick<Change, 'subject'>[], { field, value }: Difference): boolean {
  return changes.some(({ subject }) => {
    if (subject.type !== 'code' && subject.type !== 'pattern') return false;
    const { level, code, template } = subject;
    return (
      (field === 'logCode' && value === code) ||
      (field === 'msg' && value === template) ||
      (field === 'logLevel' && value === level)
    );
  });
}

/** The time of the first log of a new kind, else the begin of the change as exactly as it is known. */
export function onsetOf({ kind, start, logs, onset }: QueriedChange): number {
  return (kind === 'new' ? logs?.first : undefined) ?? onset ?? start;
}

async function withRecurrenceLogs(
  cases: readonly Case[],
  recurrence: Recurrence,
): Promise<QueriedRecurrence> {
  const { query, count, last } = recurrence;
  if (query === undefined) return recurrence;
  const [logs, { first: begin }] = await Promise.all([
    runQuery(cases, query, { meant: count }),
    runQuery(cases, joinByAnd(query, timeClause(last))),
  ]);
  return { ...recurrence, logs, ...(begin !== undefined && { begin }) };
}

/** The begin of a change by the clock of most sources. */
export function trueOnsetOf(change: QueriedChange): number {
  return onsetOf(change) - (change.ahead ?? 0);
}

/** Adds how far the clock of most of its logs is ahead. */
async function withClock(
  cases: readonly Case[],
  change: Change,
  clocks: readonly ClockOffset[],
): Promise<Change> {
  const [clock] = clocks;
  if (!clock) return change;
  const ahead = await aheadOfMost(cases, change, { clocks, field: clock.field });
  return ahead === 0 ? change : { ...change, ahead };
}

async function aheadOfMost(
  cases: readonly Case[],
  { subject, query, start, end }: Change,
  { clocks, field }: { readonly clocks: readonly ClockOffset[]; readonly field: ClockOffset['field'] },
): Promise<number> {
  if (subject.type === 'value' && subject.field === field) return aheadOf(clocks, { [field]: subject.value });
  if (query === undefined) return 0;
  const filter = filterOfQuery(joinByAnd(query, timeClause({ from: start, to: end - 1 })));
  const { values, total } = await facets(cases, field, { filter, limit: 1 });
  const [most] = values;
  return most?.value === undefined || 2 * most.count <= total
    ? 0
    : aheadOf(clocks, { [field]: String(most.value) });
}

function within(filter: Filter, interval: TimeInterval): Filter {
  return boolFilter({ must: [filter, filterOfQuery(timeClause(interval))] });
}

async function withLogs(cases: readonly Case[], change: Change, every: number): Promise<QueriedChange> {
  const { query, kind, subject, start, end } = change;
  if (query === undefined) return change;
  // The slow requests of a service are no query of their own.
  const meant = subject.type === 'latency' ? undefined : change.count;
  const logs = await runQuery(cases, joinByAnd(query, timeClause({ from: start, to: end - 1 })), { meant });
  const isOfKind = subject.type === 'code' || subject.type === 'pattern';
  const onset = kind === 'more' && isOfKind ? await findStep(cases, { query, start, every }) : undefined;
  return { ...change, logs, ...(onset !== undefined && { onset }) };
}

async function withDifferenceLogs(
  cases: readonly Case[],
  difference: Difference,
  { since, before }: { readonly since: TimeInterval; readonly before: TimeInterval },
): Promise<QueriedDifference> {
  if (difference.query === undefined) return { difference };
  const [interval, meant] =
    difference.kind === 'gone' ? [before, difference.before] : [since, difference.after];
  const logs = await runQuery(cases, joinByAnd(difference.query, timeClause(interval)), { meant });
  return { difference, logs };
}

/** Users and sources of the failures that begin with the main change. */
async function findHit(
  cases: readonly Case[],
  {
    chosen,
    since,
    filter,
  }: { readonly chosen: ChosenChanges; readonly since: TimeInterval; readonly filter: Filter },
): Promise<Hit | undefined> {
  const rank = rankOf(chosen.main);
  const isFailure = ({ kind }: Change) => kind !== 'gone' && kind !== 'less' && kind !== 'faster';
  const failures = chosen.together.filter((change) => rankOf(change) === rank && isFailure(change));
  const queries = failures.flatMap(({ query }) => query ?? []);
  if (rank < 2 || queries.length === 0) return undefined;
  const clauses = queries.slice(0, 10).map((query) => `(${query})`);
  const logs = await runQuery(cases, joinByAnd(joinByOr(clauses), timeClause(since)));
  const failed = filterOfQuery(logs.query);
  const values = async (field: 'username' | 'source', of: Filter) => {
    const found = await facets(cases, field, { filter: of, limit: Number.POSITIVE_INFINITY });
    return found.values.flatMap(({ value, count }) =>
      value === undefined ? [] : [{ value: String(value), count }],
    );
  };
  const active = within(filter, since);
  return {
    logs,
    users: await values('username', failed),
    activeUsers: (await values('username', active)).length,
    sources: await values('source', failed),
    activeSources: (await values('source', active)).length,
  };
}

/** A hint of a user: a time near the change, or a time after which it is. Milliseconds since the epoch. */
interface MomentHint {
  readonly around?: number | undefined;
  readonly since?: number | undefined;
}

/** Options of `chooseMoment`. */
interface ChooseOptions {
  /** Length of an interval in milliseconds. */
  readonly every: number;
  /** True to choose among the changes of the symptom alone. */
  readonly isSymptomOnly?: boolean;
}

/** The changes that matter most, and what came before them. */
interface ChosenChanges {
  /** The strongest change of the most severe kind. */
  readonly main: Change;
  /** Changes that begin with it, itself included, by rank. */
  readonly together: readonly Change[];
  /** The earliest change for the worse that still lasts when the main one begins. Absent if none is earlier. */
  readonly firstSign?: Change;
}

/**
 * Chooses the main change: the most severe rank first, then the greatest gain. With a hint only changes near or
 * after it are considered, and those for the worse that last at it if none near it is. Undefined without any.
 */
function chooseMoment(
  changes: readonly Change[],
  { every, around, since, isSymptomOnly = false }: MomentHint & ChooseOptions,
): ChosenChanges | undefined {
  const aligned = alignedBuckets * every;
  const eligible = changes.filter(
    ({ start, subject }) =>
      (!isSymptomOnly || subject.type === 'query') && (since === undefined || since - aligned <= start),
  );
  const possible = around === undefined ? eligible : changesAround(eligible, around, aligned);
  const strongest = best(possible);
  if (!strongest) return undefined;
  const rank = rankOf(strongest);
  const together = possible
    .filter((change) => Math.abs(trueStartOf(change) - trueStartOf(strongest)) <= aligned)
    .sort((first, second) => rankOf(second) - rankOf(first) || gainOf(second) - gainOf(first));
  const begin = trueStartOf(strongest);
  const worse = changes
    .filter(
      (change) =>
        isWorse(change) && trueStartOf(change) < begin - aligned && begin <= change.end - (change.ahead ?? 0),
    )
    .toSorted((first, second) => trueStartOf(first) - trueStartOf(second));
  const [firstSign] = 2 <= rank ? worse : [];
  return { main: strongest, together, ...(firstSign && { firstSign }) };
}

function trueStartOf({ start, ahead = 0 }: Change): number {
  return start - ahead;
}

/**
 * The changes that begin near a time. If none of them is for the worse, those for the worse that last then: of a
 * complaint in the middle of failures, the failures are the change.
 */
function changesAround(changes: readonly Change[], time: number, aligned: number): readonly Change[] {
  const distance = Math.max(aligned, Math.min(...changes.map(({ start }) => Math.abs(start - time))));
  const near = changes.filter(({ start }) => Math.abs(start - time) <= distance);
  if (near.some(isWorse)) return near;
  const lasting = changes.filter((change) => isWorse(change) && change.start <= time && time < change.end);
  return lasting.length === 0 ? near : lasting;
}

/** True for failures, warnings and slower requests. */
function isWorse(change: Change): boolean {
  return 2 <= rankOf(change);
}

function best(changes: readonly Change[]): Change | undefined {
  return changes.reduce<Change | undefined>((strongest, change) => {
    if (!strongest) return change;
    const byRank = rankOf(change) - rankOf(strongest);
    return 0 < byRank || (byRank === 0 && gainOf(strongest) < gainOf(change)) ? change : strongest;
  }, undefined);
}

/** The median of a request changes at least by this factor; smaller changes are ignored. */
const leastFactor = 1.5;

/**
 * Finds the intervals in which any of the series differs from other times, ordered by time. Codes stand for the
 * patterns of their logs.
 */
function findChanges({ series, buckets }: CollectedSeries, limit: number): readonly Change[] {
  const episodes = findAllEpisodes(series, { limit, perDay: lookBack / buckets.length });
  const found = series.flatMap((series, index) =>
    (episodes[index] ?? []).flatMap((episode) => toChange(series, episode, buckets) ?? []),
  );
  const codes = new Set(found.flatMap(({ subject }) => (subject.type === 'code' ? [subject.code] : [])));
  const distinct = found
    .filter(({ subject }) => subject.type !== 'pattern' || !codes.has(subject.code ?? ''))
    .filter((change) => !isTailOf(change, found));
  return withoutLevelChanges(distinct, alignedBuckets * buckets.length).sort(compareChanges);
}

/** True for a change of the slowest requests of a service whose usual requests change too. */
function isTailOf({ subject, start, end }: Change, changes: readonly Change[]): boolean {
  if (subject.type !== 'latency' || !subject.tail) return false;
  const { source, code } = subject;
  return changes.some(
    ({ subject: other, ...change }) =>
      other.type === 'latency' &&
      !other.tail &&
      other.source === source &&
      other.code === code &&
      start < change.end &&
      change.start < end,
  );
}

/** Levels of routine, which an administrator switches on and off. */
const routineLevels = new Set(['INFO', 'FINE', 'VERBOSE', 'DEBUG']);

/** Leaves out what follows from a level that was switched on or off: its patterns, and more logs of all kinds. */
function withoutLevelChanges(changes: readonly Change[], aligned: number): Change[] {
  const switched = changes.flatMap(({ kind, subject, start }) =>
    subject.type === 'value' &&
    subject.field === 'logLevel' &&
    routineLevels.has(subject.value) &&
    (kind === 'new' || kind === 'gone')
      ? [{ level: subject.value, kind, start }]
      : [],
  );
  return changes.filter(
    ({ kind, subject, start }) =>
      !switched.some((levelChange) => {
        if (aligned < Math.abs(levelChange.start - start)) return false;
        if (subject.type === 'pattern') return subject.level === levelChange.level;
        if (subject.type === 'value' && subject.field === 'logLevel') return false;
        const isSame =
          levelChange.kind === 'new' ? kind === 'new' || kind === 'more' : kind === 'gone' || kind === 'less';
        return isSame && (subject.type === 'value' || subject.type === 'total');
      }),
  );
}

/** Adds the silences and lulls of all and of sources, as `findSilences` finds them, in place of the same ones found by counts. */
function withSilences(
  changes: readonly Change[],
  { silences, lulls }: Pick<FoundSilences, 'silences' | 'lulls'>,
  last: number,
): readonly Change[] {
  const toGone = (silence: Silence, count = 0): Change => {
    const { source, from, to, isOpen, expected, p } = silence;
    const subject =
      source === undefined ? totalSubject : ({ type: 'value', field: 'source', value: source } as const);
    const interval = { start: from + 1, end: Math.min(to, last), isOpen };
    const effect = Math.log2((count + 0.5) / (expected + 0.5));
    return { kind: count === 0 ? 'gone' : 'less', subject, ...interval, count, expected, effect, p };
  };
  const isOf = (added: readonly Change[], { subject, kind, start, end }: Change) =>
    (kind === 'gone' || kind === 'less') &&
    added.some(
      (change) =>
        JSON.stringify(change.subject) === JSON.stringify(subject) &&
        start < change.end &&
        change.start < end,
    );
  const gone = silences.map((silence) => toGone(silence));
  const others = changes.filter((change) => !isOf(gone, change));
  // Counts that show fewer logs already have the logs of a source with their query.
  const less = lulls.map((lull) => toGone(lull, lull.count)).filter((change) => !isOf(others, change));
  return [...others, ...gone, ...less].sort(compareChanges);
}

const totalSubject = { type: 'total' } as const;

/** By time, then the most significant and strongest first. Equal ones have an order too, so that equal logs have one answer. */
function compareChanges(first: Change, second: Change): number {
  return (
    first.start - second.start ||
    first.p - second.p ||
    gainOf(second) - gainOf(first) ||
    compareTexts(JSON.stringify(first.subject), JSON.stringify(second.subject))
  );
}

function toChange(series: SubjectSeries, episode: Episode, buckets: Buckets): Change | undefined {
  const { start: begin, length, count: all } = buckets;
  const { count, expected, effect, p, isGradual } = episode;
  const interval = { start: begin + episode.start * length, end: begin + episode.end * length };
  const subject = series.elapsed ? latencySubject(series, interval) : series.subject;
  if (subject.type === 'latency') {
    const { before, after } = comparedOf(subject);
    const factor = after / before;
    if (!(leastFactor <= Math.max(factor, 1 / factor))) return undefined;
  }
  return {
    kind: subject.type === 'latency' ? latencyKind(subject) : episode.kind,
    subject,
    ...interval,
    isOpen: episode.end === all,
    count,
    expected,
    effect,
    p,
    ...(isGradual && { isGradual }),
    ...(series.query !== undefined && { query: series.query }),
  };
}

type LatencySubject = Extract<ChangeSubject, { type: 'latency' }>;

/** The times in seconds that a change of latency compares: 95th percentiles of the slowest requests, else medians. */
function comparedOf({ medianBefore, medianAfter, tail }: LatencySubject): {
  readonly before: number;
  readonly after: number;
} {
  return tail ?? { before: medianBefore, after: medianAfter };
}

function latencyKind(subject: LatencySubject): 'slower' | 'faster' {
  const { before, after } = comparedOf(subject);
  return before < after ? 'slower' : 'faster';
}

function latencySubject(
  { subject, elapsed, slowest = 0.25 }: SubjectSeries,
  { start, end }: { readonly start: number; readonly end: number },
): ChangeSubject {
  if (subject.type !== 'latency' || !elapsed) return subject;
  const [busiest] = elapsed.toSorted(
    (first, second) =>
      second.seconds.length - first.seconds.length || compareTexts(first.method, second.method),
  );
  const sorted = (isIn: (time: number) => boolean) =>
    busiest?.seconds.filter((_, index) => isIn(busiest.times[index] ?? Number.NaN)).sort() ??
    new Float64Array();
  const isWithin = (time: number) => start <= time && time < end;
  const [before, after] = [sorted((time) => !isWithin(time)), sorted(isWithin)];
  const quantile = (of: Float64Array, part: number) => of[Math.floor(of.length * part)] ?? Number.NaN;
  return {
    ...subject,
    method: busiest?.method ?? '',
    medianBefore: quantile(before, 0.5),
    medianAfter: quantile(after, 0.5),
    tail: slowest < 0.25 ? { before: quantile(before, 0.95), after: quantile(after, 0.95) } : undefined,
  };
}

/** Logs of an act of administration: of an administrator, of an upgrade, or of the deployment itself. */
export interface PrecedingEvent {
  readonly kind: 'administration' | 'upgrade';
  readonly code: string;
  /** The first and the last log: milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
  readonly user?: string;
  /** The message of the last log, for an upgrade of the first. */
  readonly message: string;
  readonly query: string;
  /** Logs that the query selects. */
  readonly count: number;
  /** Milliseconds that the clock of its last log is ahead; absent if it is not known to differ. */
  readonly ahead?: number | undefined;
}

/** Codes of the deployment's own administration, and of services that are started and shut down. */
const administrative = '(logCode:[0 TO 6499] OR logCode:[8000 TO 8002])';

/** Codes of upgrades and rollbacks. */
const [firstUpgradeCode, lastUpgradeCode] = [2010, 2299];

/** More verbose levels tell of routine, such as checks that passed. */
const levels = '(logLevel:SEVERE OR logLevel:WARNING OR logLevel:INFO)';

/** A kind of event that is more frequent than once in this time is routine: milliseconds. */
const rare = 3_600_000;

/** Logs that are read at most, the newest first. */
const mostLogs = 2000;

/**
 * Finds what was administered in an interval, the newest first: logs of the same code and user together, all
 * messages of an upgrade together. Frequent kinds of events and jobs that recur are left out, as routine. `hasAny` is true if any log of any
 * time is of administration.
 */
export async function findPrecedingEvents(
  cases: readonly Case[],
  options: {
    readonly filter: Filter;
    /** By the clock of most sources. */
    readonly interval: TimeInterval;
    readonly span: TimeInterval;
    readonly clocks?: readonly ClockOffset[];
    /** Codes of jobs that recur: they come before a change by their time of the day. */
    readonly recurringCodes?: readonly string[];
  },
): Promise<{ readonly events: readonly PrecedingEvent[]; readonly hasAny: boolean }> {
  const { filter, interval, span, clocks = [], recurringCodes = [] } = options;
  const all = boolFilter({ must: [filter, filterOfQuery(joinByAnd(administrative, levels))] });
  const { frequent, hasAny } = await frequentCodes(cases, all, span);
  const routine = new Set([...frequent, ...recurringCodes]);
  const margin = Math.max(0, ...clocks.map(({ ahead }) => Math.abs(ahead)));
  const logged = { from: interval.from - margin, to: interval.to + margin };
  const within = boolFilter({ must: [all, filterOfQuery(timeClause(logged))] });
  const streams = cases.map((from) => streamLogs(from, within, { order: 'newest', limit: mostLogs }));
  const groups = new Map<string, Group>();
  for await (const { log } of mergeLogs(streams, 'newest', cases)) {
    const code = String(log.logCode);
    if (log.time === undefined || (routine.has(code) && !isUpgrade(code))) continue;
    const ahead = aheadOf(clocks, log);
    if (log.time - ahead < interval.from || interval.to < log.time - ahead) continue;
    const kind = isUpgrade(code) ? 'upgrade' : 'administration';
    const key = kind === 'upgrade' ? kind : JSON.stringify([code, log.username]);
    const known = groups.get(key);
    const { msg: message = '', username } = log;
    if (known) groups.set(key, { ...known, first: log.time, ...(kind === 'upgrade' && { message }) });
    else
      groups.set(key, {
        kind,
        code,
        message,
        first: log.time,
        last: log.time,
        ...(username !== undefined && { user: username }),
        ...(ahead !== 0 && { ahead }),
      });
  }
  return { events: await Promise.all([...groups.values()].map((group) => withQuery(cases, group))), hasAny };
}

/** The last log of an event by the clock of most sources. */
export function trueLastOf({ last, ahead = 0 }: PrecedingEvent): number {
  return last - ahead;
}

type Group = Omit<PrecedingEvent, 'query' | 'count'>;

async function withQuery(cases: readonly Case[], group: Group): Promise<PrecedingEvent> {
  const { kind, code, user, first, last } = group;
  const codes =
    kind === 'upgrade' ? `logCode:[${firstUpgradeCode} TO ${lastUpgradeCode}]` : fieldClause('logCode', code);
  const users = user === undefined || kind === 'upgrade' ? undefined : fieldClause('username', user);
  const { query, count } = await runQuery(
    cases,
    joinByAnd(codes, users, timeClause({ from: first, to: last })),
  );
  return { ...group, query, count };
}

function isUpgrade(code: string): boolean {
  return firstUpgradeCode <= Number(code) && Number(code) <= lastUpgradeCode;
}

/** Codes with more than one log in an hour, and if there is any log. */
async function frequentCodes(
  cases: readonly Case[],
  filter: Filter,
  { from, to }: TimeInterval,
): Promise<{ readonly frequent: readonly string[]; readonly hasAny: boolean }> {
  const counts = new Map<string, number>();
  for (const source of cases)
    for (const { value, count } of await countBy(source, 'logCode', filter, {
      limit: Number.POSITIVE_INFINITY,
    }))
      counts.set(String(value), (counts.get(String(value)) ?? 0) + count);
  const max = Math.max(3, (to - from) / rare);
  const frequent = [...counts].flatMap(([code, count]) => (max < count ? [code] : []));
  return { frequent, hasAny: 0 < counts.size };
}
