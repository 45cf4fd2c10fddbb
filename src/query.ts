/**
 * The meaning of queries: the logs that they select, what is doubtful about them, and
 * help with writing them. Runs in a browser.
 *
 * @module logquarry/meaning
 */
export type { CountedValue, Suggestion, SuggestionKind } from './assist/complete/candidates.ts';
export {
  type CompleteOptions,
  type Completion,
  complete,
  type WantedValues,
  wantedValues,
} from './assist/complete/complete.ts';
export {
  type ExplainedLevel,
  type ExplainedPart,
  type ExplainOptions,
  type Explanation,
  explain,
  type PartEffect,
} from './assist/explain/explain.ts';
export { explainMatch, type MatchExplanation, type MatchedPart } from './assist/explain/explain-match.ts';
export { type Highlight, highlightMatches } from './assist/explain/highlights.ts';
export { explainLines, explainMatchLines } from './assist/explain/lines.ts';
export { type Engine, type EngineName, engines } from './language/engine.ts';
export { mostFindings } from './language/finding.ts';
export { ruleHeadings, type ValidateOptions, validate } from './lint/validate.ts';
export { type Comparison, compare, type Example } from './logic/compare/compare.ts';
export type { Necessary } from './logic/plan/parameters.ts';
export { type Plan, type PlanOptions, type PlanReason, plan } from './logic/plan/plan.ts';
export { simplify } from './logic/simplify/simplify.ts';
export { analyze, analyzeSpans, type TokenSpan } from './meaning/analyzer/analyze.ts';
export type { DefaultOperator, Reading } from './meaning/clauses.ts';
export { type DateOptions, parseDate } from './meaning/date.ts';
export { describe } from './meaning/describe.ts';
export type { Dialect } from './meaning/dialect.ts';
export { type Document, type FieldValue, type FieldValues, toDocument } from './meaning/document.ts';
export { type Dropped, type Explicit, type ExplicitOptions, explicit } from './meaning/explicit.ts';
export {
  documentedSchema,
  type Field,
  type FieldType,
  logLevels,
  type Schema,
  toSchema,
} from './meaning/fields.ts';
export type {
  BoolFilter,
  DisMaxFilter,
  ExistsFilter,
  Filter,
  FilterBound,
  FuzzyFilter,
  MatchAllFilter,
  MatchNoneFilter,
  PhraseFilter,
  PrefixFilter,
  RangeFilter,
  RegexpFilter,
  TermFilter,
  TermRangeFilter,
  WildcardFilter,
} from './meaning/filter.ts';
export { match, matchDocument } from './meaning/match.ts';
export { type ReadSchema, readSchema } from './meaning/read-schema.ts';
export { expandOver } from './meaning/relevance/expansion.ts';
export { explainScore, type ScorePart, scoreLines } from './meaning/relevance/explain-score.ts';
export { resolveScored, type Scored } from './meaning/relevance/scored.ts';
export { type Counts, countsOf, type Scorer, scoreDocument, toScorer } from './meaning/relevance/scorer.ts';
export {
  type FieldNeeds,
  type FieldStatistics,
  joinStatistics,
  needsOf,
  type Statistics,
  statisticsOf,
} from './meaning/relevance/statistics.ts';
export { type ResolveOptions, resolve } from './meaning/resolve.ts';
export { QueryTooComplex } from './meaning/runnable.ts';
