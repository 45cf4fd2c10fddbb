export type { AskedStretch, Known } from './asked.ts';
export { type BestOfCasesOptions, bestOfCases, type ScoredPlaceInCases } from './best-of-cases.ts';
export { type ContextOfCasesOptions, contextOfCases, type ListedInContext } from './context-of-cases.ts';
export {
  comparedFields,
  type Difference,
  type DifferenceGroup,
  type FindDifferencesOptions,
  type FoundDifferences,
  findDifferences,
  type LogSelection,
} from './differences/find-differences.ts';
export { type Facets, facets } from './facets.ts';
export {
  type Bucket,
  type Histogram,
  type HistogramOptions,
  histogram,
  type ValueInBucket,
} from './histogram.ts';
export {
  type CountedValue as PatternValue,
  type FindPatternsOptions,
  type FoundPatterns,
  findPatterns,
  type MessagePattern,
} from './message-patterns/find-patterns.ts';
export { maskMessage } from './message-patterns/mask-message.ts';
export { patternQuery } from './message-patterns/pattern-query.ts';
export { type LogOfCase, mergeLogs, type PlaceInCases, placeInCase } from './several-cases.ts';
