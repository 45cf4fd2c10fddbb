import * as v from 'valibot';
import {
  type CursorInCases,
  compareDetections,
  cursorInCase,
  cursorsOfCases,
  type DetectedLog,
  type Detection,
  detect,
  isCase,
  isHit,
  mergeLogs,
  type Occurrence,
  readLog,
  readPart,
  streamLogs,
  type UnsupportedRule,
} from '../../analysis/index.ts';
import { readRaw, runSqlInChild, type SqlPiece, type StoredLog } from '../../case/index.ts';
import { type Filter, matchAllFilter } from '../../language/index.ts';
import type { LogOrder } from '../../records/index.ts';
import {
  about,
  changes,
  coverage,
  investigate,
  pattern,
  patterns,
  poorResult,
  services,
} from './analyses.ts';
import { facets, histogram, requestedOf } from './counts.ts';
import { addNote, changeNote, notes, removeNote, removeSearch, saveSearch, searches } from './notes.ts';
import { type CallContext, casesWith, logsOf, type OpenedCases } from './opened.ts';
import {
  type AnswerOperation,
  type AsJson,
  eraseSourceAnswer,
  eraseSourceStream,
  type PageOperation,
  type StreamOperation,
  type WorkspaceContext,
  type WriteOperation,
} from './operation.ts';
import { type PageLog, toPageLog } from './page-log.ts';
import { readingStream, runReading } from './reading.ts';
import { PageRefusal } from './refusal.ts';
import { filterOf, selection } from './selection.ts';
import type { ExportStatus, Offers, OpenProgress } from './workspace.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const address = v.object({ ofCase: count, id: count });

const contextParameters = v.object({
  ...address.entries,
  around: v.pipe(count, v.maxValue(200)),
});

/** The logs of the same case before and after one, whatever a query selects; oldest first. */
const context: AnswerOperation<typeof contextParameters, readonly PageLog[]> = {
  parameters: contextParameters,
  async answer({ around, ...asked }, call) {
    const { from, stored } = await storedAt(asked, call);
    const { time } = stored.log;
    const after = { id: asked.id, ...(time !== undefined && { time }) };
    const read = async (order: 'newest' | 'oldest') => {
      const options = { order, after, limit: around, signal: call.signal };
      const found: PageLog[] = [];
      for await (const each of streamLogs(from, matchAllFilter, options))
        found.push(toPageLog({ ...each, ofCase: asked.ofCase }));
      return found;
    };
    const before = (await read('newest')).filter(
      (each) => (each.log.time === undefined) === (time === undefined),
    );
    return [
      ...before.toReversed(),
      toPageLog({ ...stored, ofCase: asked.ofCase }),
      ...(await read('oldest')),
    ];
  },
};

/** The findings of the rules in a selection, the most critical first, and the rules that could not be evaluated. */
const detections: AnswerOperation<typeof selection, PageDetections> = {
  parameters: selection,
  async answer(selected, context) {
    const { opened, rules } = context;
    const filter = await filterOf(selected, opened);
    const requested = await requestedOf(opened);
    const found = await detect(await casesWith(filter, context), rules.rules, {
      filter,
      ...(0 < requested.length && { requested }),
    });
    return {
      rules: found.detections.length,
      detections: found.detections.filter(isHit).toSorted(compareDetections).map(toPageDetection),
      unsupported: [...rules.unsupported, ...found.unsupported],
    };
  },
};

const nothing = v.object({});

/** The last export of the page; null before the first. */
const exportStatus: AnswerOperation<typeof nothing, ExportStatus | null, WorkspaceContext> = {
  parameters: nothing,
  answer: async (_, { workspace }) => workspace.exports.status() ?? null,
};

/** One log whole. */
const log: AnswerOperation<typeof address, WholeLog> = {
  parameters: address,
  async answer(asked, context) {
    const { from, stored } = await storedAt(asked, context);
    const raw = isCase(from) ? await readRaw(from, asked.id) : undefined;
    const part = await readPart(from, stored.part);
    return {
      ...{ ...stored, ofCase: asked.ofCase },
      ...(part && { file: part.file }),
      ...(part?.fileSha256 !== undefined && { fileSha256: part.fileSha256 }),
      ...(raw !== undefined && { raw }),
    };
  },
};

const parameters = v.object({
  ...selection.entries,
  order: v.picklist(['newest', 'oldest']),
  /** Number of the page, from 0. */
  page: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** One page of the logs of a selection. */
const logs: AnswerOperation<typeof parameters, readonly PageLog[]> = {
  parameters,
  async answer(asked, context) {
    const filter = await filterOf(asked, context.opened);
    const after = asked.page === 0 ? undefined : await cursorOf(asked, filter, context);
    if (asked.page !== 0 && !after) return [];
    return readPage(filter, { order: asked.order, after }, context);
  },
};

/** The files, profiles and other sources that can be opened. */
const offers: AnswerOperation<typeof nothing, Offers, WorkspaceContext> = {
  parameters: nothing,
  answer: (_, { workspace }) => workspace.offers(),
};

const word = v.pipe(v.string(), v.maxLength(10_000));

const order = v.object({
  profile: word,
  case: word,
  kind: v.picklist(['new', 'resume', 'retry gaps', 'since last']),
  from: v.optional(word),
  to: v.optional(word),
  search: v.optional(word),
  logLevel: v.optional(word),
});

/** Starts an export with a profile of this machine. */
const startExport: AnswerOperation<typeof order, ExportStatus, WorkspaceContext> = {
  parameters: order,
  answer: (ordered, { workspace }) => workspace.exports.start(ordered),
};

/** Stops the running export in order; what came is kept. */
const stopExport: AnswerOperation<typeof nothing, ExportStatus | null, WorkspaceContext> = {
  parameters: nothing,
  async answer(_, { workspace }) {
    await workspace.exports.stop();
    return workspace.exports.status() ?? null;
  },
};

const traceParameters = v.object({ request: v.pipe(v.string(), v.maxLength(2000)) });

/** The logs of one request, oldest first. */
const trace: AnswerOperation<typeof traceParameters, readonly PageLog[]> = {
  parameters: traceParameters,
  async answer({ request }, context) {
    const { signal } = context;
    // Compares the whole value, not its words.
    const filter: Filter = { kind: 'term', field: requestId, term: request };
    const streams = logsOf(context).map((each) => streamLogs(each, filter, { signal, limit: mostOfRequest }));
    const found: PageLog[] = [];
    for await (const each of mergeLogs<StoredLog>(streams, 'oldest')) {
      found.push(toPageLog(each));
      if (found.length === mostOfRequest) break;
    }
    return found;
  },
};

/** Operations that answer with one value. */
const answers = {
  about,
  changes,
  context,
  coverage,
  detections,
  exportStatus,
  histogram,
  log,
  logs,
  notes,
  offers,
  pattern,
  patterns,
  investigate,
  poorResult,
  searches,
  services,
  startExport,
  stopExport,
  trace,
};

/** Operations that write to a case. */
const writes = { addNote, changeNote, removeNote, removeSearch, saveSearch };

const openParameters = v.object({ name: word });

/** Opens a source, with its progress. */
const open: StreamOperation<typeof openParameters, OpenProgress, WorkspaceContext> = {
  parameters: openParameters,
  stream: ({ name }, { workspace, signal }) => workspace.open(name, signal),
};

const sqlParameters = v.object({
  sql: v.pipe(v.string(), v.maxLength(100_000)),
  ofCase: v.pipe(v.number(), v.integer(), v.minValue(0)),
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
});

/** The result of one SELECT on a case, in pieces as they come. */
const sql: StreamOperation<typeof sqlParameters, SqlPiece> = {
  parameters: sqlParameters,
  async *stream({ sql: text, ofCase, limit }, { opened, signal }) {
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
};

/** Operations that answer with a stream of values. */
const streams = { facets, open, sql };

type ParametersOf<O> = O extends { readonly parameters: infer S extends v.GenericSchema }
  ? v.InferInput<S>
  : never;

/** Parameters and result of each operation that answers with one value. */
export type Answers = {
  readonly [N in keyof typeof answers]: {
    readonly parameters: ParametersOf<(typeof answers)[N]>;
    readonly result: AsJson<Awaited<ReturnType<(typeof answers)[N]['answer']>>>;
  };
};

/** Parameters and result of each operation that writes. */
export type Writes = {
  readonly [N in keyof typeof writes]: {
    readonly parameters: ParametersOf<(typeof writes)[N]>;
    readonly result: AsJson<Awaited<ReturnType<(typeof writes)[N]['write']>>>;
  };
};

/** Parameters and line of each operation that answers with a stream. */
export type Streams = {
  readonly [N in keyof typeof streams]: {
    readonly parameters: ParametersOf<(typeof streams)[N]>;
    readonly line: LineOf<ReturnType<(typeof streams)[N]['stream']>>;
  };
};

type LineOf<I> = I extends AsyncIterable<infer R> ? AsJson<R> : never;

function eraseAnswer<S extends v.GenericSchema, R>(operation: AnswerOperation<S, R>): PageOperation {
  const { parameters, respond } = eraseWholeAnswer(operation);
  return { parameters, respond: async (given, context) => cutLongTexts(await respond(given, context)) };
}

/** Erases the types of an operation whose long texts are shown whole. */
function eraseWholeAnswer<S extends v.GenericSchema, R>({
  parameters,
  answer,
}: AnswerOperation<S, R>): PageOperation {
  return {
    parameters,
    async respond(given, context) {
      const asked = v.parse(parameters, given);
      return runReading(context, () => answer(asked, context));
    },
  };
}

function eraseStream<S extends v.GenericSchema, R>({
  parameters,
  stream,
}: StreamOperation<S, R>): PageOperation {
  return {
    parameters,
    respond(given, context) {
      const asked = v.parse(parameters, given);
      return readingStream(context, () => stream(asked, context));
    },
  };
}

function eraseWrite<S extends v.GenericSchema, R>({
  parameters,
  write,
}: WriteOperation<S, R>): PageOperation {
  return {
    parameters,
    respond: async (given, context) => write(v.parse(parameters, given), context),
  };
}

const requestId = { name: 'requestID', type: 'keyword', about: 'The id of the request' } as const;

/** Most logs of a request that are shown. */
const mostOfRequest = 5000;

/** Longest time of a statement, in milliseconds. */
const timeout = 120_000;

/** Longest text of an answer, in UTF-16 units. A megabyte in each bucket of a histogram is more than a browser takes. */
const longest = 10_000;

/** Most occurrences of a correlation that are shown. */
const mostOccurrences = 100;

/** Cursors of selections by their text: computed once, so that jumping far into a result is fast. */
const cursors = new WeakMap<OpenedCases, Map<string, Promise<readonly CursorInCases[]>>>();

/** Number of logs of a page. */
const pageLength = 100;

/** Selections whose cursors are remembered for each set of cases. */
const remembered = 8;

/** Members whose text is used, not shown: the beginning of a query is another query. */
const used: ReadonlySet<string> = new Set(['query', 'sql']);

/** Operations on open cases by name. */
export const operations: ReadonlyMap<string, PageOperation> = new Map([
  ['about', eraseAnswer(about)],
  ['changes', eraseAnswer(changes)],
  ['context', eraseAnswer(context)],
  ['coverage', eraseAnswer(coverage)],
  ['detections', eraseAnswer(detections)],
  ['histogram', eraseAnswer(histogram)],
  ['log', eraseWholeAnswer(log)],
  ['logs', eraseAnswer(logs)],
  ['notes', eraseAnswer(notes)],
  ['pattern', eraseAnswer(pattern)],
  ['patterns', eraseAnswer(patterns)],
  ['poorResult', eraseAnswer(poorResult)],
  ['investigate', eraseAnswer(investigate)],
  ['searches', eraseAnswer(searches)],
  ['services', eraseAnswer(services)],
  ['trace', eraseAnswer(trace)],
  ['facets', eraseStream(facets)],
  ['sql', eraseStream(sql)],
  ['addNote', eraseWrite(addNote)],
  ['changeNote', eraseWrite(changeNote)],
  ['removeNote', eraseWrite(removeNote)],
  ['saveSearch', eraseWrite(saveSearch)],
  ['removeSearch', eraseWrite(removeSearch)],
]);

/** Operations on the sources of the page by name: they need no open case. */
export const sourceOperations: ReadonlyMap<string, PageOperation<WorkspaceContext>> = new Map([
  ['exportStatus', eraseSourceAnswer(exportStatus)],
  ['offers', eraseSourceAnswer(offers)],
  ['open', eraseSourceStream(open)],
  ['startExport', eraseSourceAnswer(startExport)],
  ['stopExport', eraseSourceAnswer(stopExport)],
]);

/** A log with its record and its evidence. */
interface WholeLog extends StoredLog {
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

/** A rule that found something. */
interface PageDetection {
  readonly title: string;
  readonly file: string;
  readonly level?: string;
  readonly description?: string;
  /** Selects exactly the logs of the rule, if the language can. */
  readonly query?: string;
  readonly sql?: string;
  readonly count: number;
  readonly first?: DetectedLog;
  readonly last?: DetectedLog;
  /** The first occurrences of a correlation, and the number of the others. */
  readonly occurrences?: readonly Occurrence[];
  readonly otherOccurrences: number;
}

/** Results of the rules of the page. */
interface PageDetections {
  /** Number of rules that were evaluated. */
  readonly rules: number;
  readonly detections: readonly PageDetection[];
  readonly unsupported: readonly UnsupportedRule[];
}

function toPageDetection({ rule, count, first, last, occurrences }: Detection): PageDetection {
  const { title, file, level, description } = rule;
  return {
    ...{ title, file, count },
    ...(level !== undefined && { level }),
    ...(description !== undefined && { description }),
    ...(rule.kind === 'detection' && rule.query !== undefined && { query: rule.query }),
    ...(rule.kind === 'detection' && rule.sql !== undefined && { sql: rule.sql }),
    ...(first && { first }),
    ...(last && { last }),
    ...(occurrences && { occurrences: occurrences.slice(0, mostOccurrences) }),
    otherOccurrences: Math.max(0, (occurrences?.length ?? 0) - mostOccurrences),
  };
}

async function cursorOf(
  { page, order, query, from, to }: v.InferOutput<typeof parameters>,
  filter: Filter,
  context: CallContext,
): Promise<CursorInCases | undefined> {
  const { opened, signal } = context;
  const known = cursors.get(opened) ?? new Map<string, Promise<readonly CursorInCases[]>>();
  cursors.set(opened, known);
  const key = JSON.stringify([query, from, to, order]);
  let found = known.get(key);
  if (!found) {
    found = cursorsOfCases(logsOf(context), filter, { order, every: pageLength, signal });
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
  const streams = logsOf(context).map((each, index) =>
    streamLogs(each, filter, {
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

/** Returns an answer whose long texts are cut. Queries that are too long are left out. */
export function cutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') return longest < value.length ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) return value.map(cutLongTexts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, each]) => !isLongQuery(name, each));
  return Object.fromEntries(entries.map(([name, each]) => [name, cutLongTexts(each)]));
}

function isLongQuery(name: string, value: unknown): boolean {
  return used.has(name) && typeof value === 'string' && longest < value.length;
}
