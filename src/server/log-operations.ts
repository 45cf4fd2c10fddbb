import * as v from 'valibot';
import {
  type CursorInCases,
  cursorAt,
  cursorInCase,
  cursorsOfCases,
  type Facets,
  facets as facetsOf,
  type Histogram,
  hasCursors,
  histogram as histogramOf,
  isCase,
  type LogOfCase,
  mergeLogs,
  readLog,
  readPart,
  streamLogs,
} from '../analysis/index.ts';
import { readRaw, runSqlInChild, type SqlPiece, type StoredLog } from '../case/index.ts';
import { type Filter, matchAllFilter } from '../language/index.ts';
import type { Log, LogOrder } from '../records/index.ts';
import { type CallContext, logsOf, type OpenedCases, PageRefusal } from './call-context.ts';
import { answer, stream, wholeAnswer } from './operation.ts';
import { filterOf, logField, requestedOf, selection } from './selection.ts';

const logsParameters = v.object({
  ...selection.entries,
  order: v.picklist(['newest', 'oldest']),
  /** Number of the page, from 0. */
  page: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** One page of the logs of a selection. */
export const logs = answer(logsParameters, async (parameters, context): Promise<readonly PageLog[]> => {
  const filter = await filterOf(parameters, context.opened);
  const after = parameters.page === 0 ? undefined : await cursorOf(parameters, filter, context);
  if (parameters.page !== 0 && !after) return [];
  return readPage(filter, { order: parameters.order, after }, context);
});

async function cursorOf(
  { page, order, query, from, to }: v.InferOutput<typeof logsParameters>,
  filter: Filter,
  context: CallContext,
): Promise<CursorInCases | undefined> {
  const { opened, signal } = context;
  const sources = logsOf(context);
  if (!sources.every(hasCursors))
    return await cursorAt(sources, filter, { order, number: page * pageLength, signal });
  const known = cursors.get(opened) ?? new Map<string, Promise<readonly CursorInCases[]>>();
  cursors.set(opened, known);
  const key = JSON.stringify([query, from, to, order]);
  let found = known.get(key);
  if (!found) {
    found = cursorsOfCases(sources, filter, { order, every: pageLength, signal });
    known.set(key, found);
    const forget = () => known.delete(key);
    found.catch(forget);
    for (const oldest of [...known.keys()].slice(0, -remembered)) known.delete(oldest);
  }
  return (await found)[page - 1];
}

async function readPage(
  filter: Filter,
  { order, after }: { readonly order: LogOrder; readonly after: CursorInCases | undefined },
  context: CallContext,
): Promise<readonly PageLog[]> {
  const { signal } = context;
  const streams = logsOf(context).map((log, index) =>
    streamLogs(log, filter, {
      order,
      signal,
      limit: pageLength,
      ...(after && { after: cursorInCase(after, index, order) }),
    }),
  );
  const found: PageLog[] = [];
  for await (const log of mergeLogs<StoredLog>(streams, order)) {
    found.push(toPageLog(log));
    if (found.length === pageLength) break;
  }
  return found;
}

/** Cursors of selections by their text: computed once, so that jumping far into a result is fast. */
const cursors = new WeakMap<OpenedCases, Map<string, Promise<readonly CursorInCases[]>>>();

/** Number of logs of a page. */
const pageLength = 100;

/** Selections whose cursors are remembered for each set of cases. */
const remembered = 8;

/** A log as a row of a list: long texts are cut. */
export interface PageLog {
  readonly id: number;
  /** Index of its case. */
  readonly ofCase: number;
  readonly log: Log;
}

/** Longest text in a list, in UTF-16 units; an opened log has its whole texts. */
const longestListed = 2000;

/** Returns a log for a list. */
export function toPageLog({ id, ofCase, log }: LogOfCase<StoredLog>): PageLog {
  const entries = Object.entries(log).map(([name, value]) => [
    name,
    typeof value === 'string' && longestListed < value.length ? `${value.slice(0, longestListed)}…` : value,
  ]);
  return { id, ofCase, log: Object.fromEntries(entries) };
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const address = v.object({ ofCase: count, id: count });

const contextParameters = v.object({
  ...address.entries,
  around: v.pipe(count, v.maxValue(200)),
});

/** The logs of the same case before and after one, whatever a query selects; oldest first. */
export const context = answer(
  contextParameters,
  async ({ around, ...logAddress }, call): Promise<readonly PageLog[]> => {
    const { from, stored } = await storedAt(logAddress, call);
    const { time } = stored.log;
    const after = { id: logAddress.id, ...(time !== undefined && { time }) };
    const read = async (order: 'newest' | 'oldest') => {
      const options = { order, after, limit: around, signal: call.signal };
      const found: PageLog[] = [];
      for await (const log of streamLogs(from, matchAllFilter, options))
        found.push(toPageLog({ ...log, ofCase: logAddress.ofCase }));
      return found;
    };
    const before = (await read('newest')).filter(
      (log) => (log.log.time === undefined) === (time === undefined),
    );
    return [
      ...before.toReversed(),
      toPageLog({ ...stored, ofCase: logAddress.ofCase }),
      ...(await read('oldest')),
    ];
  },
);

/** One log whole. */
export const log = wholeAnswer(address, async (logAddress, context): Promise<WholeLog> => {
  const { from, stored } = await storedAt(logAddress, context);
  const raw = isCase(from) ? await readRaw(from, logAddress.id) : undefined;
  const part = await readPart(from, stored.part);
  return {
    ...stored,
    ofCase: logAddress.ofCase,
    ...(part && { file: part.file }),
    ...(part?.fileSha256 !== undefined && { fileSha256: part.fileSha256 }),
    ...(raw !== undefined && { raw }),
  };
});

/** A log with its record and its evidence. */
export interface WholeLog extends StoredLog {
  readonly ofCase: number;
  /** Name and SHA-256 of the original file. */
  readonly file?: string;
  readonly fileSha256?: string;
  /** The record as it was written. */
  readonly raw?: string;
}

async function storedAt({ id, ofCase }: v.InferOutput<typeof address>, call: CallContext) {
  const from = logsOf(call)[ofCase];
  const stored = from && (await readLog(from, id));
  if (!stored) throw new PageRefusal(`There is no log with the id ${id}`, 404);
  return { from, stored };
}

const traceParameters = v.object({ request: v.pipe(v.string(), v.maxLength(2000)) });

/** The logs of one request, oldest first. */
export const trace = answer(traceParameters, async ({ request }, context): Promise<readonly PageLog[]> => {
  const { signal } = context;
  // Compares the whole value, not its words.
  const filter: Filter = { kind: 'term', field: requestId, term: request };
  const streams = logsOf(context).map((log) => streamLogs(log, filter, { signal, limit: mostOfRequest }));
  const found: PageLog[] = [];
  for await (const log of mergeLogs<StoredLog>(streams, 'oldest')) {
    found.push(toPageLog(log));
    if (found.length === mostOfRequest) break;
  }
  return found;
});

const requestId = { name: 'requestID', type: 'keyword', about: 'The id of the request' } as const;

/** Most logs of a request that are shown. */
const mostOfRequest = 5000;

const histogramParameters = v.object({
  ...selection.entries,
  by: v.optional(logField),
  buckets: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
  /** Time that the buckets cover at least. */
  over: v.optional(v.object({ first: v.number(), last: v.number() })),
});

/** The logs of a selection over time, with the completeness of each bucket where exports have one. */
export const histogram = answer(
  histogramParameters,
  async ({ by, buckets, over, ...selected }, context): Promise<Histogram> => {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    const requested = await requestedOf(opened);
    return histogramOf(logsOf(context), filter, {
      by,
      buckets,
      over,
      values: 8,
      signal,
      ...(0 < requested.length && { requested }),
    });
  },
);

const facetsParameters = v.object({
  ...selection.entries,
  fields: v.pipe(v.array(logField), v.maxLength(20)),
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
});

/** Longest value of a facet, in UTF-16 units; longer ones are no names. */
const longestValue = 200;

/** The most frequent values of fields, one line for each field as it is counted. */
export const facets = stream(
  facetsParameters,
  async function* ({ fields, limit, ...selected }, context): AsyncGenerator<Facets, void, undefined> {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    for (const field of fields) {
      const { values, ...counted } = await facetsOf(logsOf(context), field, { filter, limit, signal });
      const short = values.filter(({ value }) => String(value ?? '').length <= longestValue);
      yield { ...counted, values: short };
    }
  },
);

const sqlParameters = v.object({
  sql: v.pipe(v.string(), v.maxLength(100_000)),
  ofCase: v.pipe(v.number(), v.integer(), v.minValue(0)),
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
});

/** The result of one SELECT on a case, in pieces as they come. */
export const sql = stream(
  sqlParameters,
  async function* (
    { sql: text, ofCase, limit },
    { opened, signal },
  ): AsyncGenerator<SqlPiece, void, undefined> {
    const from = opened.logs[ofCase];
    if (!from) throw new PageRefusal(`There is no case ${ofCase}`, 404);
    if (!isCase(from)) {
      yield* from.until(signal).runSql(text, { limit });
      return;
    }
    if (from.originals === 'in place')
      throw new PageRefusal('SQL runs on a case file: load the files into one with "logquarry import"');
    yield* runSqlInChild(from.path, text, { limit, timeout, signal });
  },
);

/** Longest time of a statement, in milliseconds. */
const timeout = 120_000;
