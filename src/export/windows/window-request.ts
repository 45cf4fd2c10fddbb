import { narrow } from '../../assist/narrow.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { Learnt } from './learnt.ts';
import type { Asking, ExportOrder } from './order.ts';
import { stepOf } from './resolution.ts';
import { type Slice, toFormFilter, toQuery, wholeSlice } from './slice.ts';
import { openStart, type Window } from './window.ts';

/** One window to ask for. */
export interface Wanted {
  readonly window: Window;
  readonly slice: Slice;
}

/**
 * The request for a window. Whether a deployment includes its bounds is not
 * known, so a millisecond more is asked for on both sides, or a second where
 * times are whole seconds, and what came too much is left out by its time.
 */
export function windowRequest(
  order: Pick<ExportOrder, 'windowBy' | 'timeField'>,
  { request }: Asking,
  { window, slice, learnt }: Wanted & { readonly learnt: Learnt },
): ExportRequest {
  if (isFilterForm({ request, slice, learnt })) return filterFormRequest(request, { window, slice, learnt });
  const { oldest, newest } = wireBounds(window, slice, learnt);
  const isOpen = window.oldest <= openStart;
  const clauses = slice.clauses.map(toQuery);
  const sorted = { ...request, sortBy: 'time', sortOrder: slice.order } as const;
  if (!windowInQuery(order, request, learnt)) {
    const searched = clauses.length === 0 ? {} : { searchQuery: narrow(request.searchQuery, clauses) };
    return { ...sorted, ...(!isOpen && { oldest }), newest, ...searched };
  }
  const range = `${order.timeField}:[${isOpen ? '*' : oldest} TO ${newest}]`;
  return { ...sorted, searchQuery: narrow(request.searchQuery, [range, ...clauses]) };
}

/**
 * The request for a few logs at one end of some times. No log beside them may take
 * the place of theirs, so that nothing more is asked for: where bounds are excluded,
 * a millisecond may be missing.
 */
export function probeRequest(
  order: Pick<ExportOrder, 'windowBy' | 'timeField'>,
  asking: Asking,
  {
    window,
    sortOrder,
    learnt,
  }: { readonly window: Window; readonly sortOrder: Slice['order']; readonly learnt: Learnt },
): ExportRequest {
  const slice = { ...wholeSlice, exact: true, order: sortOrder };
  const exactly = { oldestIncluded: 'yes', newestIncluded: 'yes', times: undefined } as const;
  return windowRequest(order, asking, { window, slice, learnt: { ...learnt, ...exactly } });
}

/** Returns whether a slice is asked for by the filter form, because the times beside a query are not heeded and none was given. */
export function isFilterForm({
  request,
  slice,
  learnt,
}: {
  readonly request: ExportRequest;
  readonly slice: Slice;
  readonly learnt: Learnt;
}): boolean {
  return request.searchQuery === undefined && learnt.slices === 'filters' && 0 < slice.clauses.length;
}

function filterFormRequest(
  request: ExportRequest,
  { window, slice, learnt }: Wanted & { readonly learnt: Learnt },
): ExportRequest {
  const filters = slice.clauses.map((clause) => toFormFilter(clause) ?? {});
  const bounds = wireBounds(window, slice, learnt);
  return Object.assign({}, request, { sortBy: 'time', sortOrder: slice.order }, bounds, ...filters);
}

/** Whether the times are asked for in the query, which there has to be. */
export function windowInQuery(
  { windowBy }: Pick<ExportOrder, 'windowBy'>,
  { searchQuery }: ExportRequest,
  learnt: Learnt,
): boolean {
  if (searchQuery === undefined) return false;
  return windowBy === 'query' || (windowBy === 'auto' && learnt.windowBy === 'query');
}

/** The times that are asked for, so that the window is among them whatever the bounds mean and however times are rounded. */
export function wireBounds({ oldest, newest }: Window, { exact }: Slice, learnt: Learnt): Window {
  const step = stepOf(learnt);
  if (step !== 1) return { oldest: oldest - step, newest: newest + step };
  return {
    oldest: exact && learnt.oldestIncluded ? oldest : oldest - 1,
    newest: exact && learnt.newestIncluded ? newest : newest + 1,
  };
}
