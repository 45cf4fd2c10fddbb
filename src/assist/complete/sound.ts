import { parse } from '../../language/parse.ts';

/**
 * Whether a text has no problem that another one does not have as well, as a
 * function that counts those of the other one once.
 */
export function noWorseThan(text: string): (changed: string) => boolean {
  const known = problemsOf(text);
  return (changed) => [...problemsOf(changed)].every(([code, count]) => count <= (known.get(code) ?? 0));
}

/** How many of each kind of problem the parser finds. */
function problemsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of parse(text).findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
