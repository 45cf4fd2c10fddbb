/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Questions over one or several cases: their contents at a glance, changes, patterns of
 * messages, requests, users and rules. The functions take open cases and a filter, and
 * never write.
 *
 * ```ts
 * const { patterns } = await findPatterns([incident], { filter: resolve(parse('logLevel:SEVERE').query) });
 * for (const { template, count } of patterns) console.log(count, template);
 * ```
 *
 * @module logquarry/analysis
 */

// Several cases as one: logs in one order, by relevance, or with context.
export { type BestOfCasesOptions, bestOfCases, type ScoredCursorInCases } from './analysis/best-of-cases.ts';
export {
  type ContextOfCasesOptions,
  contextOfCases,
  type ListedInContext,
} from './analysis/context-of-cases.ts';
// Sigma rules.
export { type Detection, type Detections, detect } from './analysis/detections/detect.ts';
// Patterns of messages, and differences of two selections.
export {
  type Difference,
  type FoundDifferences,
  findDifferences,
  type LogSelection,
} from './analysis/differences/find-differences.ts';
// Counts.
export { type Facets, facets } from './analysis/facets.ts';
export { type Bucket, type Histogram, type HistogramOptions, histogram } from './analysis/histogram.ts';
export type { RequestedInterval } from './analysis/interval-coverage.ts';
// A case at a glance, and what changed in it.
export type { Change } from './analysis/investigation/change.ts';
export { type Investigation, investigate } from './analysis/investigation/investigate.ts';
export {
  type FoundLatencyShifts,
  findLatencyShifts,
  type LatencyShift,
} from './analysis/latencies/find-latency-shifts.ts';
// Requests, services and users.
export { requestFilter } from './analysis/matching-requests.ts';
export { type DescribedPattern, describePattern } from './analysis/message-patterns/describe-pattern.ts';
export {
  type FoundPatterns,
  findPatterns,
  type MessagePattern,
} from './analysis/message-patterns/find-patterns.ts';
export type { CoverageGap } from './analysis/overview/coverage-gaps.ts';
export { type Overview, overview } from './analysis/overview/overview.ts';
// Queries: one from examples, and why one selects few logs.
export { explainPoorResult, type PoorResult, type QueryPart } from './analysis/poor-result/poor-result.ts';
export { queryParts } from './analysis/poor-result/query-parts.ts';
export { type Headline, headlines } from './analysis/report/headlines.ts';
export { assembleReport, type Report, type ReportOptions } from './analysis/report/report.ts';
export { type RankedRequest, rankRequests } from './analysis/requests/slowest-requests.ts';
export { type TracedLog, traceRequest } from './analysis/requests/trace-request.ts';
export { type ServiceGroup, type ServiceReport, serviceReport } from './analysis/services/service-report.ts';
export { type FoundSessions, findSessions, type UserSession } from './analysis/sessions/user-sessions.ts';
export { type CursorInCases, type LogOfCase, mergeLogs } from './analysis/several-cases.ts';
export { type FoundSilences, findSilences, type Silence } from './analysis/silences/find-silences.ts';
export {
  type LogExamples,
  type SuggestedQuery,
  suggestQuery,
} from './analysis/suggest-query/suggest-query.ts';
export { findUpgrades, type KnownUpgrade } from './analysis/upgrades/find-upgrades.ts';
export { parseTimeZone, type TimeZone } from './records/zones/time-zone.ts';
export {
  compileRules,
  type Rule,
  type RuleFile,
  type RuleMapping,
  RuleRefusal,
  type RuleSet,
  readMapping,
  type UnsupportedRule,
} from './rules/index.ts';
