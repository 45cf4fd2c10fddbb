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

// A case at a glance, and what changed in it.
export type { Change, CoverageGap, RequestedInterval } from './analysis/index.ts';
// Several cases as one: logs in one order, by relevance, or with context.
// Sigma rules.
// Patterns of messages, and differences of two selections.
// Counts.
// Requests, services and users.
// Queries: one from examples, and why one selects few logs.
export {
  assembleReport,
  type BestOfCasesOptions,
  type Bucket,
  bestOfCases,
  type ContextOfCasesOptions,
  type CursorInCases,
  compileRules,
  contextOfCases,
  type DescribedPattern,
  type Detection,
  type Detections,
  type Difference,
  describePattern,
  detect,
  explainPoorResult,
  type Facets,
  type FoundDifferences,
  type FoundLatencyShifts,
  type FoundPatterns,
  type FoundSessions,
  type FoundSilences,
  facets,
  findDifferences,
  findLatencyShifts,
  findPatterns,
  findSessions,
  findSilences,
  findUpgrades,
  type Headline,
  type Histogram,
  type HistogramOptions,
  headlines,
  histogram,
  type Investigation,
  type InvestigationProgress,
  investigate,
  type KnownUpgrade,
  type LatencyShift,
  type ListedInContext,
  type LogExamples,
  type LogOfCase,
  type LogSelection,
  type Lull,
  type MessagePattern,
  mergeLogs,
  type Overview,
  overview,
  type PatternProgress,
  type PoorResult,
  type QueryPart,
  queryParts,
  type RankedRequest,
  type Report,
  type ReportOptions,
  type Rule,
  type RuleFile,
  type RuleMapping,
  RuleRefusal,
  type RuleSet,
  rankRequests,
  readMapping,
  requestFilter,
  type ScoredCursorInCases,
  type ServiceGroup,
  type ServiceReport,
  type Silence,
  type SuggestedQuery,
  serviceReport,
  suggestQuery,
  type TracedLog,
  traceRequest,
  type UnsupportedRule,
  type UserSession,
} from './analysis/index.ts';
export { parseTimeZone, type TimeZone } from './records/index.ts';
