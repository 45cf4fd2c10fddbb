import { narrow } from '../../language/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { ObservedBehaviour } from '../decide/observed-behaviour.ts';
import { requestedBounds } from '../decide/observed-behaviour.ts';
import { toClauseQuery, toFormFilter, type WindowSlice, wholeSlice } from '../decide/slice.ts';
import { openStart, type Window } from '../decide/window.ts';
import type { ExportOrder, RequestPlan } from './order.ts';

/** A window to request. */
export interface WindowToRequest {
  readonly window: Window;
  readonly slice: WindowSlice;
}

/**
 * Builds the request of a window. A deployment may exclude its bounds. So the request has a margin of a
 * millisecond on both sides, or of a second where times are whole seconds. Logs in the margin are skipped by
 * their
 * times.
 */
export function windowRequest(
  order: Pick<ExportOrder, 'windowBy' | 'timeField'>,
  { request }: RequestPlan,
  { window, slice, observed }: WindowToRequest & { readonly observed: ObservedBehaviour },
): ExportRequest {
  if (usesFilterForm({ request, slice, observed }))
    return filterFormRequest(request, { window, slice, observed });
  const { oldest, newest } = requestedBounds(window, slice, observed);
  const isOpen = window.oldest <= openStart;
  const clauses = slice.clauses.map(toClauseQuery);
  const sorted = { ...request, sortBy: 'time', sortOrder: slice.order } as const;
  if (!isWindowInQuery(order, request, observed)) {
    const searched = clauses.length === 0 ? {} : { searchQuery: narrow(request.searchQuery, clauses) };
    return { ...sorted, ...(!isOpen && { oldest }), newest, ...searched };
  }
  const range = `${order.timeField}:[${isOpen ? '*' : oldest} TO ${newest}]`;
  return { ...sorted, searchQuery: narrow(request.searchQuery, [range, ...clauses]) };
}

/**
 * Builds the request for a few logs at one end of an interval. It has no margin,
 * since a log beside the interval would take the place of one inside. Where
 * bounds are excluded, a millisecond may be missing.
 */
export function probeRequest(
  order: Pick<ExportOrder, 'windowBy' | 'timeField'>,
  requestPlan: RequestPlan,
  {
    window,
    sortOrder,
    observed,
  }: {
    readonly window: Window;
    readonly sortOrder: WindowSlice['order'];
    readonly observed: ObservedBehaviour;
  },
): ExportRequest {
  const slice = { ...wholeSlice, exact: true, order: sortOrder };
  const exactly = { oldestIncluded: 'yes', newestIncluded: 'yes', times: undefined } as const;
  return windowRequest(order, requestPlan, { window, slice, observed: { ...observed, ...exactly } });
}

/** Returns whether a slice uses the filter form: there is no query, and times beside a query are ignored. */
export function usesFilterForm({
  request,
  slice,
  observed,
}: {
  readonly request: ExportRequest;
  readonly slice: WindowSlice;
  readonly observed: ObservedBehaviour;
}): boolean {
  return request.searchQuery === undefined && observed.slices === 'filters' && 0 < slice.clauses.length;
}

function filterFormRequest(
  request: ExportRequest,
  { window, slice, observed }: WindowToRequest & { readonly observed: ObservedBehaviour },
): ExportRequest {
  const filters = slice.clauses.map((clause) => toFormFilter(clause) ?? {});
  const bounds = requestedBounds(window, slice, observed);
  return Object.assign({}, request, { sortBy: 'time', sortOrder: slice.order }, bounds, ...filters);
}

/** Returns whether the times go into the query, which must exist. */
export function isWindowInQuery(
  { windowBy }: Pick<ExportOrder, 'windowBy'>,
  { searchQuery }: ExportRequest,
  observed: ObservedBehaviour,
): boolean {
  if (searchQuery === undefined) return false;
  return windowBy === 'query' || (windowBy === 'auto' && observed.windowBy === 'query');
}
