import type { ExportRequest } from '../export-request.ts';

/** Path of the query for logs below `{root}` (field notes). The search for logs is at `searchPath`. */
export const queryPath = '/logs/query';

/** The lowest level: selects all logs. */
const lowestLevel = 'DEBUG';

/**
 * Writes the form of a query for one page of logs, without the token. `start` counts from 1. Only filters with
 * a value are sent. A level is required: the default selects every level.
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

/** Writes the form of a search for one page of logs, without the token. Its only filter is the query. */
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
