export { mostFindings } from '../language/finding.ts';
export { analyze, analyzeSpans, type TokenSpan } from './analyzer/analyze.ts';
export type { DefaultOperator, Reading } from './clauses.ts';
export { type Comparison, compare, type Example } from './compare/compare.ts';
export type { CountedValue, Suggestion, SuggestionKind } from './complete/candidates.ts';
export {
  type CompleteOptions,
  type Completion,
  complete,
  type WantedValues,
  wantedValues,
} from './complete/complete.ts';
export { type DateOptions, parseDate } from './date.ts';
export type { Dialect } from './dialect.ts';
export { type Document, type FieldValue, type FieldValues, toDocument } from './document.ts';
export { type Engine, type EngineName, engines } from './engine.ts';
export { describe } from './explain/describe.ts';
export {
  type ExplainedLevel,
  type ExplainedPart,
  type ExplainOptions,
  type Explanation,
  explain,
  type Taken,
} from './explain/explain.ts';
export { explainMatch, type MatchExplanation, type MatchedPart } from './explain/explain-match.ts';
export { type Highlight, highlights } from './explain/highlights.ts';
export { explainLines, explainMatchLines } from './explain/lines.ts';
export { type Dropped, type Explicit, type ExplicitOptions, explicit } from './explicit.ts';
export { documentedSchema, type Field, type FieldType, logLevels, type Schema, toSchema } from './fields.ts';
export type * from './filter.ts';
export { match, matchDocument } from './match.ts';
export { expandOver } from './pattern/expansion.ts';
export { QueryTooComplex } from './pattern/runnable.ts';
export type { Necessary } from './plan/parameters.ts';
export { type Plan, type PlanOptions, type PlanReason, plan } from './plan/plan.ts';
export { type ReadSchema, readSchema } from './read-schema.ts';
export { explainScore, type ScorePart, scoreLines } from './relevance/explain-score.ts';
export { resolveScored, type Scored } from './relevance/scored.ts';
export { type Counts, countsOf, type Scorer, scoreDocument, toScorer } from './relevance/scorer.ts';
export {
  type FieldNeeds,
  type FieldStatistics,
  joinStatistics,
  needsOf,
  type Statistics,
  statisticsOf,
} from './relevance/statistics.ts';
export { type ResolveOptions, resolve } from './resolve.ts';
export { simplify } from './simplify/simplify.ts';
export { ruleHeadings, type ValidateOptions, validate } from './validate.ts';
