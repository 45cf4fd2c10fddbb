export type { AskedStretch, Known } from './asked.ts';
export { type BestOfCasesOptions, bestOfCases, type ScoredPlaceInCases } from './best-of-cases.ts';
export { type ContextOfCasesOptions, contextOfCases, type ListedInContext } from './context-of-cases.ts';
export { type Facets, facets } from './facets.ts';
export {
  type Bucket,
  type Histogram,
  type HistogramOptions,
  histogram,
} from './histogram.ts';
export { type LogOfCase, mergeLogs, type PlaceInCases, placeInCase } from './several-cases.ts';
