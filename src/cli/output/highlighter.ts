import type { Filter } from '../../language/index.ts';
import { type Highlight, highlightMatches } from '../../language/index.ts';
import type { Log } from '../../records/index.ts';
import type { Face } from '../terminal/terminal.ts';

/**
 * Returns a function to the spans of a log that a query matches; undefined without a terminal and
 * without colours, where nothing is marked. Times are left out: they are shown in another form.
 */
export function createHighlighter(
  query: Filter,
  { width, style }: Face,
): ((log: Log) => readonly Highlight[]) | undefined {
  if (width === undefined && style.inverse('') === '') return undefined;
  return (log) =>
    highlightMatches(query, log).filter(({ field, spans }) => field !== 'time' && 0 < spans.length);
}
