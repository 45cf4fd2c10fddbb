import type { StoredExport } from '../../case/index.ts';
import { type Filter, filterOfText, type Necessary, narrow, type Plan, plan } from '../../language/index.ts';
import { type ExportRequest, fromExportForm, toExportForm } from '../../protocol/index.ts';
import { type ObservedBehaviour, requestedBounds } from '../decide/observed-behaviour.ts';
import {
  earliestCut,
  openStart,
  toClauseQuery,
  toFormFilter,
  type Window,
  type WindowSlice,
  wholeSlice,
} from '../decide/window.ts';

/** Ways to combine a search with a window. */
export const windowWays = ['auto', 'parameters', 'query'] as const;

/** Ways to filter by a query. */
export const searchWays = ['search', 'query'] as const;

/** The logs wanted from a deployment, by any number of calls. */
export interface ExportOrder extends Window {
  /** The administrative base address. */
  readonly deployment: string;
  /** Common part of all calls. `num` is the maximum number of logs per call; its times are unused. */
  readonly request: ExportRequest;
  /**
   * `search`: the deployment filters by the query. `query`: it filters by what the
   * structured filters can express, and the rest is filtered here.
   */
  readonly via: (typeof searchWays)[number];
  /**
   * Form of a window beside a query: time parameters, a range in the query, or
   * parameters until a reply shows that they are ignored.
   */
  readonly windowBy: (typeof windowWays)[number];
  /** Name of the time field in the search language. */
  readonly timeField: string;
  /** Zone of times that name none, as "+02:00" or "Europe/Berlin". Default UTC. */
  readonly zone?: string | undefined;
  /** Bounds as the user gave them; absent where they were left open. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Reference time of relative times in the query, as `now`: milliseconds since the epoch. */
  readonly given: number;
}

/** Converts an order to its stored form. */
export function toStoredExport(order: ExportOrder, number: number): StoredExport {
  const { deployment, request, via, windowBy, timeField, zone = '', from, to, oldest, newest, given } = order;
  return {
    export: number,
    deployment,
    request: Object.fromEntries(toExportForm(request)),
    settings: { via, windowBy, timeField, zone, from: String(from ?? ''), to: String(to ?? '') },
    oldest,
    newest,
    learnt: {},
    started: given,
  };
}

/** Reads the order of a stored export. */
export function toOrder({
  deployment,
  request,
  settings,
  oldest,
  newest,
  started,
}: StoredExport): ExportOrder {
  const { via, windowBy, timeField = 'time', zone = '', from = '', to = '' } = settings;
  return {
    deployment,
    request: fromExportForm(new URLSearchParams(request)).request,
    via: searchWays.find((way) => way === via) ?? 'search',
    windowBy: windowWays.find((way) => way === windowBy) ?? 'auto',
    timeField,
    ...(zone !== '' && { zone }),
    ...(from !== '' && { from: Number(from) }),
    ...(to !== '' && { to: Number(to) }),
    oldest,
    newest,
    given: started,
  };
}

/** Returns whether two orders select the same logs, times aside. */
export function isSameRequest(a: ExportOrder, b: ExportOrder): boolean {
  const keyOf = ({ deployment, via, request }: ExportOrder) => {
    const form = toExportForm({ ...request, num: 1 });
    return JSON.stringify([deployment, request.searchQuery === undefined || via, form.toString()]);
  };
  return keyOf(a) === keyOf(b);
}

/**
 * Returns the part of the query that structured filters can express. Undefined
 * without a query, or when the deployment filters by it.
 */
export function planStructuredFilters({ request, via, given }: ExportOrder): Plan | undefined {
  if (via === 'search' || request.searchQuery === undefined) return undefined;
  return plan(filterOfText(request.searchQuery, { now: given }));
}

/** The request of all calls, and the filter applied to their logs here. */
export interface RequestPlan {
  readonly request: ExportRequest;
  readonly residual: Filter | undefined;
}

/** Plans the request and the local filter of an order. */
export function toRequestPlan(order: ExportOrder): RequestPlan {
  const structured = planStructuredFilters(order);
  const { searchQuery, ...request } = order.request;
  if (!structured || searchQuery === undefined) return { request: order.request, residual: undefined };
  return {
    request: structuredRequest(request, structured.necessary),
    // The whole query: filters of the order replace those that the plan would add.
    residual: filterOfText(searchQuery, { now: order.given }),
  };
}

const severity = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'];

/** Combines the filters of the order with those that the query implies; a search covers logs of any level. */
function structuredRequest(request: ExportRequest, necessary: Necessary): ExportRequest {
  const levels = [request.logLevel, necessary.logLevel].filter((level) => level !== undefined);
  const logLevel = levels.sort((a, b) => severity.indexOf(a) - severity.indexOf(b))[0] ?? 'DEBUG';
  // Texts are searched by words, so the query implies no whole value of a user or a source.
  const { logCodes } = necessary;
  return { ...request, logLevel, ...(request.logCodes.length === 0 && logCodes && { logCodes }) };
}

/**
 * Settings that change how an export is requested, but not which logs it
 * selects. A later run may change them; absent members stay as they are.
 */
export interface RequestSettings extends Partial<Pick<ExportOrder, 'windowBy' | 'timeField' | 'zone'>> {
  /** Maximum number of logs per call. */
  readonly num?: number | undefined;
}

/** Applies request settings to an order. */
export function withRequestSettings(
  order: ExportOrder,
  { num = order.request.num, ...ways }: RequestSettings,
): ExportOrder {
  return { ...order, ...ways, request: { ...order.request, num } };
}

/** The request settings of an order. */
export function requestSettingsOf({
  windowBy,
  timeField,
  zone,
  request: { num },
}: ExportOrder): RequestSettings {
  return { windowBy, timeField, num, ...(zone !== undefined && { zone }) };
}

/** A window to request. */
interface WindowToRequest {
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
  // An open range is no documented form, and no log is older than the epoch.
  const range = `${order.timeField}:[${isOpen ? earliestCut : oldest} TO ${newest}]`;
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

/** Failures of an export that are not failures of a call. The codes are stable. */
export const exportErrorCodes = {
  STILL_RUNNING: 'The job has not ended in the time allowed; it goes on',
  NOTHING_TO_RESUME: 'The case holds no export that is not finished',
  DAMAGED_ZIP: 'The zip cannot be read, however often it is downloaded',
  INCOMPLETE_REPLY: 'A reply lacks logs that are known to be there',
  WINDOW_IGNORED: 'The deployment returns logs of other times than were asked for',
  PROBE_FAILED: 'A call that was to find out something brought nothing',
} as const;

export type ExportErrorCode = keyof typeof exportErrorCodes;

/** An export failed. Branch on `code`, which is stable; show `message`, which is not. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly code: ExportErrorCode;

  constructor(code: ExportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
