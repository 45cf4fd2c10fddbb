export {
  type CompleteOptions,
  type Completion,
  type CountedValue,
  complete,
  type Suggestion,
  type SuggestionKind,
  type WantedValues,
  wantedValues,
} from './assist/complete.ts';
export {
  type ExplainedLevel,
  type ExplainedPart,
  type ExplainOptions,
  type Explanation,
  effectLabel,
  explain,
  explainLines,
  explainMatch,
  explainMatchLines,
  type Highlight,
  highlightMatches,
  type MatchExplanation,
  type MatchedPart,
  type PartEffect,
} from './assist/explain.ts';
export {
  type CodeAction,
  type HighlightedToken,
  type Hover,
  type LanguageService,
  languageService,
  type ServiceOptions,
  type TokenLook,
} from './assist/service.ts';
export type { Automaton } from './automata/automaton.ts';
export { compileNetwork } from './automata/network.ts';
export { compileRegexp } from './automata/regexp.ts';
export {
  type AppliedFix,
  bySeverity,
  type CheckedQuery,
  checkQuery,
  type FixedQuery,
  fixQuery,
  hasErrors,
  offlineOptions,
  severities,
} from './lint/check-query.ts';
export { isRefusedToken, refusedPatternsIn } from './lint/refused.ts';
export { clauseLimit, countClauses } from './lint/too-many-clauses.ts';
export { ruleHeadings, type ValidateOptions, validate } from './lint/validate.ts';
export {
  type Comparison,
  compare,
  type Example,
} from './logic/compare.ts';
export { type Necessary, type Plan, type PlanOptions, type PlanReason, plan } from './logic/plan.ts';
export { type Relation, type RelationExamples, relate } from './logic/relate.ts';
export { simplify } from './logic/simplify.ts';
export { analyze, analyzeSpans, asciiWords, lowerCase, type TokenSpan } from './meaning/analyze.ts';
export { describe } from './meaning/describe.ts';
export {
  type Dropped,
  type Explicit,
  type ExplicitOptions,
  explicit,
  filterOfText,
  narrow,
} from './meaning/explicit.ts';
export {
  type BoolFilter,
  boolFilter,
  type DisMaxFilter,
  disMaxFilter,
  type ExistsFilter,
  type FieldReferenceFilter,
  type Filter,
  type FilterBound,
  type FuzzyFilter,
  filterKey,
  type MatchAllFilter,
  type MatchNoneFilter,
  matchAllFilter,
  matchNoneFilter,
  type NetworkFilter,
  type PhraseFilter,
  type PrefixFilter,
  type RangeFilter,
  type RegexpFilter,
  type TermFilter,
  type TermRangeFilter,
  type TimePart,
  type TimePartFilter,
  timeParts,
  type WildcardFilter,
} from './meaning/filter.ts';
export {
  assertRunnable,
  complexityOf,
  type Document,
  type FieldValue,
  type FieldValues,
  isInRange,
  isInTermRange,
  match,
  matchDocument,
  QueryTooComplex,
  type TermPattern,
  termTest,
  toDocument,
} from './meaning/match.ts';
export { nearestWords } from './meaning/nearest.ts';
export { type DefaultOperator, type Reading, type ResolveOptions, resolve } from './meaning/resolve.ts';
export {
  type Dialect,
  documentedSchema,
  type Field,
  type FieldType,
  logLevels,
  type ReadSchema,
  readSchema,
  type Schema,
  toSchema,
} from './meaning/schema.ts';
export {
  type CountedLeaf,
  type CountedNode,
  type Counts,
  countsOf,
  explainScore,
  type FieldNeeds,
  type FieldStatistics,
  frequencyOf,
  fromLengthByte,
  joinStatistics,
  needsOf,
  type ScoreLeaf,
  type ScoreNode,
  type ScorePart,
  type Scorer,
  type Statistics,
  type SumNode,
  scoreDocument,
  scoreLines,
  statisticsOf,
  toLengthByte,
  toScorer,
} from './meaning/score.ts';
export {
  expandOver,
  limitedFuzzy,
  nearestTerms,
  resolveScored,
  type Scored,
  withExpansions,
  withoutProhibited,
} from './meaning/scored.ts';
export { termAutomaton } from './meaning/term-automaton.ts';
export {
  type DateOptions,
  type NumberValue,
  parseDate,
  parseFieldNumber,
  parseInteger,
  toNumberValue,
} from './meaning/values.ts';
export {
  and,
  type BoundValue,
  boost,
  clause,
  field,
  group,
  not,
  type Operand,
  or,
  phrase,
  type RangeOptions,
  range,
  regexp,
  wildcard,
  word,
} from './parse/build.ts';
export { type Engine, type EngineName, engineNames, engines } from './parse/engine.ts';
export { applyFix, type Edit, type Finding, type Fix, mostFindings, type Severity } from './parse/finding.ts';
export { type FormatOptions, format } from './parse/format.ts';
export { isPlainValue, lex, quote, withoutEscapes } from './parse/lex.ts';
export { type Parsed, parse } from './parse/parse.ts';
export { type CheckedText, type SarifLog, type SarifOptions, toSarif } from './parse/sarif.ts';
export { type SyntaxCode, syntaxCodes } from './parse/syntax.ts';
export {
  type Bound,
  type Child,
  type Clause,
  children,
  type FieldName,
  type Group,
  type Item,
  type Kind,
  type Missing,
  maxDepth,
  type Node,
  type NodeOf,
  type Part,
  type Phrase,
  print,
  type Query,
  type Range,
  type Regexp,
  type Span,
  type Stray,
  type Token,
  type TokenKind,
  tokensOf,
  type Visitor,
  type Wildcard,
  type Word,
  walk,
} from './parse/tree.ts';
export {
  type Answer,
  type EditingVisitor,
  type NodePosition,
  type Replacement,
  remove,
  skip,
  stop,
  type Visit,
  visit,
} from './parse/visit.ts';
export {
  type ClickhouseCondition,
  type ClickhouseParameter,
  lambdaSettings,
  noTime,
  type ParameterisedSql,
  packParameters,
  problemOfReading,
  skipped,
  sqlWord,
  termPatternCondition,
  textLiteral,
  toClickhouse,
  toClickhouseStatement,
  toParameter,
  unescaped,
} from './translate/clickhouse.ts';
export {
  type ColumnTest,
  type DuckdbCondition,
  type DuckdbOptions,
  type DuckdbStatement,
  type SqlParameter,
  termCondition,
  toDuckdb,
  toDuckdbStatement,
  wordsSql,
} from './translate/duckdb.ts';
export {
  type ElasticsearchQuery,
  type ElasticsearchTranslation,
  toElasticsearch,
} from './translate/elasticsearch.ts';
export { type TextOptions, type TextTranslation, toText } from './translate/text.ts';
export type { TranslationLoss } from './translate/translation-loss.ts';
