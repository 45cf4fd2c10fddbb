export { edgeBounds, edgeNumberText, edgeNumberTexts, edgeRange, edgeValues } from './edge-numbers.ts';
export {
  type FilterOptions,
  filter,
  filterOver,
  keywordSchema,
  keywords,
  log,
  logOver,
  schema,
  smallSchema,
  textValue,
  words,
} from './filters.ts';
export {
  formatsSafely,
  type PrintingParser,
  roundTrips,
  type Selection,
  sameSelection,
} from './properties.ts';
export {
  anyText,
  brokenQuery,
  documentedQuery,
  doubtfulQuery,
  luceneQuery,
  nearQuery,
  type QueryOptions,
  queryTree,
  validQuery,
} from './query-text.ts';
