import {
  type Case,
  type CaseSummary,
  type ChainHead,
  type CountedCell,
  chainHead,
  countCells,
  countFailures,
  countSources,
  exportedOnly,
  type FailureCounts,
  findActions,
  type Listed,
  type Loss,
  listNotes,
  listSearches,
  lossesOf,
  type Note,
  type SavedSearch,
  type SourceCounts,
  type StoredLog,
  type StoredPart,
  sampleLogs,
  summary,
  timeSpan,
} from '../case/index.ts';
import { type Filter, logLevels } from '../language/index.ts';
import { type TimeZone, utcZone } from '../records/index.ts';
import {
  type CoverageGap,
  coverageGaps,
  coverageOf,
  type IntervalCoverage,
  laterLogs,
  type RequestedInterval,
} from './coverage.ts';
import { detect, isHit } from './detect.ts';
import {
  equalIntervals,
  type FoundPatterns,
  type MessagePattern,
  patternsOf,
  usualIntervals,
} from './find-patterns.ts';
import { bucketLength, firstBucketStart } from './histogram.ts';
import { changeBuckets, type Investigation, investigate, namedFields } from './investigate.ts';
import type { AnyLogSource } from './log-source.ts';
import { collectMaskGroups, type MaskGroups } from './mask-groups.ts';
import { filesOf } from './overview.ts';
import type { Rule } from './rules/rule.ts';
import { type ServiceReport, serviceReport } from './service-report.ts';

/** Everything that a report of a case shows. Times are milliseconds since the epoch. */
export interface Report {
  readonly made: number;
  readonly logs: number;
  /** Logs without a time, which are in no bucket. */
  readonly timeless: number;
  /** First and last time of the selected logs; absent if none has one. */
  readonly first?: number;
  readonly last?: number;
  readonly timeline: ReportTimeline;
  readonly sources: Listed<SourceCounts>;
  readonly failures: Listed<FailureCounts>;
  /** Requests by service with their times, waits and slowest ones. */
  readonly services: ServiceReport;
  /** The most frequent patterns of severe logs and warnings, then of the other logs. */
  readonly patterns: Listed<MessagePattern> & {
    readonly buckets: { readonly start: number; readonly length: number };
  };
  /** A choice of logs, the most severe levels first, ordered by time. */
  readonly sample: readonly StoredLog[];
  readonly notes: readonly Note[];
  readonly searches: readonly SavedSearch[];
  /** Rules that found something, in the order of the rules. */
  readonly detections: readonly ReportedDetection[];
  /** The changes with their times, the events before them, and the users and sources hit. */
  readonly investigation: Investigation;
  /** Requested intervals; empty if no export requested any. */
  readonly requested: readonly RequestedInterval[];
  /** Which logs the exports asked for, if not for all: `exportedOnly`. */
  readonly exportedOnly?: string;
  readonly gaps: readonly CoverageGap[];
  readonly evidence: ReportEvidence;
  /** Limits of the data: levels, gaps, caps, zones. */
  readonly limitations: readonly Limitation[];
}

/** Number of logs by time, level and source. */
export interface ReportTimeline {
  /** Start of the first bucket, the length of a bucket in milliseconds, and their number. */
  readonly start: number;
  readonly every: number;
  readonly buckets: number;
  /** Known levels, the most severe first; a cell with a greater index has another level or none. */
  readonly levels: readonly string[];
  /** Sources with most failures; a cell with a greater index has another source or none. */
  readonly sources: readonly string[];
  readonly cells: readonly CountedCell[];
  /** Completeness of each bucket; empty if no export requested any. */
  readonly coverage: readonly IntervalCoverage[];
}

/** A rule that found something. Times are milliseconds since the epoch. */
export interface ReportedDetection {
  readonly title: string;
  /** Severity that the rule states. */
  readonly level?: string;
  /** Number of logs, for a correlation those of all occurrences. */
  readonly count: number;
  readonly occurrences?: number;
  readonly first?: number;
  readonly last?: number;
}

/** Origin of the logs and state of the chain of hashes. */
export interface ReportEvidence {
  readonly parts: readonly StoredPart[];
  readonly head?: ChainHead;
  readonly unreadable: number;
  readonly losses: readonly Loss[];
}

/** Options of a report. */
export interface ReportOptions {
  readonly filter: Filter;
  /** Intervals requested by exports; empty if there was none. */
  readonly requested: readonly RequestedInterval[];
  /** The logs that the case has copies of. Default: the case. */
  readonly from?: AnyLogSource;
  /** Sentences on what was read into the case: what a search may miss, and what counts twice. Default: none. */
  readonly doubts?: readonly string[];
  /** Rules to evaluate. */
  readonly rules: readonly Rule[];
  /** Maximum number of logs in the sample. */
  readonly sample: number;
  /** Zone by whose clocks the buckets of the timeline begin. Default: UTC. */
  readonly zone?: TimeZone;
  readonly signal?: AbortSignal | undefined;
}

/** Limits of lists and charts. */
const limits = {
  buckets: 120,
  sources: 200,
  namedSources: 40,
  failures: 200,
  patterns: 100,
  slowest: 50,
} as const;

/**
 * Assembles the report of a case. Rejects with a `StoreError` or the reason of the signal.
 *
 * ```ts
 * const requested = (await readCoverage(incident)).flatMap(({ covered }) => covered);
 * const report = await assembleReport(incident, { filter, requested, rules: [], sample: 100 });
 * console.log(headlines(report).join('\n'));
 * ```
 */
export async function assembleReport(
  of: Case,
  { filter, requested, rules, sample, signal, zone = utcZone, from = of, doubts = [] }: ReportOptions,
): Promise<Report> {
  const [span, about, sources, failures, notes, searches, head, actions] = await Promise.all([
    timeSpan(of, filter),
    summary(of),
    countSources(of, filter, { limit: limits.sources }),
    countFailures(of, filter, { limit: limits.failures }),
    listNotes(of),
    listSearches(of),
    chainHead(of),
    findActions(of),
  ]);
  signal?.throwIfAborted();
  const { patterns, messages } = readMessages(of, { filter, span, signal });
  // The database works for one while this thread counts for another.
  const [found, timeline, services, detections, investigation] = await Promise.all([
    patterns,
    timelineOf(of, { filter, span, sources, requested, zone }),
    serviceReport([of], { filter, slowest: limits.slowest, signal }),
    detectionsOf(of, { filter, requested, rules }),
    investigate([of], { filter, requested, messages, signal }),
  ]);
  const times = {
    ...(span.first !== undefined && { first: span.first }),
    ...(span.last !== undefined && { last: span.last }),
  };
  const gaps = coverageGaps(requested, times.first);
  const only = await exportedOnly([from]);
  const losses = filesOf(about.parts).flatMap(lossesOf);
  const measured = sources.values.reduce((sum, source) => sum + source.measured, 0);
  return {
    made: Date.now(),
    logs: span.count + span.timeless,
    timeless: span.timeless,
    ...times,
    timeline,
    sources,
    failures,
    services,
    patterns: topPatterns(found),
    sample: await sampleOf(of, { filter, timeline, limit: sample, notes }),
    notes,
    searches,
    detections,
    investigation,
    requested,
    gaps,
    ...(only !== undefined && { exportedOnly: only }),
    evidence: evidenceOf(about, of.originals === 'copied' ? head : undefined, losses),
    limitations: limitationsOf({
      summary: about,
      timeless: span.timeless,
      measured,
      gaps,
      losses,
      exportedOnly: only,
      doubts,
      levels: levelsIn(timeline),
      isExported: 0 < requested.length,
      hasLater: 0 < requested.length && laterLogs(requested, times.last) !== undefined,
      isRedacted: actions.some(({ action }) => action === 'redact case'),
    }),
  };
}

interface MessageFacts {
  readonly filter: Filter;
  readonly span: { readonly first?: number; readonly last?: number };
  readonly signal: AbortSignal | undefined;
}

/** Reads and masks all messages once, for the patterns and for the investigation. */
function readMessages(
  of: Case,
  { filter, span, signal }: MessageFacts,
): { readonly messages: Promise<MaskGroups>; readonly patterns: Promise<FoundPatterns> } {
  const { first, last } = span;
  const buckets = equalIntervals([span], usualIntervals);
  const isTimed = first !== undefined && last !== undefined;
  const partitions = [buckets, ...(isTimed ? [changeBuckets({ first, last })] : [])];
  const messages = collectMaskGroups([of], { filter, fields: namedFields, partitions, signal });
  return { messages, patterns: messages.then((groups) => patternsOf(groups, buckets)) };
}

async function detectionsOf(
  of: Case,
  { filter, requested, rules }: Pick<ReportOptions, 'filter' | 'requested' | 'rules'>,
): Promise<readonly ReportedDetection[]> {
  const found = await detect([of], rules, { filter, ...(0 < requested.length && { requested }) });
  const hits = found.detections.filter(isHit);
  return hits.map(({ rule, count, occurrences, first, last }) => ({
    title: rule.title,
    count,
    ...(rule.level !== undefined && { level: rule.level }),
    ...(occurrences && { occurrences: occurrences.length }),
    ...(first?.time !== undefined && { first: first.time }),
    ...(last?.time !== undefined && { last: last.time }),
  }));
}

interface TimelineFacts {
  readonly filter: Filter;
  readonly span: { readonly first?: number; readonly last?: number };
  readonly sources: Listed<SourceCounts>;
  readonly requested: readonly RequestedInterval[];
  readonly zone: TimeZone;
}

async function timelineOf(
  of: Case,
  { filter, span, sources, requested, zone }: TimelineFacts,
): Promise<ReportTimeline> {
  const { first = 0, last = 0 } = span;
  const every = bucketLength(last - first, limits.buckets);
  const start = firstBucketStart({ first, every }, zone);
  const buckets = span.first === undefined ? 0 : Math.floor((last - start) / every) + 1;
  const named = sources.values.flatMap(({ source }) => (source === undefined ? [] : [source]));
  const options = { start, every, levels: logLevels, sources: named.slice(0, limits.namedSources) };
  const starts = Array.from(
    { length: requested.length === 0 ? 0 : buckets },
    (_, index) => start + index * every,
  );
  return {
    ...options,
    buckets,
    cells: await countCells(of, filter, options),
    coverage: starts.map((bucketStart) => coverageOf(requested, { start: bucketStart, length: every })),
  };
}

/** Known levels with a log, the most severe first. */
function levelsIn({ levels, cells }: ReportTimeline): readonly string[] {
  const found = new Set(cells.map(({ level }) => level));
  return levels.filter((_, index) => found.has(index));
}

function topPatterns({ patterns, buckets }: FoundPatterns): Report['patterns'] {
  const isFailure = ({ levels }: MessagePattern) =>
    levels.some(({ value }) => ['SEVERE', 'WARNING'].includes(value.toUpperCase()));
  const failures = patterns.filter(isFailure);
  const others = patterns.filter((pattern) => !isFailure(pattern));
  const share = Math.max(limits.patterns / 2, limits.patterns - others.length);
  const shown = [...failures.slice(0, share), ...others].slice(0, limits.patterns);
  return { values: shown, total: patterns.length, buckets };
}

interface SampleFacts {
  readonly filter: Filter;
  readonly timeline: ReportTimeline;
  readonly limit: number;
  readonly notes: readonly Note[];
}

/** Samples the levels that are needed to reach the limit; ranking all logs would take longer than all else. */
function sampleOf(of: Case, { filter, timeline, limit, notes }: SampleFacts): Promise<readonly StoredLog[]> {
  const { levels, cells, start, every } = timeline;
  let count = 0;
  const needed = levels.filter((_, index) => {
    const isNeeded = count < limit;
    for (const cell of cells) if (cell.level === index) count += cell.count;
    return isNeeded;
  });
  const always = notes.flatMap(({ logs }) => logs).slice(0, limit);
  return sampleLogs(of, filter, { levels: needed, hasOthers: count < limit, start, every, limit, always });
}

function evidenceOf(
  { parts, unreadable }: CaseSummary,
  head: ChainHead | undefined,
  losses: readonly Loss[],
): ReportEvidence {
  return { parts, unreadable, losses, ...(head && { head }) };
}

/** Something that the data cannot say. */
interface Limitation {
  readonly code: LimitationCode;
  /** One or two sentences. */
  readonly text: string;
}

/** Codes of limitations; stable. */
type LimitationCode =
  | 'audit-trail'
  | 'doubt'
  | 'capped'
  | 'later'
  | 'elapsed'
  | 'filter'
  | 'gaps'
  | 'level'
  | 'loss'
  | 'not-exported'
  | 'redacted'
  | 'timeless'
  | 'unreadable'
  | 'zone';

/** Facts that limitations follow from. */
interface LimitationFacts {
  readonly summary: CaseSummary;
  /** Known levels that the selected logs have, the most severe first. */
  readonly levels: readonly string[];
  readonly timeless: number;
  /** Logs with an elapsed time. */
  readonly measured: number;
  readonly gaps: readonly CoverageGap[];
  /** True if an export requested intervals. */
  readonly isExported: boolean;
  /** True if logs are later than all requested intervals. */
  readonly hasLater: boolean;
  readonly exportedOnly: string | undefined;
  readonly losses: readonly Loss[];
  readonly doubts: readonly string[];
  readonly isRedacted: boolean;
}

/** Returns what logs with these facts cannot say, the most important first. */
function limitationsOf(facts: LimitationFacts): readonly Limitation[] {
  return [
    ...filterLimitations(facts),
    ...coverageLimitations(facts),
    ...levelLimitations(facts),
    ...contentLimitations(facts),
    ...facts.doubts.map((text) => ({ code: 'doubt', text }) as const),
    {
      code: 'audit-trail',
      text: 'The audit trail of administrators is a separate stream of the deployment and not part of its logs. Who changed a setting is known here only where a log says so.',
    },
  ];
}

function filterLimitations({ exportedOnly: only }: LimitationFacts): readonly Limitation[] {
  if (only === undefined) return [];
  const text = `${only.charAt(0).toUpperCase()}${only.slice(1)}. What is complete is so of this request, not of the deployment: nothing here says what else it logged.`;
  return [{ code: 'filter', text }];
}

function coverageLimitations({ gaps, isExported, hasLater }: LimitationFacts): readonly Limitation[] {
  if (!isExported)
    return [
      {
        code: 'not-exported',
        text: 'The files were imported, not exported by windows. The case cannot prove that they are complete: no log at a time does not mean that nothing happened.',
      },
    ];
  const capped = gaps.filter(({ state }) => state === 'capped').length;
  const missing = gaps.length - capped;
  return [
    ...(0 < missing
      ? [
          {
            code: 'gaps',
            text: `${missing} ${missing === 1 ? 'interval was' : 'intervals were'} never requested or not received. No log there proves nothing.`,
          } as const,
        ]
      : []),
    ...(0 < capped
      ? [
          {
            code: 'capped',
            text: `In ${capped} ${capped === 1 ? 'interval' : 'intervals'} the deployment returned fewer logs than it had. The others cannot be had any more.`,
          } as const,
        ]
      : []),
    ...(hasLater
      ? [
          {
            code: 'later',
            text: 'Some logs are later than all requested times: they came while an export ran, or from files. Others of that time may be missing.',
          } as const,
        ]
      : []),
  ];
}

const detailed: ReadonlySet<string> = new Set(['FINE', 'VERBOSE', 'DEBUG']);

function levelLimitations({ levels, measured }: LimitationFacts): readonly Limitation[] {
  const lowest = levels.at(-1);
  const isCoarse = lowest !== undefined && !detailed.has(lowest);
  return [
    ...(isCoarse
      ? [
          {
            code: 'level',
            text: `The most detailed level is ${lowest}. Anything that the deployment logs at a more detailed level is not here, such as single requests.`,
          } as const,
        ]
      : []),
    ...(measured === 0
      ? [
          {
            code: 'elapsed',
            text: 'No log has an elapsed time at this level. Nothing can be said about the duration of requests; that requires level FINE.',
          } as const,
        ]
      : []),
  ];
}

function contentLimitations({
  summary: { parts, unreadable },
  timeless,
  losses,
  isRedacted,
}: LimitationFacts): readonly Limitation[] {
  const zones = [...new Set(parts.flatMap(({ zone }) => (zone === undefined ? [] : [zone])))];
  const all: readonly (Limitation | false)[] = [
    isRedacted && {
      code: 'redacted',
      text: 'The case is a redacted copy: users, addresses and hosts are pseudonyms. The original case and its files are elsewhere.',
    },
    0 < zones.length && {
      code: 'zone',
      text: `Times without a zone, if any, were read as times of ${zones.join(', ')}. If the servers had another zone, these times are shifted.`,
    },
    0 < timeless && { code: 'timeless', text: `${timeless} logs have no time and are in no chart.` },
    0 < unreadable && {
      code: 'unreadable',
      text: `${unreadable} records could not be read as logs. They are stored, but not counted here.`,
    },
    0 < losses.length && {
      code: 'loss',
      text: `${losses.length} ${losses.length === 1 ? 'entry' : 'entries'} of files could not be loaded: ${losses
        .slice(0, 3)
        .map(({ message }) => message)
        .join('; ')}.`,
    },
  ];
  return all.filter((limitation) => limitation !== false);
}

/** A statement of a report's summary. It has counts and times, never a cause. Times are milliseconds since the epoch. */
export type Headline =
  | {
      readonly about: 'logs';
      readonly logs: number;
      readonly sources: number;
      /** Absent if no log has a time. */
      readonly first?: number | undefined;
      readonly last?: number | undefined;
    }
  | { readonly about: 'severity'; readonly severe: number; readonly warnings: number }
  /** The interval with most severe logs, and its length in milliseconds. */
  | { readonly about: 'peak'; readonly severe: number; readonly start: number; readonly length: number }
  /** The source with most failures; without a name if the logs have none. */
  | {
      readonly about: 'source';
      readonly source?: string | undefined;
      readonly severe: number;
      readonly warnings: number;
      readonly logs: number;
    }
  /** The most frequent failure, with the message of its first log. */
  | {
      readonly about: 'failure';
      readonly level: string;
      readonly code?: string | undefined;
      readonly logs: number;
      readonly first?: number | undefined;
      readonly message: string;
    }
  /** Number of intervals without all logs; absent if no export requested any. */
  | { readonly about: 'coverage'; readonly gaps?: number; readonly exportedOnly?: string | undefined };

/**
 * Summarises a report in a few statements, the most important first.
 *
 * ```ts
 * const report = await assembleReport(incident, { filter, requested: [], rules: [], sample: 0 });
 * for (const each of headlines(report)) if (each.about === 'failure') console.log(each.level, each.message);
 * ```
 */
export function headlines(report: Report): readonly Headline[] {
  const { logs, first, last, timeline, sources, requested, gaps } = report;
  const countOf = (index: number) =>
    timeline.cells.filter(({ level }) => level === index).reduce((sum, { count }) => sum + count, 0);
  return [
    { about: 'logs', logs, sources: sources.total, first, last },
    { about: 'severity', severe: countOf(0), warnings: countOf(1) },
    ...peakOf(report),
    ...sourceOf(report),
    ...failureOf(report),
    {
      about: 'coverage',
      exportedOnly: report.exportedOnly,
      ...(0 < requested.length && { gaps: gaps.length }),
    },
  ];
}

function peakOf({ timeline: { cells, start, every } }: Report): readonly Headline[] {
  const severe = new Map<number, number>();
  for (const { bucket, level, count } of cells)
    if (level === 0 && 0 <= bucket) severe.set(bucket, (severe.get(bucket) ?? 0) + count);
  const [peak] = [...severe].sort(([a, first], [b, second]) => second - first || a - b);
  if (!peak) return [];
  const [bucket, count] = peak;
  return [{ about: 'peak', severe: count, start: start + bucket * every, length: every }];
}

function sourceOf({ sources }: Report): readonly Headline[] {
  const [top] = sources.values;
  if (!top || top.severe + top.warnings === 0) return [];
  const { source, severe, warnings, count } = top;
  return [{ about: 'source', source, severe, warnings, logs: count }];
}

function failureOf({ failures }: Report): readonly Headline[] {
  const [top] = failures.values;
  if (!top) return [];
  const { level, code, count, first, message = '' } = top;
  return [{ about: 'failure', level, code, logs: count, first, message }];
}
