import * as v from 'valibot';
import {
  type ComparedIntervals,
  compareDetections,
  coveredTime,
  cutInterval,
  type DescribedPattern,
  type DetectedLog,
  type Detection,
  describePattern,
  detect,
  explainPoorResult,
  type FoundDifferences,
  type FoundPatterns,
  findDifferences,
  findPatterns,
  type Interval,
  type Investigation,
  type InvestigationProgress,
  investigate as investigateLogs,
  isHit,
  type Occurrence,
  type Overview,
  overview as overviewOf,
  type PatternProgress,
  type PoorResult,
  queryParts,
  type ServiceReport,
  selectIntervals,
  serviceReport,
  type UnsupportedRule,
} from '../analysis/index.ts';
import { exportedOnly } from '../case/index.ts';
import { type Coverage, readCoverageOf } from '../export/index.ts';
import type { Field, Schema } from '../language/index.ts';
import { disMaxFilter, matchAllFilter } from '../language/index.ts';
import { type CallContext, casesWith, logsOf, PageRefusal } from './call-context.ts';
import { answer, progressAnswer } from './operation.ts';
import { filterOf, interval, requestedOf, selection, withinInterval } from './selection.ts';

const nothing = v.object({});

/** Fields of a deployment, as a schema is made of them. */
export interface QueryFields {
  readonly fields: readonly Field[];
  /** Names of those that a clause without a field searches. */
  readonly defaults: readonly string[];
}

/** Names of the cases of the page, and an overview. */
export interface About {
  readonly names: readonly string[];
  readonly paths: readonly string[];
  /** What the sources lack, such as a shard of a cluster. */
  readonly remarks: readonly string[];
  /** Options of a command line that read the sources alike. */
  readonly readingOptions: readonly string[];
  /** Folder of the rules, if they are not those of Logquarry. */
  readonly rulesPath?: string;
  readonly overview: Overview;
  /** Fields of the query bar, if they are not the documented ones. */
  readonly queryFields?: QueryFields;
}

/** The contents of the cases at a glance. */
export const about = answer(nothing, async (_, context): Promise<About> => {
  const { opened, schema, rulesPath } = context;
  const { names, paths, remarks = [], readingOptions = [] } = opened;
  const requested = await requestedOf(opened);
  return {
    names,
    paths,
    remarks,
    readingOptions,
    ...(rulesPath !== undefined && { rulesPath }),
    overview: await overviewOf(logsOf(context), { requested, buckets: 60, values: 10 }),
    ...(schema && { queryFields: queryFieldsOf(schema) }),
  };
});

function queryFieldsOf({ fields, defaults }: Schema): QueryFields {
  return { fields: [...fields.values()], defaults: defaults.map(({ name }) => name) };
}

/** The intervals that the exports of each case requested, with their states. */
export const coverage = answer(
  nothing,
  (_, { opened }): Promise<readonly (readonly Coverage[])[]> => Promise.all(opened.logs.map(readCoverageOf)),
);

/** When and in which way the logs of an interval changed; a query is the symptom, as for the command. */
export const investigate = progressAnswer(selection, investigateSelected);

async function investigateSelected(
  selected: v.InferOutput<typeof selection>,
  context: CallContext,
  onProgress: (progress: InvestigationProgress) => void,
): Promise<Investigation> {
  const { opened, signal } = context;
  const { query } = selected;
  const meant = query.trim() === '' ? undefined : await filterOf({ query, now: selected.now }, opened);
  const filter = withinInterval(matchAllFilter, selected);
  return investigateLogs(await casesWith(filter, context), {
    filter,
    ...(meant && { symptom: { query: `(${query})`, filter: meant } }),
    requested: await requestedOf(opened),
    exportedOnly: await exportedOnly(opened.logs),
    onProgress,
    signal,
  });
}

/** Requests, their times and errors by service. */
export const services = answer(selection, async (selected, context): Promise<ServiceReport> => {
  const { opened, signal } = context;
  const filter = await filterOf(selected, opened);
  return serviceReport(await casesWith(filter, context), { filter, slowest: 20, signal });
});

/** Clauses of a query and what the cases have instead; empty for a query that selects all. */
export const poorResult = answer(
  selection,
  ({ query }, context): Promise<PoorResult> =>
    explainPoorResult(logsOf(context), queryParts(query), { signal: context.signal }),
);

/** Most patterns that are shown. */
const mostPatterns = 500;

/** The patterns of the messages of a selection, the most frequent first. */
export interface PagePatterns extends FoundPatterns {
  /** The number of patterns that are not listed. */
  readonly others: number;
}

/** How far patterns are found, with those so far now and then. */
export interface PagePatternProgress extends Pick<PatternProgress, 'logs' | 'of'> {
  readonly found?: PagePatterns;
}

/** Time between two lists of the patterns so far, in milliseconds. */
const pause = 1000;

/** The patterns of the messages of a selection; those of the logs that were read so far before. */
export const patterns = progressAnswer(selection, findPagePatterns);

async function findPagePatterns(
  selected: v.InferOutput<typeof selection>,
  context: CallContext,
  report: (progress: PagePatternProgress) => void,
): Promise<PagePatterns> {
  const { opened, signal } = context;
  const filter = await filterOf(selected, opened);
  let listed = Date.now();
  const onProgress = ({ logs, of, found }: PatternProgress) => {
    const isDue = pause < Date.now() - listed;
    report({ logs, of, ...(isDue && { found: toPagePatterns(found()) }) });
    if (isDue) listed = Date.now();
  };
  const options = { filter, intervals: 40, onProgress, signal };
  return toPagePatterns(await findPatterns(await casesWith(filter, context), options));
}

function toPagePatterns(found: FoundPatterns): PagePatterns {
  const shown = found.patterns.slice(0, mostPatterns);
  return { ...found, patterns: shown, others: found.patterns.length - shown.length };
}

const patternParameters = v.object({
  ...selection.entries,
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{10}$/)),
});

/** Most values of each variable place that are shown. */
const mostValues = 20;

/** One pattern with the values at its variable places. */
export const pattern = answer(
  patternParameters,
  async ({ id, ...selected }, context): Promise<DescribedPattern> => {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    const found = await describePattern(await casesWith(filter, context), { filter, id, signal });
    if (!found) throw new PageRefusal(`No pattern of these logs has the id ${id}`, 404);
    const places = found.places.map((place) => ({ ...place, values: place.values.slice(0, mostValues) }));
    return { ...found, places };
  },
);

const ends = v.required(interval);
const changesParameters = v.object({ ...selection.entries, before: ends, after: ends });

/** The differences between two intervals of a selection. */
export interface PageDifferences extends FoundDifferences {
  /** The intervals, cut to the time of the logs. */
  readonly intervals: { readonly before: Interval; readonly after: Interval };
  readonly sameHours?: ComparedIntervals['sameHours'];
}

/** Compares two intervals of a selection. */
export const changes = answer(
  changesParameters,
  async ({ before, after, ...selected }, context): Promise<PageDifferences> => {
    const { opened, signal } = context;
    const filter = await filterOf({ query: selected.query, now: selected.now }, opened);
    const cases = await casesWith(
      disMaxFilter([before, after].map((side) => withinInterval(filter, side))),
      context,
    );
    const covered = await coveredTime(logsOf(context), await requestedOf(opened));
    const cut = (side: v.InferOutput<typeof ends>, name: string) => {
      const found = cutInterval({ oldest: side.from, newest: side.to }, covered);
      if (!found)
        throw new PageRefusal(`The ${name} interval is outside of all logs: nothing to compare`, 404);
      return found;
    };
    const intervals = { before: cut(before, 'earlier'), after: cut(after, 'later') };
    const { sameHours, ...compared } = selectIntervals({ cases, filter }, intervals);
    const found = await findDifferences({ ...compared, signal });
    return { ...found, intervals, ...(sameHours && { sameHours }) };
  },
);

/** The findings of the rules in a selection, the most critical first, and the rules that could not be evaluated. */
export const detections = answer(selection, async (selected, context): Promise<PageDetections> => {
  const { opened, rules } = context;
  const filter = await filterOf(selected, opened);
  const requested = await requestedOf(opened);
  const found = await detect(await casesWith(filter, context), rules.rules, {
    filter,
    ...(0 < requested.length && { requested }),
  });
  return {
    rules: found.detections.length,
    detections: found.detections.filter(isHit).toSorted(compareDetections).map(toPageDetection),
    unsupported: [...rules.unsupported, ...found.unsupported],
  };
});

/** A rule that found something. */
export interface PageDetection {
  readonly title: string;
  readonly file: string;
  readonly level?: string;
  readonly description?: string;
  /** Selects exactly the logs of the rule, if the language can. */
  readonly query?: string;
  readonly sql?: string;
  readonly count: number;
  readonly first?: DetectedLog;
  readonly last?: DetectedLog;
  /** The first occurrences of a correlation, and the number of the others. */
  readonly occurrences?: readonly Occurrence[];
  readonly otherOccurrences: number;
}

/** Results of the rules of the page. */
export interface PageDetections {
  /** Number of rules that were evaluated. */
  readonly rules: number;
  readonly detections: readonly PageDetection[];
  readonly unsupported: readonly UnsupportedRule[];
}

function toPageDetection({ rule, count, first, last, occurrences }: Detection): PageDetection {
  const { title, file, level, description } = rule;
  return {
    title,
    file,
    count,
    ...(level !== undefined && { level }),
    ...(description !== undefined && { description }),
    ...(rule.kind === 'detection' && rule.query !== undefined && { query: rule.query }),
    ...(rule.kind === 'detection' && rule.sql !== undefined && { sql: rule.sql }),
    ...(first && { first }),
    ...(last && { last }),
    ...(occurrences && { occurrences: occurrences.slice(0, mostOccurrences) }),
    otherOccurrences: Math.max(0, (occurrences?.length ?? 0) - mostOccurrences),
  };
}

/** Most occurrences of a correlation that are shown. */
const mostOccurrences = 100;
