export { type FilterOptions, filter, filterOver, log, logOver, schema } from './filters.ts';
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
  doubtfulQuery,
  type QueryOptions,
  queryTree,
  validQuery,
} from './query-text.ts';
