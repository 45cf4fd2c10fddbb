export { analyze, analyzeSpans, type TokenSpan } from './analyzer/analyze.ts';
export { asciiWords } from './analyzer/ascii-words.ts';
export { lowerCase } from './analyzer/lower-case.ts';
export type { CountedValue, Suggestion, SuggestionKind } from './assist/candidates.ts';
export {
  type CompleteOptions,
  type Completion,
  complete,
  type WantedValues,
  wantedValues,
} from './assist/complete.ts';
export {
  type ExplainedLevel,
  type ExplainedPart,
  type ExplainOptions,
  type Explanation,
  explain,
  type PartEffect,
} from './assist/explain.ts';
export { explainMatch, type MatchExplanation, type MatchedPart } from './assist/explain-match.ts';
export { type Highlight, highlightMatches } from './assist/highlights.ts';
export { explainLines, explainMatchLines } from './assist/lines.ts';
export { filterOfText, narrow } from './assist/narrow.ts';
export { compileRegexp } from './automata/compile-regexp.ts';
export { wildcardParts } from './automata/wildcard.ts';
export { type CheckedQuery, checkQuery, hasErrors, offlineOptions } from './lint/check-query.ts';
export { clauseLimit, countClauses } from './lint/clause-limit.ts';
export { type AppliedFix, fixQuery } from './lint/fix-query.ts';
export { bySeverity, severities } from './lint/rank-findings.ts';
export { refusedPatternsIn } from './lint/refused-patterns.ts';
export { isRefusedToken } from './lint/refused-token.ts';
export { ruleHeadings, type ValidateOptions, validate } from './lint/validate.ts';
export { type Comparison, compare, type Example } from './logic/compare.ts';
export { filterKey } from './logic/filter-key.ts';
export type { Necessary } from './logic/parameters.ts';
export { type Plan, type PlanOptions, type PlanReason, plan } from './logic/plan.ts';
export { simplify } from './logic/simplify.ts';
export { parseFieldNumber, parseInteger } from './meaning/bounds.ts';
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
export {
  type BoolFilter,
  boolFilter,
  type DisMaxFilter,
  disMaxFilter,
  type ExistsFilter,
  type Filter,
  type FilterBound,
  type FuzzyFilter,
  type MatchAllFilter,
  type MatchNoneFilter,
  matchAllFilter,
  matchNoneFilter,
  type PhraseFilter,
  type PrefixFilter,
  type RangeFilter,
  type RegexpFilter,
  type TermFilter,
  type TermRangeFilter,
  type WildcardFilter,
} from './meaning/filter.ts';
export { isInRange, isInTermRange, match, matchDocument } from './meaning/match.ts';
export { nearestWords } from './meaning/nearest.ts';
export { type NumberValue, toNumberValue } from './meaning/number-value.ts';
export { type ReadSchema, readSchema } from './meaning/read-schema.ts';
export { type ResolveOptions, resolve } from './meaning/resolve.ts';
export { assertRunnable, complexityOf, QueryTooComplex } from './meaning/runnable.ts';
export { type TermPattern, termTest } from './meaning/term-test.ts';
export { type Engine, type EngineName, engines } from './parse/engine.ts';
export { withoutEscapes } from './parse/escape.ts';
export { applyFix, type Edit, type Finding, type Fix, mostFindings, type Severity } from './parse/finding.ts';
export { type FormatOptions, format } from './parse/format.ts';
export { lex } from './parse/lex.ts';
export { type Parsed, parse } from './parse/parse.ts';
export { print } from './parse/print.ts';
export { isPlainValue, quote } from './parse/quote.ts';
export { type CheckedText, type SarifLog, type SarifOptions, toSarif } from './parse/sarif.ts';
export { type SyntaxCode, syntaxCodes } from './parse/syntax.ts';
export { maxDepth, type Token, type TokenKind } from './parse/token.ts';
export type {
  Bound,
  Clause,
  FieldName,
  Group,
  Item,
  Kind,
  Missing,
  Node,
  NodeOf,
  Part,
  Phrase,
  Query,
  Range,
  Regexp,
  Span,
  Stray,
  Wildcard,
  Word,
} from './parse/tree.ts';
export { type Child, children, tokensOf, type Visitor, walk } from './parse/walk.ts';
export { expandOver, limitedFuzzy, nearestTerms, withExpansions } from './relevance/expansion.ts';
export { explainScore, type ScorePart, scoreLines } from './relevance/explain-score.ts';
export { frequencyOf } from './relevance/frequency.ts';
export { fromLengthByte, toLengthByte } from './relevance/length-byte.ts';
export type { CountedLeaf, CountedNode, ScoreLeaf, ScoreNode, SumNode } from './relevance/score-tree.ts';
export { resolveScored, type Scored, withoutProhibited } from './relevance/scored.ts';
export { type Counts, countsOf, type Scorer, scoreDocument, toScorer } from './relevance/scorer.ts';
export {
  type FieldNeeds,
  type FieldStatistics,
  joinStatistics,
  needsOf,
  type Statistics,
  statisticsOf,
} from './relevance/statistics.ts';
export { noTime, toClickhouse } from './translate/clickhouse.ts';
export { type ParameterisedSql, packParameters } from './translate/clickhouse-packing.ts';
export { type ClickhouseParameter, textLiteral, toParameter } from './translate/clickhouse-parameter.ts';
export { lambdaSettings, termPatternCondition } from './translate/clickhouse-pattern.ts';
export { problemOfReading } from './translate/clickhouse-reading.ts';
export { toClickhouseStatement } from './translate/clickhouse-statement.ts';
export { skipped, unescaped, word } from './translate/clickhouse-tokens.ts';
export {
  type ColumnTest,
  type DuckdbCondition,
  type DuckdbOptions,
  type SqlParameter,
  termCondition,
  toDuckdb,
} from './translate/duckdb.ts';
export { type DuckdbStatement, toDuckdbStatement } from './translate/duckdb-statement.ts';
export { wordsSql } from './translate/duckdb-words.ts';
export { toElasticsearch } from './translate/elasticsearch.ts';
export { toText } from './translate/text.ts';
export type { TranslationLoss } from './translate/translation-loss.ts';
