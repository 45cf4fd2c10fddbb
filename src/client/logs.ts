import {
  type ExportRequest,
  introducedIn,
  isSuccess,
  type LogPage,
  type LogSettings,
  logPageOf,
  logSettingsOf,
  logSettingsPath,
  queryPath,
  toLogQueryForm,
  toLogSearchForm,
  toLogSettingsForm,
} from '../protocol/index.ts';
import {
  type CallOptions,
  type Client,
  callChanging,
  outcomeUnknown,
  plainForm,
  readJson,
  withDoubt,
} from './client.ts';
import { type Purpose, sinceVersion, unexpectedReplyError } from './transport.ts';

/** One page of a list of logs. */
export interface PageOptions extends CallOptions {
  /** Position of the first log, counted from 1. Default 1. */
  readonly start?: number | undefined;
}

/**
 * A page of the logs that structured filters select, the newest first (field notes on `logs/query`).
 *
 * ```ts
 * const { messages } = await queryLogs(client, { ...newestLogsRequest, logLevel: 'SEVERE' });
 * ```
 */
export async function queryLogs(
  client: Client,
  request: ExportRequest,
  { start, signal }: PageOptions = {},
): Promise<LogPage> {
  const address = client.addresses.root + queryPath;
  const purpose = {
    failed: 'The logs could not be queried',
    privilege: 'query logs',
    whenMissing: sinceVersion(introducedIn.queryLogs),
  };
  return pageAt(client, { address, body: toLogQueryForm(request, start), purpose, signal });
}

/**
 * A page of the logs that a query in the search language selects (field notes on `logs/search`).
 *
 * ```ts
 * const { messages } = await searchLogs(client, { ...newestLogsRequest, searchQuery: 'msg:timeout' });
 * ```
 */
export async function searchLogs(
  client: Client,
  request: ExportRequest,
  { start, signal }: PageOptions = {},
): Promise<LogPage> {
  const address = client.addresses.searchLogs;
  const purpose = {
    failed: 'The logs could not be searched',
    privilege: 'search logs',
    whenMissing: sinceVersion(introducedIn.searchLogs),
  };
  return pageAt(client, { address, body: toLogSearchForm(request, start), purpose, signal });
}

interface PageCall extends CallOptions {
  readonly address: string;
  readonly body: URLSearchParams;
  readonly purpose: Purpose;
}

async function pageAt(client: Client, call: PageCall): Promise<LogPage> {
  const body = await readJson(client, call);
  const page = logPageOf(body);
  if (!page) throw unexpectedReplyError(body, 'a list of logs', { ...call, hide: client.hide });
  return page;
}

/** Number of logs requested per page of a list (section 8 of the interface document). */
const pageSize = 1000;

/** Reads one page of a list. */
export type ReadPage = (page: { readonly num: number; readonly start?: number }) => Promise<LogPage>;

/**
 * The pages of a list, one after the other, until `limit` logs came or the list
 * ends. No page holds more than is still wanted. A list whose pages name no
 * later page, or hold nothing, ends there: an odd deployment cannot keep it going.
 *
 * ```ts
 * const read: ReadPage = ({ num, start }) => queryLogs(client, { ...newestLogsRequest, num }, { start });
 * for await (const { messages } of logPages(read, 10_000)) console.log(messages.length);
 * ```
 */
export async function* logPages(read: ReadPage, limit: number): AsyncGenerator<LogPage, void, undefined> {
  let left = limit;
  let start: number | undefined;
  while (0 < left) {
    const page = await read({ num: Math.min(pageSize, left), ...(start !== undefined && { start }) });
    const messages = page.messages.slice(0, left);
    yield { ...page, messages };
    const came = page.messages.length + page.unreadable;
    left -= came;
    if (came === 0 || page.nextStart === undefined || page.nextStart <= (start ?? 1)) return;
    start = page.nextStart;
  }
}

/**
 * Reads which logs the deployment writes, and for how long it keeps them (public documentation of `logs/settings`).
 *
 * ```ts
 * const settings = await readLogSettings(client);
 * ```
 */
export async function readLogSettings(client: Client, options: CallOptions = {}): Promise<LogSettings> {
  const address = client.addresses.root + logSettingsPath;
  const purpose = {
    failed: 'The log settings could not be read',
    privilege: 'see the log settings',
    whenMissing: sinceVersion(introducedIn.logSettings),
  };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const settings = logSettingsOf(body);
  if (!settings) throw unexpectedReplyError(body, 'log settings', { address, purpose, hide: client.hide });
  return settings;
}

/**
 * Changes the log settings (public documentation of `logs/settings/edit`). All
 * of them are sent, so that those stay which `readLogSettings` gave. Where the
 * connection breaks before the answer, the error says that the edit may have been made.
 *
 * ```ts
 * await editLogSettings(client, await readLogSettings(client));
 * ```
 */
export async function editLogSettings(
  client: Client,
  settings: LogSettings,
  options: CallOptions = {},
): Promise<void> {
  const address = `${client.addresses.root}${logSettingsPath}/edit`;
  const purpose = { failed: 'The log settings were not edited', privilege: 'edit the log settings' };
  await client.signIn();
  try {
    const body = await callChanging(client, {
      ...options,
      address,
      body: toLogSettingsForm(settings),
      purpose,
    });
    // The form of a success is undocumented: a reply with the new settings counts as one too.
    if (isSuccess(body) || logSettingsOf(body)) return;
    throw unexpectedReplyError(body, 'the success of an edit', { address, purpose, hide: client.hide });
  } catch (error) {
    if (!outcomeUnknown(error)) throw error;
    throw withDoubt(error, 'The edit may have been made all the same: read the log settings to see');
  }
}
