/**
 * Random queries, filters, logs and schemas for property-based tests with fast-check, and properties that
 * another implementation of the language can be held to.
 *
 * @module logquarry/testing
 */

export {
  anyText,
  brokenQuery,
  doubtfulQuery,
  type FilterOptions,
  filter,
  filterOver,
  formatsSafely,
  log,
  logOver,
  type PrintingParser,
  type QueryOptions,
  queryTree,
  roundTrips,
  type Selection,
  sameSelection,
  schema,
  validQuery,
} from './testing/index.ts';
