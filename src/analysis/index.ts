export type { AskedStretch, Known } from './asked.ts';
export { type Facets, facets } from './facets.ts';
export {
  type Bucket,
  type Histogram,
  type HistogramOptions,
  histogram,
  type ValueInBucket,
} from './histogram.ts';
export { type LogOfCase, mergeLogs, type PlaceInCases, placeInCase } from './several-cases.ts';
