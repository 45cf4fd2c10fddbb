import * as v from 'valibot';
import { expandFuzzy, type RequestedInterval } from '../analysis/index.ts';
import { readCoverageOf } from '../export/index.ts';
import {
  boolFilter,
  checkQuery,
  documentedSchema,
  type Filter,
  hasErrors,
  matchAllFilter,
  offlineOptions,
  resolveScored,
} from '../language/index.ts';
import { logFields } from '../records/index.ts';
import { type OpenedCases, PageRefusal } from './call-context.ts';

/** Times are milliseconds since the epoch, within the range of `Date`. */
const time = v.pipe(v.number(), v.integer(), v.minValue(-8.64e15), v.maxValue(8.64e15));

/** An interval of time, both ends included. */
export const interval = v.object({ from: v.optional(time), to: v.optional(time) });

/** The logs that a view shows: those of a query within an interval. */
export const selection = v.object({
  /** A query in the search language; empty for all logs. */
  query: v.pipe(v.string(), v.maxLength(100_000)),
  ...interval.entries,
  /** The time of `now` in the query, milliseconds since the epoch. */
  now: time,
});

/** Values of `selection`. */
export type Selection = v.InferOutput<typeof selection>;

/** The name of a field of a log. */
export const logField = v.picklist(logFields);

/** Returns the filter of a selection on the open cases. Throws a `PageRefusal` if the query has errors. */
export async function filterOf(selected: Selection, { logs }: OpenedCases): Promise<Filter> {
  const { now } = selected;
  const text = selected.query.trim() === '' ? '*:*' : selected.query;
  const { query, findings } = checkQuery(text, { ...offlineOptions, now });
  if (hasErrors(findings)) throw new PageRefusal(findings[0]?.message ?? 'The query has errors');
  const { filter } = await expandFuzzy(logs, resolveScored(query, { now }));
  return withinInterval(filter, selected);
}

/** Restricts a filter to an interval, both ends included. */
export function withinInterval(filter: Filter, { from, to }: v.InferOutput<typeof interval>): Filter {
  const field = documentedSchema.fields.get('time');
  if (!field || (from === undefined && to === undefined)) return filter;
  const range: Filter = {
    kind: 'range',
    field,
    ...(from !== undefined && { lower: { value: from, inclusive: true } }),
    ...(to !== undefined && { upper: { value: to, inclusive: true } }),
  };
  return filter === matchAllFilter ? range : boolFilter({ must: [filter, range] });
}

/** Returns the intervals that the exports of sources requested; empty without an export. */
export async function requestedOf({
  logs,
}: Pick<OpenedCases, 'logs'>): Promise<readonly RequestedInterval[]> {
  const all = await Promise.all(logs.map(readCoverageOf));
  return all.flat().flatMap(({ covered }) => covered);
}
