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
  { arguments: written, options, terminal }: CommandCall<typeof searchSpec>,
  opening: OpeningCase,
): Promise<ExitCode> => {
  const format = await readLogFormat(options);
  const after = options.best ? parseScoreCursor(options.after) : parseCursor(options.after);
  const logZone = logZoneOf(options);
  const given = await readSearchArguments(written, terminal);
  const filtered = { query: given.query, engine: options.engine, options, now: Date.now() };
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
  await using sources = await openSources(given.source, { logZone, clusters: 'read', opening }, terminal);
  await noteNewestLog(sources, filtered, terminal);
  const scored = await expandFuzzy(sources.logs, read);
  // A file is an output like a pipe.
  const isFile = format.kind === 'parquet' || options.xlsx !== undefined;
  const output = isFile ? { width: undefined } : terminal.stdout;
  const limit = options.all ? undefined : options.limit(output);
  const asked: Omit<Asked, 'signal'> = {
    sources,
    scored,
    filtered,
    query: given.query,
    options,
    after,
    format,
    limit,
    highlight: createHighlighter(read.query, terminal.stdout),
  };
  const work = { ...asked, signal: terminal.interruption() };
  if (options.count) await printCount(asked, terminal);
  else if (format.kind === 'parquet') await writeParquet(work, format.path, terminal);
  else await printLogs(work, format.kind, terminal);
  return sources.outcome;
};

interface Asked {
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

async function total({ sources, scored }: Pick<Asked, 'sources' | 'scored'>): Promise<number> {
  const counts = await Promise.all(sources.logs.map((log) => countLogs(log, scored.filter)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function printCount(asked: Omit<Asked, 'signal'>, terminal: Terminal): Promise<void> {
  const count = await total(asked);
  const isJson = asked.format.kind === 'json' || asked.format.kind === 'ndjson';
  await terminal.print(isJson ? `${toJson({ query: asked.query, count })}\n` : `${count}\n`);
}

function orderOf({ options }: Asked): LogOrder {
  return options.oldest ? 'oldest' : 'newest';
}

/** Stream options for one of the cases. */
function streamOptions(asked: Asked, index: number): StreamOptions {
  const { limit } = asked;
  const order = orderOf(asked);
  return {
    order,
    signal: asked.signal,
    ...(limit !== undefined && { limit }),
    ...(asked.after && { after: cursorInCase(asked.after, index, order) }),
  };
}

/** A hit, or a log of its context. */
type Found = LogOfCase<
  StoredLog & Partial<Pick<ListedInContext, 'isHit' | 'isListed'>> & { readonly score?: number }
>;

/** Yields the hits of all cases, with their context if requested. */
async function* found(asked: Asked): AsyncGenerator<Found> {
  const { sources, scored, options, after, signal, limit } = asked;
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
      order: orderOf(asked),
      signal,
      ...(limit !== undefined && { limit }),
      ...(after && { after }),
    });
  const streams = sources.logs.map((log, index) => streamLogs(log, filter, streamOptions(asked, index)));
  yield* upTo(mergeLogs(streams, orderOf(asked)), limit);
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

async function* countListed(asked: Asked, shown: Shown): AsyncGenerator<PrintedLog, void, undefined> {
  const { sources, options } = asked;
  for await (const each of found(asked)) {
    const { ofCase, isListed = options.context === undefined, ...log } = withRoundScore(each);
    if (isListed) {
      shown.count += 1;
      shown.last = each;
    }
    yield sources.areSeveral ? { ...log, case: sources.nameOf(log, ofCase) } : log;
  }
}

/** Rounds the score to the digits of a 32-bit float. */
function withRoundScore(log: Found): Found {
  return log.score === undefined ? log : { ...log, score: Number(log.score.toPrecision(7)) };
}

async function printLogs(asked: Asked, kind: PrintedLogFormat, terminal: Terminal): Promise<void> {
  const shown: Shown = { count: 0 };
  const rows = logRows(countListed(asked, shown), {
    hasCases: asked.sources.areSeveral,
    marksHits: asked.options.context !== undefined,
    hasScores: asked.options.best,
    highlight: asked.highlight,
    chosen: asked.options.columns,
    zone: asked.options.zone,
  });
  const { xlsx } = asked.options;
  if (xlsx !== undefined) {
    await writeOutput(await rowsWorkbook(rows, 'Logs'), { path: xlsx, terminal });
    return sayHowMany(asked, shown, terminal);
  }
  const text =
    kind === 'json'
      ? jsonReport(asked, formatLogs(rows, kind, terminal.stdout), shown)
      : formatLogs(rows, kind, terminal.stdout);
  await printPieces(text, terminal);
  if (kind !== 'json') await sayHowMany(asked, shown, terminal);
  const isCut = asked.limit !== undefined && asked.limit <= shown.count;
  if (kind === 'table' && !asked.after && !isCut)
    await explainFewResults(asked.sources, { ...asked.filtered, count: shown.count }, terminal);
}

async function* jsonReport(
  asked: Asked,
  list: AsyncIterable<string>,
  shown: Shown,
): AsyncGenerator<string, void, undefined> {
  const head = {
    query: asked.query,
    order: asked.options.best ? 'best' : orderOf(asked),
    total: await total(asked),
  };
  yield `${toJson(head, 2).slice(0, -2)},\n  "logs": `;
  let last = '';
  for await (const piece of list) {
    if (last !== '') yield last;
    last = piece;
  }
  const place = nextPlace(asked, shown);
  yield place === undefined ? last : `${last.trimEnd()},\n  "after": ${toJson(place)}\n`;
  yield '}\n';
}

/** The cursor of the next page, if there may be one. */
function nextPlace(asked: Asked, { count, last }: Shown): string | undefined {
  const { limit } = asked;
  if (limit === undefined || count < limit || !last) return undefined;
  const { time } = last.log;
  const place = { ...(time !== undefined && { time }), ofCase: last.ofCase, id: last.id };
  return last.score === undefined ? formatCursor(place) : formatScoreCursor({ ...place, score: last.score });
}

async function sayHowMany(asked: Asked, shown: Shown, terminal: Terminal): Promise<void> {
  const { options, after } = asked;
  if (shown.count === 0)
    return terminal.message(after ? 'There are no logs after that position.' : 'No log matches.');
  const place = nextPlace(asked, shown);
  const count = place === undefined && !after ? shown.count : await total(asked);
  const logs = formatCount(count, 'log');
  if (count === shown.count) return terminal.message(`${logs}.`);
  const which = after
    ? `${formatNumber(shown.count)} more`
    : `The ${options.best ? 'most relevant' : options.oldest ? 'oldest' : 'newest'} ${formatNumber(shown.count)}`;
  const more = place === undefined ? '' : `; --limit N or --all shows more, --after ${place} the next page`;
  terminal.message(`${which} of ${logs}${more}.`);
}

async function writeParquet(asked: Asked, path: string, terminal: Terminal): Promise<void> {
  const { sources, scored, signal, limit } = asked;
  const cases = await Promise.all(
    sources.logs.map(async (log, index) => {
      const options = streamOptions(asked, index);
      const from = await caseWith(log, scored.filter, options);
      return { from, name: sources.names[index] ?? '', options };
    }),
  );
  const count = await writeLogsToParquet(path, cases, {
    filter: scored.filter,
    order: orderOf(asked),
    signal,
    ...(limit !== undefined && { limit }),
  });
  terminal.message(
    `${formatNumber(count)} of ${formatNumber(await total(asked))} logs written to "${escapeUnsafe(path)}".`,
  );
}

/** Formats a position in time order for `--after`: time, number of the case and id. */
function formatCursor({ time, ofCase, id }: CursorInCases): string {
  return `${time ?? ''}:${ofCase}:${id}`;
}

/** Parses a position in time order. Throws `UsageError`. */
function parseCursor(written: string | undefined): CursorInCases | undefined {
  if (written === undefined) return undefined;
  const [, time, ofCase, id] = /^(-?\d{1,16})?:(\d{1,6}):(\d{1,15})$/.exec(written) ?? [];
  if (ofCase === undefined || id === undefined)
    throw new UsageError(
      `--after must be a position printed by an earlier page, such as 1741768530123:0:42, got "${written}"`,
    );
  return { ...(time !== undefined && { time: Number(time) }), ofCase: Number(ofCase), id: Number(id) };
}

/** Formats a position in relevance order: the score, then the position in time order. */
function formatScoreCursor({ score, ...place }: ScoredCursorInCases): string {
  return `${score}:${formatCursor(place)}`;
}

/** Parses a position in relevance order. Throws `UsageError`. */
function parseScoreCursor(written: string | undefined): ScoredCursorInCases | undefined {
  if (written === undefined) return undefined;
  const [, score, rest] = /^(\d[\d.e+-]{0,30}):(.*:.*:.*)$/.exec(written) ?? [];
  const place = score !== undefined && Number.isFinite(Number(score)) ? parseCursor(rest) : undefined;
  if (place === undefined)
    throw new UsageError(
      `--after with --best must be a position printed by an earlier page with --best, such as 2.5:1741768530123:0:42, got "${written}"`,
    );
  return { ...place, score: Number(score) };
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
