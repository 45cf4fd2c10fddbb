import { filterOf } from '../../assist/narrow.ts';
import type { Necessary } from '../../logic/plan/parameters.ts';
import { type Plan, plan } from '../../logic/plan/plan.ts';
import type { Filter } from '../../meaning/filter.ts';
import { type ExportRequest, fromExportForm, toExportForm } from '../../protocol/index.ts';
import type { StoredExport } from '../../store/index.ts';
import type { Window } from './window.ts';

/** How a search is combined with a window. */
export const windowWays = ['auto', 'parameters', 'query'] as const;

/** Who filters by a query. */
export const searchWays = ['search', 'query'] as const;

/** What is wanted of a deployment, whatever the number of calls that it takes. */
export interface ExportOrder extends Window {
  /** The address of the administrative interface. */
  readonly deployment: string;
  /** What all calls have in common. `num` is the most that one call returns; its times are not used. */
  readonly request: ExportRequest;
  /**
   * `search`: the deployment filters by the query. `query`: it filters by what
   * the structured filters can say of it, and the rest is filtered here.
   */
  readonly via: (typeof searchWays)[number];
  /**
   * How a window is asked for beside a query: by the parameters for times, by a
   * range in the query, or by the parameters until a reply shows that they are
   * not heeded.
   */
  readonly windowBy: (typeof windowWays)[number];
  /** The name that the field of the time has in the search language. */
  readonly timeField: string;
  /** The zone of times that name none, as "+02:00" or "Europe/Berlin". Default UTC. */
  readonly zone?: string | undefined;
  /** The bounds as they were asked for, absent where they were left to this program. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** When it was given, which times like `now` in its query refer to: milliseconds since the epoch. */
  readonly given: number;
}

/** An order as the case keeps it. */
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

/** The order that an export of a case goes by. */
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
    via: searchWays.find((each) => each === via) ?? 'search',
    windowBy: windowWays.find((each) => each === windowBy) ?? 'auto',
    timeField,
    ...(zone !== '' && { zone }),
    ...(from !== '' && { from: Number(from) }),
    ...(to !== '' && { to: Number(to) }),
    oldest,
    newest,
    given: started,
  };
}

/** Whether two orders are for the same logs, times aside. */
export function asksTheSame(a: ExportOrder, b: ExportOrder): boolean {
  const wanted = ({ deployment, via, request }: ExportOrder) => {
    const form = toExportForm({ ...request, num: 1 });
    return JSON.stringify([deployment, request.searchQuery === undefined || via, form.toString()]);
  };
  return wanted(a) === wanted(b);
}

/** What the structured filters can say of the query of an order; undefined when the deployment filters by it, or there is none. */
export function structuredPlan({ request, via, given }: ExportOrder): Plan | undefined {
  if (via === 'search' || request.searchQuery === undefined) return undefined;
  return plan(filterOf(request.searchQuery, { now: given }));
}

/** How the calls of an order ask, and what the logs that come are to be filtered by here. */
export interface Asking {
  readonly request: ExportRequest;
  readonly residual: Filter | undefined;
}

/** How the calls of an order ask. */
export function askingOf(order: ExportOrder): Asking {
  const structured = structuredPlan(order);
  const { searchQuery, ...request } = order.request;
  if (!structured || searchQuery === undefined) return { request: order.request, residual: undefined };
  return {
    request: structuredRequest(request, structured.necessary),
    // The whole query: what the order asks for by itself takes the place of what the plan would ask for.
    residual: filterOf(searchQuery, { now: order.given }),
  };
}

const severity = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'];

/** Both what was asked for and what the query needs; a search is for logs of any level. */
function structuredRequest(request: ExportRequest, necessary: Necessary): ExportRequest {
  const levels = [request.logLevel, necessary.logLevel].filter((level) => level !== undefined);
  const logLevel = levels.sort((a, b) => severity.indexOf(a) - severity.indexOf(b))[0] ?? 'DEBUG';
  // Texts are searched for words, so that the query implies no whole value of a user, a source or the like.
  const { logCodes } = necessary;
  return { ...request, logLevel, ...(request.logCodes.length === 0 && logCodes && { logCodes }) };
}
