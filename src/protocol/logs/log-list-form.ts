import type { ExportRequest } from '../export-request.ts';

/** Path of the query for logs below `{root}` (field notes). The search for logs is at `searchPath`. */
export const queryPath = '/logs/query';

/** The lowest level: a query for it is one for all logs. */
const lowestLevel = 'DEBUG';

/**
 * The form of a query for one page of logs, without the token. `start` counts
 * from 1. Only filters that are set are sent; a level is required, and without
 * one the query is for every level.
 */
export function toLogQueryForm(request: ExportRequest, start = 1): URLSearchParams {
  const filters = {
    startTime: request.newest,
    endTime: request.oldest,
    logCode: request.logCodes.join(','),
    users: request.users,
    requestIDs: request.requestIDs.join(','),
    serviceTypes: request.serviceTypes,
    source: request.source,
  };
  return new URLSearchParams({
    logLevel: request.logLevel ?? lowestLevel,
    ...Object.fromEntries(
      Object.entries(filters).flatMap(([name, value]) =>
        value === undefined || value === '' ? [] : [[name, String(value)]],
      ),
    ),
    ...pageParameters(request),
    start: String(start),
    f: 'json',
  });
}

/** The form of a search for one page of logs, without the token. It takes neither times nor filters but the query. */
export function toLogSearchForm(request: ExportRequest, start?: number): URLSearchParams {
  return new URLSearchParams({
    searchQuery: request.searchQuery ?? '',
    sortBy: request.sortBy,
    sortOrder: request.sortOrder,
    countOnly: 'false',
    ...pageParameters(request),
    ...(start !== undefined && { start: String(start) }),
    f: 'json',
  });
}

function pageParameters({ num, stackTraces }: ExportRequest): Readonly<Record<string, string>> {
  return { showStackTraces: String(stackTraces), num: String(num) };
}
