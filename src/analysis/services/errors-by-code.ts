import { type Case, countErrors, type ErrorCount } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';

/** Logs of level SEVERE or WARNING with the same code. */
export type RankedError = ErrorCount;

/** Ranks the codes of errors and warnings that a filter selects: errors first, then the most frequent. */
export async function errorsByCode(
  cases: readonly Case[],
  filter: Filter,
  signal?: AbortSignal,
): Promise<readonly RankedError[]> {
  const found = await Promise.all(cases.map((from) => countErrors(from, filter, { signal })));
  const joined = new Map<string, RankedError>();
  for (const each of found.flat()) {
    const key = `${each.level} ${each.code}`;
    const known = joined.get(key);
    joined.set(key, known ? join(known, each) : each);
  }
  return [...joined.values()].sort(
    (first, second) =>
      compare(first.level, second.level) ||
      second.count - first.count ||
      (first.first ?? 0) - (second.first ?? 0) ||
      compare(String(first.code), String(second.code)),
  );
}

function join(one: RankedError, other: RankedError): RankedError {
  const isOneFirst = (one.first ?? Number.POSITIVE_INFINITY) <= (other.first ?? Number.POSITIVE_INFINITY);
  const [earlier, later] = isOneFirst ? [one, other] : [other, one];
  const lasts = [one.last ?? [], other.last ?? []].flat();
  return {
    ...earlier,
    count: one.count + other.count,
    last: lasts.length === 0 ? undefined : Math.max(...lasts),
    source: earlier.source ?? later.source,
    message: earlier.message ?? later.message,
  };
}

/** "SEVERE" precedes "WARNING" in the order of code units. */
function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
