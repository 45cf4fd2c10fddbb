import { explainPoorResult, fewLogs, queryParts } from '../../analysis/index.ts';
import { poorResultLines } from '../output/poor-result-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { logFilterParts, readLogFilters } from './log-filters.ts';
import type { Sources } from './open-sources.ts';
import type { FilteredQuery } from './read-filtered-query.ts';

/** Reports what each clause and each option beside the query finds alone, if they select few logs together. */
export async function sayWhyFew(
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
  for (const line of poorResultLines({ parts: lines, isComplete }, options.zone)) terminal.say(line);
}
