import type { PageState } from '../state/page-state.ts';

/** Quotes a word for a shell, if necessary. */
export function shellWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The command line that shows what a view shows. */
export function commandOf(state: PageState, paths: readonly string[]): string {
  const sources = paths.map(shellWord).join(' ');
  const iso = (time: number) => new Date(time).toISOString();
  const times = [
    ...(state.from === undefined ? [] : [`--from ${iso(state.from)}`]),
    ...(state.to === undefined ? [] : [`--to ${iso(state.to)}`]),
  ];
  const query = state.q.trim() === '' ? '*:*' : state.q;
  const words = ((): readonly string[] => {
    switch (state.view) {
      case 'search':
        return [
          'search',
          shellWord(query),
          sources,
          ...times,
          ...(state.order === 'oldest' ? ['--oldest'] : []),
        ];
      case 'patterns':
        return ['patterns', sources, `--search ${shellWord(withTimes(query, state))}`];
      case 'investigate':
      case 'detections':
      case 'services':
        return [
          state.view === 'detections' ? 'detect' : state.view,
          sources,
          `--search ${shellWord(withTimes(query, state))}`,
        ];
      case 'changes':
        return ['diff', ...changesWords(state), sources];
      case 'trace':
        return ['trace', shellWord(state.request ?? 'ID'), sources];
      case 'sql':
        return ['sql', shellWord(state.sql ?? ''), sources];
      case 'notes':
        return ['note list', sources, ...(state.tag === undefined ? [] : [`--tag ${shellWord(state.tag)}`])];
      case 'coverage':
        return ['coverage', sources];
      case 'overview':
        return ['overview', sources];
    }
  })();
  return ['logquarry', ...words].join(' ');
}

/** A query with the interval of a state as a clause. */
function withTimes(query: string, { from, to }: PageState): string {
  if (from === undefined && to === undefined) return query;
  const bound = (time: number | undefined) =>
    time === undefined ? '*' : `"${new Date(time).toISOString()}"`;
  const range = `time:[${bound(from)} TO ${bound(to)}]`;
  return query === '*:*' ? range : `(${query}) AND ${range}`;
}

function changesWords({ before, from, to }: PageState): readonly string[] {
  const [first, last] = before?.split('~') ?? ['FROM', 'TO'];
  const iso = (time: number | undefined, missing: string) =>
    time === undefined ? missing : new Date(time).toISOString();
  return [`${first}..${last}`, `${iso(from, 'FROM')}..${iso(to, 'TO')}`];
}
