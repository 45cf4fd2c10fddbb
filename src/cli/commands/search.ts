import { existsSync } from 'node:fs';
import {
  bestOfCases,
  type CursorInCases,
  caseWith,
  contextOfCases,
  countLogs,
  cursorInCase,
  expandFuzzy,
  type ListedInContext,
  type LogOfCase,
  mergeLogs,
  type ScoredCursorInCases,
  streamLogs,
} from '../../analysis/index.ts';
import { type StoredLog, type StreamOptions, writeLogsToParquet } from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import { type Filter, type Highlight, highlightMatches, type Scored } from '../../language/index.ts';
import type { Log, LogOrder } from '../../records/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { isDatabase } from '../command-line/files.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { isSource, sourceWords } from '../input/check-argument-places.ts';
import { explainFewResults, noteNewestLog } from '../input/few-results.ts';
import { explainFilteredQuery, type FilteredQuery, readFilteredQuery } from '../input/log-filters.ts';
import { openSources, type Sources } from '../input/open-sources.ts';
import type { OpeningCase } from '../input/opening-cases.ts';
import {
  formatLogs,
  logRows,
  type PrintedLog,
  type PrintedLogFormat,
  readLogFormat,
} from '../output/log-output.ts';
import { quoteForShell } from '../output/shell-word.ts';
import { rowsWorkbook } from '../report/workbook.ts';
import type { searchSpec } from '../specs/case-specs.ts';
import { formatCount, formatNumber, printPieces } from '../terminal/progress.ts';
import type { OutputStyle, Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';

/** Shows the logs of cases and files that match a query. */
export const searchCommand = async (
  { arguments: values, options, terminal }: CommandCall<typeof searchSpec>,
  opening: OpeningCase,
): Promise<ExitCode> => {
  const format = await readLogFormat(options);
  const after = options.best ? parseScoreCursor(options.after) : parseCursor(options.after);
  const logZone = logZoneOf(options);
  const args = await readSearchArguments(values, terminal);
  const filtered = { query: args.query, engine: options.engine, options, now: Date.now() };
  const read = readFilteredQuery(filtered, terminal);
  if (!read) return exitCodes.no;
  if (options.explain) {
    await terminal.print(
      `${explainFilteredQuery(filtered)
        .map((line) => escapeUnsafe(line))
        .join('\n')}\n`,
    );
    return exitCodes.done;
  }
  await using sources = await openSources(args.source, { logZone, clusters: 'read', opening }, terminal);
  await noteNewestLog(sources, filtered, terminal);
  const scored = await expandFuzzy(sources.logs, read);
  // A file is an output like a pipe.
  const isFile = format.kind === 'parquet' || options.xlsx !== undefined;
  const output = isFile ? { width: undefined } : terminal.stdout;
  const limit = options.all ? undefined : options.limit(output);
  const task: Omit<SearchTask, 'signal'> = {
    sources,
    scored,
    filtered,
    query: args.query,
    options,
    after,
    format,
    limit,
    highlight: createHighlighter(read.query, terminal.stdout),
  };
  const work = { ...task, signal: terminal.interruption() };
  if (options.count) await printCount(task, terminal);
  else if (format.kind === 'parquet') await writeParquet(work, format.path, terminal);
  else await printLogs(work, format.kind, terminal);
  return sources.outcome;
};

interface SearchTask {
  readonly sources: Sources;
  readonly scored: Scored;
  readonly filtered: FilteredQuery;
  readonly query: string;
  readonly options: CommandCall<typeof searchSpec>['options'];
  readonly after: CursorInCases | ScoredCursorInCases | undefined;
  readonly format: Awaited<ReturnType<typeof readLogFormat>>;
  /** Maximum number of logs; undefined for all. */
  readonly limit: number | undefined;
  /** Returns the spans to mark; undefined if nobody sees marks. */
  readonly highlight: ReturnType<typeof createHighlighter>;
  readonly signal: AbortSignal;
}

async function total({ sources, scored }: Pick<SearchTask, 'sources' | 'scored'>): Promise<number> {
  const counts = await Promise.all(sources.logs.map((log) => countLogs(log, scored.filter)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function printCount(task: Omit<SearchTask, 'signal'>, terminal: Terminal): Promise<void> {
  const count = await total(task);
  const isJson = task.format.kind === 'json' || task.format.kind === 'ndjson';
  await terminal.print(isJson ? `${toJson({ query: task.query, count })}\n` : `${count}\n`);
}

function orderOf({ options }: SearchTask): LogOrder {
  return options.oldest ? 'oldest' : 'newest';
}

/** Stream options for one of the cases. */
function streamOptions(task: SearchTask, index: number): StreamOptions {
  const { limit } = task;
  const order = orderOf(task);
  return {
    order,
    signal: task.signal,
    ...(limit !== undefined && { limit }),
    ...(task.after && { after: cursorInCase(task.after, index, order) }),
  };
}

/** A hit, or a log of its context. */
type Found = LogOfCase<
  StoredLog & Partial<Pick<ListedInContext, 'isHit' | 'isListed'>> & { readonly score?: number }
>;

/** Yields the hits of all cases, with their context if requested. */
async function* found(task: SearchTask): AsyncGenerator<Found> {
  const { sources, scored, options, after, signal, limit } = task;
  const { filter } = scored;
  if (options.best) {
    const scoredAfter = after && 'score' in after && { after };
    const best = bestOfCases(sources.logs, scored, {
      signal,
      ...scoredAfter,
      ...(limit !== undefined && { limit }),
    });
    return yield* upTo(best, limit);
  }
  const around = options.context;
  if (around !== undefined)
    return yield* contextOfCases(sources.logs, filter, {
      around,
      order: orderOf(task),
      signal,
      ...(limit !== undefined && { limit }),
      ...(after && { after }),
    });
  const streams = sources.logs.map((log, index) => streamLogs(log, filter, streamOptions(task, index)));
  yield* upTo(mergeLogs(streams, orderOf(task), sources.logs), limit);
}

async function* upTo<T>(items: AsyncIterable<T>, limit: number | undefined): AsyncGenerator<T> {
  let count = 0;
  if (limit === 0) return;
  for await (const item of items) {
    yield item;
    if (++count === limit) return;
  }
}

interface Shown {
  count: number;
  last?: Found;
}

async function* countListed(task: SearchTask, shown: Shown): AsyncGenerator<PrintedLog, void, undefined> {
  const { sources, options } = task;
  for await (const entry of found(task)) {
    const { ofCase, isListed = options.context === undefined, ...log } = withRoundScore(entry);
    if (isListed) {
      shown.count += 1;
      shown.last = entry;
    }
    yield sources.areSeveral ? { ...log, case: sources.nameOf(log, ofCase) } : log;
  }
}

/** Rounds the score to the digits of a 32-bit float. */
function withRoundScore(log: Found): Found {
  return log.score === undefined ? log : { ...log, score: Number(log.score.toPrecision(7)) };
}

async function printLogs(task: SearchTask, kind: PrintedLogFormat, terminal: Terminal): Promise<void> {
  const shown: Shown = { count: 0 };
  const rows = logRows(countListed(task, shown), {
    hasCases: task.sources.areSeveral,
    marksHits: task.options.context !== undefined,
    hasScores: task.options.best,
    highlight: task.highlight,
    chosen: task.options.columns,
    zone: task.options.zone,
  });
  const { xlsx } = task.options;
  if (xlsx !== undefined) {
    await writeOutput(await rowsWorkbook(rows, 'Logs'), { path: xlsx, terminal, isPersonal: true });
    return sayHowMany(task, shown, terminal);
  }
  const text =
    kind === 'json'
      ? jsonReport(task, formatLogs(rows, kind, terminal.stdout), shown)
      : formatLogs(rows, kind, terminal.stdout);
  await printPieces(text, terminal);
  if (kind !== 'json') await sayHowMany(task, shown, terminal);
  const isCut = task.limit !== undefined && task.limit <= shown.count;
  if (kind === 'table' && !task.after && !isCut)
    await explainFewResults(task.sources, { ...task.filtered, count: shown.count }, terminal);
}

async function* jsonReport(
  task: SearchTask,
  list: AsyncIterable<string>,
  shown: Shown,
): AsyncGenerator<string, void, undefined> {
  const head = {
    query: task.query,
    order: task.options.best ? 'best' : orderOf(task),
    total: await total(task),
  };
  yield `${toJson(head, 2).slice(0, -2)},\n  "logs": `;
  let last = '';
  for await (const piece of list) {
    if (last !== '') yield last;
    last = piece;
  }
  const cursor = nextPlace(task, shown);
  yield cursor === undefined ? last : `${last.trimEnd()},\n  "after": ${toJson(cursor)}\n`;
  yield '}\n';
}

/** The cursor of the next page, if there may be one. */
function nextPlace(task: SearchTask, { count, last }: Shown): string | undefined {
  const { limit } = task;
  if (limit === undefined || count < limit || !last) return undefined;
  const { time } = last.log;
  const cursor = { ...(time !== undefined && { time }), ofCase: last.ofCase, id: last.id };
  return last.score === undefined
    ? formatCursor(cursor)
    : formatScoreCursor({ ...cursor, score: last.score });
}

async function sayHowMany(task: SearchTask, shown: Shown, terminal: Terminal): Promise<void> {
  const { options, after } = task;
  if (shown.count === 0)
    return terminal.message(after ? 'There are no logs after that position.' : 'No log matches.');
  const cursor = nextPlace(task, shown);
  const count = cursor === undefined && !after ? shown.count : await total(task);
  const logs = formatCount(count, 'log');
  if (count === shown.count) return terminal.message(`${logs}.`);
  const which = after
    ? `${formatNumber(shown.count)} more`
    : `The ${options.best ? 'most relevant' : options.oldest ? 'oldest' : 'newest'} ${formatNumber(shown.count)}`;
  const more = cursor === undefined ? '' : `; --limit N or --all shows more, --after ${cursor} the next page`;
  terminal.message(`${which} of ${logs}${more}.`);
}

async function writeParquet(task: SearchTask, path: string, terminal: Terminal): Promise<void> {
  const { sources, scored, signal, limit } = task;
  const cases = await Promise.all(
    sources.logs.map(async (log, index) => {
      const options = streamOptions(task, index);
      const from = await caseWith(log, scored.filter, options);
      return { from, name: sources.names[index] ?? '', options };
    }),
  );
  const count = await writeLogsToParquet(path, cases, {
    filter: scored.filter,
    order: orderOf(task),
    signal,
    ...(limit !== undefined && { limit }),
  });
  terminal.message(
    `${formatNumber(count)} of ${formatNumber(await total(task))} logs written to "${escapeUnsafe(path)}".`,
  );
}

/** Formats a position in time order for `--after`: time, number of the case and id. */
function formatCursor({ time, ofCase, id }: CursorInCases): string {
  return `${time ?? ''}:${ofCase}:${id}`;
}

/** Parses a position in time order. Throws `UsageError`. */
function parseCursor(text: string | undefined): CursorInCases | undefined {
  if (text === undefined) return undefined;
  const [, time, ofCase, id] = /^(-?\d{1,16})?:(\d{1,6}):(\d{1,15})$/.exec(text) ?? [];
  if (ofCase === undefined || id === undefined)
    throw new UsageError(
      `--after must be a position printed by an earlier page, such as 1741768530123:0:42, got "${text}"`,
    );
  return { ...(time !== undefined && { time: Number(time) }), ofCase: Number(ofCase), id: Number(id) };
}

/** Formats a position in relevance order: the score, then the position in time order. */
function formatScoreCursor({ score, ...cursor }: ScoredCursorInCases): string {
  return `${score}:${formatCursor(cursor)}`;
}

/** Parses a position in relevance order. Throws `UsageError`. */
function parseScoreCursor(text: string | undefined): ScoredCursorInCases | undefined {
  if (text === undefined) return undefined;
  const [, score, rest] = /^(\d[\d.e+-]{0,30}):(.*:.*:.*)$/.exec(text) ?? [];
  const cursor = score !== undefined && Number.isFinite(Number(score)) ? parseCursor(rest) : undefined;
  if (cursor === undefined)
    throw new UsageError(
      `--after with --best must be a position printed by an earlier page with --best, such as 2.5:1741768530123:0:42, got "${text}"`,
    );
  return { ...cursor, score: Number(score) };
}

/** The arguments of a search. */
interface SearchArguments {
  readonly query: string;
  readonly source: readonly string[];
}

/** The query of a search without one. */
const everyLog = '*:*';

/**
 * Reads a query and its sources. The query is absent if its place has the only source, or the path of a case. A
 * single word beside sources is always a query, even if a file has that name. Reports a query that is a file's name.
 * Throws a `UsageError` without a source.
 */
async function readSearchArguments(
  { query, source }: SearchArguments,
  terminal: Pick<Terminal, 'message'>,
): Promise<SearchArguments> {
  const isQueryAbsent = source.length === 0 ? isSource(query) : await isNamedCase(query);
  if (isQueryAbsent) return { query: everyLog, source: [query, ...source] };
  if (source.length === 0) {
    throw new UsageError(
      `search requires a source, and "${query}" is no file: logquarry search ${quoteForShell(query)} SOURCE`,
    );
  }
  if (existsSync(query)) terminal.message(noteOfFile(query, source));
  return { query, source };
}

/** True for the address of a cluster and for a case whose path is more than a word, such as one with an extension. */
async function isNamedCase(text: string): Promise<boolean> {
  return isClusterAddress(text) || (/[./\\]/.test(text) && (await isDatabase(text)) === true);
}

function noteOfFile(query: string, source: readonly string[]): string {
  const files = sourceWords([query, ...source]);
  const name = escapeUnsafe(query);
  return `"${name}" is read as the query, though a file has this name. To search the file too: logquarry search ${quoteForShell(everyLog)} ${files}`;
}

/**
 * Returns a function to the spans of a log that a query matches; undefined without a terminal and
 * without colours, where nothing is marked. Times are left out: they are shown in another form.
 */
function createHighlighter(
  query: Filter,
  { width, style }: OutputStyle,
): ((log: Log) => readonly Highlight[]) | undefined {
  if (width === undefined && style.inverse('') === '') return undefined;
  return (log) =>
    highlightMatches(query, log).filter(({ field, spans }) => field !== 'time' && 0 < spans.length);
}
