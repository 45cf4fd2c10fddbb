export type { Change } from './collect-series.ts';
export type { CoverageGap, IntervalCoverage, RequestedInterval } from './coverage.ts';
export {
  compareDetections,
  type DetectedLog,
  type Detection,
  type Detections,
  detect,
  isHit,
  type Occurrence,
  rankOfLevel,
} from './detect.ts';
export {
  costliestPart,
  explainPoorResult,
  fewLogs,
  type PartResult,
  type PlacedPart,
  type PoorResult,
  type QueryPart,
  queryParts,
} from './explain-poor-result.ts';
export { type Facets, facets } from './facets.ts';
export {
  type ComparedIntervals,
  coveredTime,
  cutInterval,
  type Difference,
  type FoundDifferences,
  findDifferences,
  type Interval,
  type LogSelection,
  selectIntervals,
} from './find-differences.ts';
export { type FoundLatencyShifts, findLatencyShifts, type LatencyShift } from './find-latency-shifts.ts';
export {
  type CountedValue,
  type DescribedPattern,
  describePattern,
  type FoundPatterns,
  findPatterns,
  type MessagePattern,
  type PatternProgress,
} from './find-patterns.ts';
export { trueFirstOf } from './find-rare-logs.ts';
export { type FoundSessions, findSessions, type UserSession } from './find-sessions.ts';
export { type FoundSilences, findSilences, type Lull, type Silence } from './find-silences.ts';
export { type Bucket, type Histogram, type HistogramOptions, histogram } from './histogram.ts';
export {
  type Investigation,
  type InvestigationProgress,
  investigate,
  type PrecedingEvent,
  type QueriedChange,
  type QueriedDifference,
  trueLastOf,
  trueOnsetOf,
} from './investigate.ts';
export {
  type AnyLogSource,
  caseWith,
  countLogs,
  expandFuzzy,
  isCase,
  readLog,
  readPart,
  streamLogs,
  timeSpan,
} from './log-source.ts';
export { maskMessage } from './mask-message.ts';
export {
  findUpgrades,
  type KnownUpgrade,
  type LevelOverTime,
  type Overview,
  overview,
  type Peak,
  type RankedCode,
  type RankedValues,
} from './overview.ts';
export {
  assembleReport,
  type Headline,
  headlines,
  type Report,
  type ReportOptions,
  type ReportTimeline,
} from './report.ts';
export {
  matchingRequests,
  type RankedRequest,
  rankRequests,
  requestFilter,
  type TracedLog,
  traceRequest,
} from './requests.ts';
export { compileRules, type RuleFile } from './rules/compile-rules.ts';
export { ownMapping, type RuleMapping, readMapping } from './rules/mapping.ts';
export { RuleRefusal } from './rules/read-yaml.ts';
export {
  type Rule,
  type RuleLevel,
  type RuleSet,
  ruleLevels,
  type UnsupportedRule,
} from './rules/rule.ts';
export {
  type RankedError,
  type ResponseBucket,
  type ServiceGroup,
  type ServiceReport,
  type SlowRequest,
  serviceReport,
  type TimingStatistics,
} from './service-report.ts';
export {
  type BestOfCasesOptions,
  bestOfCases,
  type ContextOfCasesOptions,
  type CursorInCases,
  contextOfCases,
  cursorAt,
  cursorInCase,
  cursorsOfCases,
  hasCursors,
  type ListedInContext,
  type LogOfCase,
  mergeLogs,
  type ScoredCursorInCases,
} from './several-cases.ts';
export { type ExampleCount, type LogExamples, type SuggestedQuery, suggestQuery } from './suggest-query.ts';
