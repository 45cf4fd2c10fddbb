import { type ComparedIntervals, comparedIntervals, type TimeSpan } from '../state/compared-intervals.ts';
import type { PageState } from '../state/page-state.ts';
import { usualColumns } from '../state/page-state.ts';

/** Quotes a word for a shell, if necessary. */
export function shellWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The sources of a page, as a command names them. */
export interface CommandContext {
  /** Words of a command line. */
  readonly paths: readonly string[];
  /** First and last time of the logs, which some views begin with. */
  readonly span: TimeSpan;
}

/** The command line that shows what a view shows. */
export function commandOf(state: PageState, { paths, span }: CommandContext): string {
  const query = state.q.trim() === '' ? undefined : state.q;
  const zone = state.zone === 'UTC' ? [] : ['--zone', state.zone];
  const searched = query === undefined ? [] : ['--search', query];
  switch (state.view) {
    case 'search':
      return line('search', [query ?? '*:*', ...paths], [...times(state), ...searchOptions(state), ...zone]);
    case 'patterns':
    case 'investigate':
    case 'services':
      return line(state.view, paths, [...searched, ...times(state), ...zone]);
    case 'detections':
      return line('detect', paths, [...searched, ...times(state), ...zone]);
    case 'changes':
      return line(
        'diff',
        [...diffIntervals(comparedIntervals(state, span)), ...paths],
        [...searched, ...zone],
      );
    case 'trace':
      return line('trace', [state.request ?? 'ID', ...paths], zone);
    case 'sql':
      return line('sql', [state.sql ?? exampleSql, paths[state.sqlCase ?? 0] ?? ''], zone);
    case 'notes':
      return line('note list', paths, [...(state.tag === undefined ? [] : ['--tag', state.tag]), ...zone]);
    case 'coverage':
    case 'overview':
      return line(state.view, paths, zone);
    case 'export':
      return `logquarry export --profile NAME --from now-6h --into ${paths.map(shellWord).join(' ') || 'incident.duckdb'}`;
    case 'cases':
      return line('ui', paths, []);
  }
}

/** The command line that shows one log whole. */
export function showCommandOf(id: number, path: string): string {
  return line('show', [String(id), path], []);
}

/** SQL that the view of SQL begins with. */
export const exampleSql = `SELECT source, count(*) AS logs, max(elapsed) AS slowest
FROM logs GROUP BY source ORDER BY logs DESC LIMIT 20`;

/** A command line; `--` keeps arguments that begin with a dash from being options. */
function line(command: string, words: readonly string[], options: readonly string[]): string {
  const ends = words.some((word) => word.startsWith('-')) ? ['--'] : [];
  const parts = ends.length === 0 ? [...words, ...options] : [...options, ...ends, ...words];
  return ['logquarry', command, ...parts.map(shellWord)].join(' ');
}

function times({ from, to }: PageState): readonly string[] {
  return [
    ...(from === undefined ? [] : ['--from', iso(from)]),
    ...(to === undefined ? [] : ['--to', iso(to)]),
  ];
}

function searchOptions({ order, columns }: PageState): readonly string[] {
  return [
    ...(order === 'oldest' ? ['--oldest'] : []),
    ...(columns.join() === usualColumns.join() ? [] : ['--columns', columns.join()]),
  ];
}

/** Intervals as `diff` takes them: the end of each is not in it. */
function diffIntervals({ before, after }: Partial<ComparedIntervals>): readonly string[] {
  return [before, after].map((each) => (each ? `${iso(each.from)}..${iso(each.to + 1)}` : 'FROM..TO'));
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
