export { type BestOfCasesOptions, bestOfCases, type ScoredCursorInCases } from './best-of-cases.ts';
export { type ContextOfCasesOptions, contextOfCases, type ListedInContext } from './context-of-cases.ts';
export { cursorsOfCases } from './cursors-of-cases.ts';
export {
  compareDetections,
  type Detection,
  type Detections,
  detect,
  isHit,
  rankOfLevel,
} from './detections/detect.ts';
export type { DetectedLog, Occurrence } from './detections/occurrences.ts';
export {
  type Difference,
  type FoundDifferences,
  findDifferences,
  type LogSelection,
} from './differences/find-differences.ts';
export { type Facets, facets } from './facets.ts';
export { type Bucket, type Histogram, type HistogramOptions, histogram } from './histogram.ts';
export type { IntervalCoverage, RequestedInterval } from './interval-coverage.ts';
export type { Change } from './investigation/change.ts';
export {
  type Investigation,
  investigate,
  onsetOf,
  type QueriedChange,
  type QueriedDifference,
} from './investigation/investigate.ts';
export type { PrecedingEvent } from './investigation/preceding-events.ts';
export {
  type FoundLatencyShifts,
  findLatencyShifts,
  type LatencyShift,
} from './latencies/find-latency-shifts.ts';
export {
  type Asked,
  caseWith,
  countLogs,
  expandFuzzy,
  isCase,
  readLog,
  readPart,
  streamLogs,
  timeSpan,
} from './log-source.ts';
export { matchingRequests, requestFilter } from './matching-requests.ts';
export { type DescribedPattern, describePattern } from './message-patterns/describe-pattern.ts';
export {
  type CountedValue,
  type FoundPatterns,
  findPatterns,
  type MessagePattern,
} from './message-patterns/find-patterns.ts';
export { maskMessage } from './message-patterns/mask-message.ts';
export type { CoverageGap } from './overview/coverage-gaps.ts';
export type { LevelOverTime, Peak } from './overview/levels.ts';
export { type Overview, overview, type RankedCode } from './overview/overview.ts';
export type { RankedValues } from './overview/severe-values.ts';
export { costliestPart } from './poor-result/costliest-part.ts';
export {
  explainPoorResult,
  fewLogs,
  type PartResult,
  type PoorResult,
  type QueryPart,
} from './poor-result/poor-result.ts';
export { type PlacedPart, queryParts } from './poor-result/query-parts.ts';
export { type Headline, headlines } from './report/headlines.ts';
export { assembleReport, type Report, type ReportOptions, type ReportTimeline } from './report/report.ts';
export { type RankedRequest, rankRequests } from './requests/slowest-requests.ts';
export { type TracedLog, traceRequest } from './requests/trace-request.ts';
export { compileRules, type RuleFile } from './rules/compile-rules.ts';
export { ownMapping, type RuleMapping, readMapping } from './rules/mapping.ts';
export { RuleRefusal } from './rules/refusal.ts';
export { type Rule, type RuleLevel, type RuleSet, ruleLevels, type UnsupportedRule } from './rules/rule.ts';
export type { RankedError } from './services/errors-by-code.ts';
export {
  type ServiceGroup,
  type ServiceReport,
  type SlowRequest,
  serviceReport,
} from './services/service-report.ts';
export type { ResponseBucket, TimingStatistics } from './services/timing-statistics.ts';
export { type FoundSessions, findSessions, type UserSession } from './sessions/user-sessions.ts';
export { type CursorInCases, cursorInCase, type LogOfCase, mergeLogs } from './several-cases.ts';
export { type FoundSilences, findSilences, type Silence } from './silences/find-silences.ts';
export {
  type ExampleCount,
  type LogExamples,
  type SuggestedQuery,
  suggestQuery,
} from './suggest-query/suggest-query.ts';
export { findUpgrades, type KnownUpgrade } from './upgrades/find-upgrades.ts';
