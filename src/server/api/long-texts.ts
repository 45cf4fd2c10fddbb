/** Longest text of an answer, in UTF-16 units. A megabyte in each bucket of a histogram is more than a browser takes. */
const longest = 10_000;

/** Members whose text is used, not shown: the beginning of a query is another query. */
const used: ReadonlySet<string> = new Set(['query', 'sql']);

/** Returns an answer whose long texts are cut. Queries that are too long are left out. */
export function cutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') return longest < value.length ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) return value.map(cutLongTexts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, each]) => !isLongQuery(name, each));
  return Object.fromEntries(entries.map(([name, each]) => [name, cutLongTexts(each)]));
}

function isLongQuery(name: string, value: unknown): boolean {
  return used.has(name) && typeof value === 'string' && longest < value.length;
}
