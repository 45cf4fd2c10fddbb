import type { Reading } from '../meaning/clauses.ts';
import { explicit } from '../meaning/explicit.ts';
import type { Fix } from '../parse/finding.ts';
import type { QueryLevel } from './level.ts';
import { queryOfParts } from './query-of-parts.ts';
import type { QueryView } from './query-view.ts';

/** The longest level that is rewritten, in UTF-16 units: nobody could check the result of a longer one. */
const longestRewritten = 2000;

/**
 * Fixes that write a level in the safe form of section 2.2 of the language
 * specification: as a person reads it, and as the server does. The latter never
 * changes which logs are found.
 */
export function rewriteFixes(level: QueryLevel, view: QueryView): Fix[] {
  // In a person's reading a plus has no effect, which nobody who writes one means.
  const hasPlus = level.members.some(({ modifier }) => modifier === 'required');
  const meant = hasPlus ? [] : rewrite('ordinary', { level, view, title: 'Write what was probably meant' });
  return [...meant, ...serverFix(level, view)];
}

/** A fix that writes a level as the server reads it, without a plus. */
export function serverFix(level: QueryLevel, view: QueryView): Fix[] {
  return rewrite('server', { level, view, title: 'Write what the server does' });
}

interface Rewriting {
  readonly level: QueryLevel;
  readonly view: QueryView;
  readonly title: string;
}

function rewrite(reading: Reading, { level, view, title }: Rewriting): Fix[] {
  const { parts } = level;
  const [from, to] = [parts[0]?.from ?? 0, parts.at(-1)?.to ?? 0];
  if (longestRewritten < to - from || !isSoundThroughout(level, view)) return [];
  const written = view.text().slice(from, to);
  const { text } = explicit(queryOfParts(parts), {
    schema: { fields: view.schema.fields, defaults: view.searched(level) },
    now: view.now,
    reading,
    // One line stays one line.
    ...(written.includes('\n') ? {} : { width: Number.POSITIVE_INFINITY }),
  });
  return text === written ? [] : [{ title, edits: [{ from, to, insert: text }] }];
}

/** Returns whether the level and all levels inside it are sound. */
function isSoundThroughout({ sound, members }: QueryLevel, view: QueryView): boolean {
  return (
    sound &&
    members.every(
      ({ clauses: [{ item }] }) => item.kind !== 'Group' || isSoundThroughout(view.level(item), view),
    )
  );
}
