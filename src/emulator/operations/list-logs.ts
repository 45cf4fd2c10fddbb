import { logLevels } from '../../language/index.ts';
import {
  defaultLogs,
  introducedIn,
  queryPath,
  searchPath,
  sortKeys,
  sortOrders,
} from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import { currentLogLevel } from '../site/log-level.ts';
import { type Answer, type FormField, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { toExportFilter } from './export-filter.ts';
import { type AcceptedLogRequest, readLogRequest } from './export-logs.ts';

const pageFields: readonly FormField[] = [
  { name: 'showStackTraces', choices: ['false', 'true'] },
  { name: 'num', value: String(defaultLogs) },
  { name: 'start', value: '1' },
];

/** A page of logs by structured filters, the newest first (field notes). */
export function queryLogsOperation(site: Site): Operation {
  const filters = ['startTime', 'endTime', 'logCode', 'users', 'requestIDs', 'serviceTypes', 'source'];
  return {
    name: 'queryLogs',
    title: 'Query logs',
    path: site.root + queryPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.queryLogs,
    asksFirst: true,
    fields: [
      { name: 'logLevel', choices: ['', ...logLevels] },
      ...filters.map((name) => ({ name })),
      ...pageFields,
    ],
    run: ({ form }) =>
      list(site, withParameters(form, { searchQuery: '', sortBy: 'time', sortOrder: 'desc' })),
  };
}

/** A page of logs by a query in the search language, or their number (field notes). */
export function searchLogsOperation(site: Site): Operation {
  return {
    name: 'searchLogs',
    title: 'Search logs',
    path: site.root + searchPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.searchLogs,
    asksFirst: true,
    fields: [
      { name: 'searchQuery' },
      { name: 'sortBy', choices: sortKeys },
      { name: 'sortOrder', choices: sortOrders },
      { name: 'countOnly', choices: ['false', 'true'] },
      ...pageFields,
    ],
    run: ({ form }) => {
      if (form.get('countOnly') === 'true') return count(site, form);
      return list(site, searchForm(form));
    },
  };
}

/**
 * The parameters of the public form of a search: neither times nor filters. Without a query it selects all
 * logs.
 */
function searchForm(form: URLSearchParams): URLSearchParams {
  const known = ['searchQuery', 'sortBy', 'sortOrder', ...pageFields.map(({ name }) => name)];
  const parameters = Object.fromEntries(known.map((name) => [name, form.get(name) ?? '']));
  return new URLSearchParams({ ...parameters, logLevel: form.get('searchQuery') ? '' : 'DEBUG' });
}

/** Counts logs, also by the times and filters of an export. A deployment without counts answers 404. */
async function count(site: Site, form: URLSearchParams): Promise<Answer> {
  if (!site.settings.exports.counts) {
    return {
      ...refuseWith(404, 'Not found.', 'There is no operation or resource at this address.'),
      status: 404,
    };
  }
  const read = readLogRequest(form, site);
  return 'refused' in read
    ? read.refused
    : { kind: 'body', body: { total: await site.logs.count(filterOf(site, read)) } };
}

async function list(site: Site, form: URLSearchParams): Promise<Answer> {
  const read = readLogRequest(withParameters(form, { stackTraces: form.get('showStackTraces') ?? '' }), site);
  if ('refused' in read) return read.refused;
  const start = startOf(form);
  if (start === undefined)
    return refuseWith(400, 'Invalid parameters.', '"start" requires a whole number from 1');
  const { num, stackTraces } = read.request;
  const filter = filterOf(site, read);
  const total = await site.logs.count(filter);
  const found = (await find(site, read, start - 1 + num)).slice(start - 1);
  const messages = stackTraces ? found : found.map(withoutStackTraces);
  const next = start + messages.length;
  const nextStart = 0 < messages.length && next <= total ? next : -1;
  return { kind: 'body', body: { messages, total, start, num, nextStart, query: queryOf(form) } };
}

function find(site: Site, read: AcceptedLogRequest, limit: number): Promise<readonly Log[]> {
  const { request, search } = read;
  const filter = filterOf(site, read);
  if (search && request.sortBy === 'bestMatch') return site.logs.findBest(filter, search, limit);
  const order = request.sortOrder === 'asc' ? 'oldest' : 'newest';
  return site.logs.find(filter, { limit, order });
}

function filterOf(site: Site, { request, search }: AcceptedLogRequest) {
  const { exports } = site.settings;
  const defaults = { logLevel: currentLogLevel(site), now: site.now(), ...exports };
  return toExportFilter(request, search?.filter, defaults);
}

/** Default limit of pages in engines of this kind. */
const lastStart = 10_000;

function startOf(form: URLSearchParams): number | undefined {
  const text = form.get('start')?.trim() || '1';
  const start = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return 1 <= start && start <= lastStart ? start : undefined;
}

/** The parameters of a list in the request, without others such as a token. */
function queryOf(form: URLSearchParams): Readonly<Record<string, string>> {
  const known = [...pageFields.map(({ name }) => name), 'logLevel', 'searchQuery', 'sortBy', 'sortOrder'];
  return Object.fromEntries([...form].filter(([name, value]) => known.includes(name) && value !== ''));
}

function withParameters(form: URLSearchParams, parameters: Readonly<Record<string, string>>) {
  return new URLSearchParams({ ...Object.fromEntries(form), ...parameters });
}

function withoutStackTraces({ stackTraces, ...log }: Log): Log {
  return log;
}
