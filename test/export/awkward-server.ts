import type { Clock } from '../../src/client/retry.ts';
import type { Transport } from '../../src/client/transport.ts';
import { zipFiles } from '../../src/emulator/archive.ts';
import { filterOfText } from '../../src/language/meaning/explicit.ts';
import { match } from '../../src/language/meaning/match.ts';
import { fromExportForm } from '../../src/protocol/export-jobs.ts';
import type { Log } from '../../src/records/log.ts';

/** A log, and when the server begins and ceases to show it. */
export interface ServedLog extends Log {
  readonly time: number;
  readonly arrives?: number;
  readonly leaves?: number;
}

/** One call for logs. */
export interface ServedCall {
  /** Its number, from 1. */
  readonly number: number;
  /** The number of logs that it asks for, and their order. */
  readonly num: number;
  readonly order: 'asc' | 'desc';
}

/** Takes some of the logs that match a call, which are in ascending order of time, in the order in which they come. */
export type Rule = (matching: readonly ServedLog[], call: ServedCall) => readonly ServedLog[];

/** A server that knows nothing of what an exporter believes. */
export interface AwkwardServer {
  readonly send: Transport;
  readonly clock: Clock;
  /** Forms of all exports. */
  readonly forms: readonly URLSearchParams[];
  /** Number of all requests. */
  readonly requests: () => number;
}

export interface AwkwardOptions {
  readonly logs: readonly ServedLog[];
  readonly rule: Rule;
  /** The present, milliseconds since the epoch. Waiting moves it on at once, and so does each request. */
  readonly now: number;
  /** Milliseconds that a request takes. Default 1. */
  readonly pace?: number;
  /** The header `Date` of the n-th reply, by the time that it is; undefined for none. Default: the time that it is. */
  readonly date?: (now: number, request: number) => number | undefined;
  /** Exports that are answered with a zip without entries, or with one whose entry has no logs. */
  readonly hollow?: (form: URLSearchParams) => 'zip' | 'entry' | false;
  /** Entries beside the logs in each zip. */
  readonly entries?: readonly { readonly name: string; readonly text: string }[];
  /** Answers in place of the server, where it returns something. */
  readonly instead?: (url: URL, request: number, form: URLSearchParams) => Response | undefined;
  /** The last step of the address of a zip. Default none: its bytes are one step below. */
  readonly uploadPath?: string;
  /** The addresses that the server names for its jobs and zips. Default: below the address of the call. */
  readonly base?: string;
}

const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'];

/** Starts a server with these rules. */
export function awkwardServer(options: AwkwardOptions): AwkwardServer {
  const {
    logs,
    rule,
    date = (now) => now,
    entries = [],
    pace = 1,
    instead = () => undefined,
    hollow = () => false,
  } = options;
  const sorted = [...logs].sort((a, b) => a.time - b.time);
  const zips = new Map<string, Uint8Array<ArrayBuffer>>();
  const forms: URLSearchParams[] = [];
  let [now, requests] = [options.now, 0];

  async function answer(url: URL, form: URLSearchParams): Promise<Response> {
    const base = options.base ?? url.href.replace(/\/(logs|jobs|uploads)\/.*$/, '');
    const [, kind, id = ''] = /\/(logs\/export|jobs|uploads)(?:\/([^/]+))?/.exec(url.pathname) ?? [];
    if (url.pathname.endsWith('/generateToken'))
      return Response.json({ token: 'a token', expires: now + 36_000_000, ssl: true });
    if (kind === 'logs/export') {
      forms.push(form);
      const name = `j${forms.length}`;
      const missing = hollow(form);
      const chosen = missing ? [] : rule(matching(form), callOf(form, forms.length));
      const text = chosen.map(({ arrives: _, leaves: _gone, ...log }) => `${JSON.stringify(log)}\n`).join('');
      zips.set(name, await zipFiles(missing === 'zip' ? [] : [{ name: 'logs.ndjson', text }, ...entries]));
      return Response.json({ jobsUrl: `${base}/jobs/${name}`, jobid: name, status: 'SUBMITTED' });
    }
    if (kind === 'jobs' && zips.has(id))
      return Response.json({
        jobid: id,
        status: 'COMPLETED',
        result: { URL: `${base}/uploads/${id}${options.uploadPath ?? ''}` },
      });
    const zip = zips.get(id);
    if (kind === 'uploads' && zip && url.pathname.endsWith('/download')) return new Response(zip);
    return Response.json({ error: { code: 404, message: 'Not found.', details: [] } });
  }

  function matching(form: URLSearchParams): readonly ServedLog[] {
    const { request } = fromExportForm(form);
    const { newest = now, oldest = 0, logLevel = 'DEBUG', searchQuery } = request;
    const shown = levels.slice(0, levels.indexOf(logLevel) + 1);
    const filter = searchQuery === undefined ? undefined : filterOfText(searchQuery, { now });
    return sorted.filter((log) => {
      const { time, logLevel: level = 'INFO', arrives = time, leaves = Number.POSITIVE_INFINITY } = log;
      const isThere = arrives <= now && now < leaves && oldest <= time && time <= newest;
      return isThere && shown.includes(level) && (filter === undefined || match(filter, { ...log }));
    });
  }

  return {
    clock: {
      now: () => now,
      sleep: async (milliseconds, signal) => {
        signal?.throwIfAborted();
        now += milliseconds;
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    send: async (request) => {
      const form = new URLSearchParams(await request.text());
      requests += 1;
      now += pace;
      const url = new URL(request.url);
      const response = instead(url, requests, form) ?? (await answer(url, form));
      const headers = new Headers(response.headers);
      const shown = date(now, requests);
      if (shown !== undefined) headers.set('date', new Date(shown).toUTCString());
      const { status } = response;
      return new Response(await response.arrayBuffer(), { status, headers });
    },
    forms,
    requests: () => requests,
  };
}

function callOf(form: URLSearchParams, number: number): ServedCall {
  return {
    number,
    num: Number(form.get('num')),
    order: form.get('sortOrder') === 'asc' ? 'asc' : 'desc',
  };
}

/** The order in which a server puts logs before it cuts them. */
export type ServedOrder = 'as asked' | 'oldest first' | 'changing' | 'shuffled';

/** Puts logs in an order before they are cut. */
export function ordered(order: ServedOrder): Rule {
  return (logs, call) => {
    const isAscending =
      order === 'oldest first' || (order === 'changing' ? call.number % 2 === 0 : call.order === 'asc');
    if (order === 'shuffled')
      return [...logs].sort((a, b) => scatter(a.time, call.number) - scatter(b.time, call.number));
    return isAscending ? logs : logs.toReversed();
  };
}

/** A number that looks random and depends on nothing but the arguments, from 0 to 1. */
export function scatter(some: number, other: number): number {
  let mixed = Math.imul(some ^ (some >>> 15), 0x2c1b3c6d) ^ Math.imul(other + 1, 0x297a2d39);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Cuts logs before they take more bytes than this. */
export function bytes(limit: number): Rule {
  return (logs) => {
    let size = 0;
    const end = logs.findIndex((log) => {
      size += JSON.stringify(log).length + 1;
      return limit < size;
    });
    return end < 0 ? logs : logs.slice(0, end);
  };
}

/** Returns at most this many logs of each level. */
export function perLevel(limit: number): Rule {
  return (logs) => {
    const counts = new Map<string, number>();
    return logs.filter(({ logLevel = '' }) => {
      const count = (counts.get(logLevel) ?? 0) + 1;
      counts.set(logLevel, count);
      return count <= limit;
    });
  };
}

/** Leaves out this share of the logs of a call, others in each. */
export function dropping(share: number): Rule {
  return (logs, { number }) => logs.filter(({ time }, index) => share <= scatter(time + index, number));
}

/** Returns as many logs as asked for at the most, or as a limit of the server says. */
export function counted(limit = Number.POSITIVE_INFINITY): Rule {
  return (logs, { num }) => logs.slice(0, Math.min(limit, num));
}

/** Applies rules one after the other. */
export function rules(...all: readonly Rule[]): Rule {
  return (logs, call) => all.reduce((left, rule) => rule(left, call), logs);
}
