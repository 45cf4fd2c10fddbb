import { parse } from '../parse/parse.ts';

/** A test whether a changed text has no more syntax errors of any kind than the original one. */
export function noWorseThan(text: string): (changed: string) => boolean {
  const known = problemsOf(text);
  return (changed) => [...problemsOf(changed)].every(([code, count]) => count <= (known.get(code) ?? 0));
}

/** The number of syntax errors by code. */
function problemsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of parse(text).findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
