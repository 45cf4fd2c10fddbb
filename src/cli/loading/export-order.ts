import { dayAhead, type ExportOrder, openStart, type RequestSettings } from '../../export/index.ts';
import { checkQuery, hasErrors } from '../../language/index.ts';
import { type ExportRequest, maxLogs, newestLogsRequest } from '../../protocol/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { type OptionValues, readTimeRange } from '../command-line/option.ts';
import { reportFindings } from '../input/read-query.ts';
import type { exportSpec } from '../specs/case-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Builds the order of an export; without bounds, all logs. `now` is the time of the deployment. A newest time
 * that was named is requested as it is. Otherwise a day more than the present is: the clocks of the hosts that write
 * logs can be ahead of all others, and the export itself ends what it claims at the present.
 */
export function exportOrderFrom(
  options: OptionValues<(typeof exportSpec)['options']>,
  request: ExportRequest,
  { deployment, now }: { readonly deployment: string; readonly now: number },
): ExportOrder {
  const { via = 'search', windowBy = 'auto', timeField = 'time', cap = maxLogs, logZone } = options;
  const { from, to } = readTimeRange(options, now);
  const { newest: _newest, oldest: _oldest, ...common } = request;
  const newest = to ?? Math.max(now, Date.now()) + dayAhead;
  return {
    deployment,
    request: { ...common, num: cap },
    via,
    windowBy,
    timeField,
    from,
    to,
    newest,
    oldest: from ?? openStart,
    given: now,
    ...(logZone !== undefined && { zone: logZone }),
  };
}

/** Request settings for a resumed export; absent ones stay unchanged. */
export function requestSettingsFrom({
  cap,
  windowBy,
  timeField,
  logZone,
}: OptionValues<(typeof exportSpec)['options']>): RequestSettings {
  return {
    num: cap,
    ...(windowBy !== undefined && { windowBy }),
    ...(timeField !== undefined && { timeField }),
    ...(logZone !== undefined && { zone: logZone }),
  };
}

type Options = OptionValues<(typeof exportSpec)['options']>;

/** Builds the request of an export. Reports findings of its query; returns `refused` if it has errors. */
export function exportRequestFrom(options: Options, terminal: Terminal): ExportRequest | 'refused' {
  const { search } = options;
  const filters = filterParametersFrom(options);
  const order = sortingOf(options);
  if (search !== undefined && !isSound(search, terminal) && !options.force) return 'refused';
  return {
    ...newestLogsRequest,
    ...filters,
    num: options.num ?? newestLogsRequest.num,
    stackTraces: !options.withoutStackTraces,
    ...order,
    ...(search !== undefined && { searchQuery: search }),
  };
}

/** Sort order of an export; only the search form has one (section 4.2.1 of the interface document). */
function sortingOf({
  num,
  sortBy,
  sortOrder,
}: Options): Partial<Pick<ExportRequest, 'sortBy' | 'sortOrder'>> {
  if (num === undefined && (sortBy ?? sortOrder) !== undefined) {
    const flag = sortBy === undefined ? '--sort-order' : '--sort-by';
    throw new UsageError(`${flag} requires --num N: an export of all logs has no order`);
  }
  if (sortBy === 'bestMatch' && sortOrder !== undefined) {
    throw new UsageError('--sort-order has no effect with --sort-by bestMatch, which returns the best first');
  }
  return { ...(sortBy && { sortBy }), ...(sortOrder && { sortOrder }) };
}

/** Options with structured filters. */
type FilterOptions = Pick<
  Options,
  'from' | 'to' | 'zone' | 'logLevel' | 'logCode' | 'users' | 'requestIds' | 'serviceTypes' | 'source'
>;

/** Builds structured filters from options. */
export function filterParametersFrom(options: FilterOptions): Partial<ExportRequest> {
  const { logLevel, users, serviceTypes, source } = options;
  return {
    logCodes: options.logCode.map(toLogCode),
    requestIDs: options.requestIds,
    ...requestTimes(options, Date.now()),
    ...(logLevel !== undefined && { logLevel: logLevel.toUpperCase() }),
    ...(users !== undefined && { users }),
    ...(serviceTypes !== undefined && { serviceTypes }),
    ...(source !== undefined && { source }),
  };
}

/** Time bounds of an export, if given, with "now" at a given time: milliseconds since the epoch. */
export function requestTimes(
  options: Pick<Options, 'from' | 'to' | 'zone'>,
  now: number,
): Pick<ExportRequest, 'newest' | 'oldest'> {
  const { from, to } = readTimeRange(options, now, { endsNow: true });
  return { ...(to !== undefined && { newest: to }), ...(from !== undefined && { oldest: from }) };
}

/** Reports the findings of a query; true if the server would accept it. */
function isSound(query: string, terminal: Terminal): boolean {
  const { findings } = checkQuery(query);
  reportFindings({ text: query }, findings, terminal);
  return !hasErrors(findings);
}

function toLogCode(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--log-code must be whole numbers separated by commas, got "${text}"`);
}
