import type { Fix } from '../../language/finding.ts';
import type { Reading } from '../../meaning/clauses.ts';
import { explicit } from '../../meaning/explicit.ts';
import type { Level } from '../views/level.ts';
import { queryOf } from '../views/query-of.ts';
import type { QueryView } from '../views/query-view.ts';

/** A level of more UTF-16 units is not rewritten: nobody could check the result, and many would take long. */
const longestRewritten = 2000;

/**
 * The ways to write a level on which the server and a person agree: the safe
 * form of section 2.2 of the language specification, of what a person reads
 * and of what the server does. The latter never changes which logs are found.
 */
export function rewriteFixes(level: Level, view: QueryView): Fix[] {
  // Nobody who writes a plus means the reading in which it says nothing.
  const hasPlus = level.members.some(({ modifier }) => modifier === 'required');
  const meant = hasPlus ? [] : rewrite('ordinary', { level, view, title: 'Write what was probably meant' });
  return [...meant, ...serverFix(level, view)];
}

/** The way to write a level that says what the server does with it, without a plus. */
export function serverFix(level: Level, view: QueryView): Fix[] {
  return rewrite('server', { level, view, title: 'Write what the server does' });
}

interface Rewriting {
  readonly level: Level;
  readonly view: QueryView;
  readonly title: string;
}

function rewrite(reading: Reading, { level, view, title }: Rewriting): Fix[] {
  const { parts } = level;
  const [from, to] = [parts[0]?.from ?? 0, parts.at(-1)?.to ?? 0];
  if (longestRewritten < to - from || !isSoundThroughout(level, view)) return [];
  const written = view.text().slice(from, to);
  const { text } = explicit(queryOf(parts), {
    schema: { fields: view.schema.fields, defaults: view.searched(level) },
    now: view.now,
    reading,
    // What was one line stays one.
    ...(written.includes('\n') ? {} : { width: Number.POSITIVE_INFINITY }),
  });
  return text === written ? [] : [{ title, edits: [{ from, to, insert: text }] }];
}

/** Whether nothing is to be mended inside first. */
function isSoundThroughout({ sound, members }: Level, view: QueryView): boolean {
  return (
    sound &&
    members.every(
      ({ clauses: [{ item }] }) => item.kind !== 'Group' || isSoundThroughout(view.level(item), view),
    )
  );
}
