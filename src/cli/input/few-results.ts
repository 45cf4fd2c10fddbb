import { explainPoorResult, fewLogs, isCase, queryParts, timeSpan } from '../../analysis/index.ts';
import { timesOfCase } from '../../case/index.ts';
import { matchAllFilter } from '../../language/index.ts';
import { poorResultLines } from '../output/few-results.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatTime, zoneNote } from '../terminal/time-format.ts';
import { type FilteredQuery, type LogFilterValues, logFilterParts, readLogFilters } from './log-filters.ts';
import type { Sources } from './open-sources.ts';

/** Reports what each clause and each option beside the query finds alone, if they select few logs together. */
export async function explainFewResults(
  { logs }: Pick<Sources, 'logs'>,
  { query, engine, options, now, count }: FilteredQuery & { readonly count: number },
  terminal: Terminal,
): Promise<void> {
  if (fewLogs <= count) return;
  const clauses = query === undefined ? [] : queryParts(query, engine);
  const asking = clauses.filter(({ filter }) => filter.kind !== 'all');
  const beside = logFilterParts(readLogFilters(options, now), options.zone);
  const { parts, isComplete } = await explainPoorResult(logs, [...asking, ...beside]);
  const texts = new Set(beside.map(({ text }) => text));
  // `noteNewestLog` reports the times of the logs for the options.
  const lines = parts.map(({ span, ...part }) =>
    span === undefined || texts.has(part.text) ? part : { ...part, span },
  );
  for (const line of poorResultLines({ parts: lines, isComplete }, options.zone)) terminal.message(line);
}

/**
 * Reports the times of the logs if --last, --from and --to select nothing because all logs are older or
 * newer. `now` is in milliseconds since the epoch.
 */
export async function noteNewestLog(
  { logs }: Pick<Sources, 'logs'>,
  { options, now }: { readonly options: TimeOptions; readonly now: number },
  terminal: Terminal,
): Promise<void> {
  const { from, to, last, zone } = options;
  if (from === undefined && to === undefined && last === undefined) return;
  const spans = await Promise.all(
    logs.map((log) => (isCase(log) ? timesOfCase(log) : undefined) ?? timeSpan(log, matchAllFilter)),
  );
  const oldest = Math.min(...spans.map((span) => span.first ?? Number.POSITIVE_INFINITY));
  const newest = Math.max(...spans.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  if (newest < oldest) return;
  const time = (at: number) => `${formatTime(at, zone)}${zoneNote(zone)}`;
  if (last !== undefined && newest < now - last)
    terminal.message(
      `--last selects no log: the newest one is from ${time(newest)}. To select before that time instead: --from "${formatTime(newest - last, zone)}"`,
    );
  if (newest < (from?.(now, zone) ?? newest))
    terminal.message(`--from selects no log: the newest one is from ${time(newest)}.`);
  if ((to?.(now, zone) ?? oldest) < oldest)
    terminal.message(`--to selects no log: the oldest one is from ${time(oldest)}.`);
}

/** The options of a time range. */
type TimeOptions = Pick<LogFilterValues, 'from' | 'to' | 'last' | 'zone'>;
