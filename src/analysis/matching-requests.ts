import type { ValueCount } from '../case/index.ts';
import { boolFilter, type Filter } from '../language/index.ts';
import { facets } from './facets.ts';
import { type Asked, countLogs } from './log-source.ts';

const requestId = { name: 'requestID', type: 'keyword', about: 'The id of the request' } as const;

/**
 * Selects the logs of one request; compares the whole id, not its words.
 *
 * ```ts
 * const request = requestFilter('faec5611-5258-436f-a528-61b55112ddb7');
 * for await (const { log } of streamLogs(incident, request)) console.log(log.msg);
 * ```
 */
export function requestFilter(id: string): Filter {
  return { kind: 'term', field: requestId, term: id };
}

/** Requests with their numbers of logs, the most frequent first, and the number of logs of others. */
export interface MatchingRequests {
  readonly requests: readonly (ValueCount & { readonly value: string })[];
  readonly others: number;
}

/**
 * Returns the requests of an id, or of its beginning, in the logs that a filter selects. A request
 * with exactly this id is the only one; else at most `limit` begin with it.
 */
export async function matchingRequests(
  cases: readonly Asked[],
  id: string,
  { filter, limit }: { readonly filter: Filter; readonly limit: number },
): Promise<MatchingRequests> {
  const exact = boolFilter({ must: [requestFilter(id), filter] });
  const counts = await Promise.all(cases.map((each) => countLogs(each, exact)));
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (0 < count || id === '') return { requests: count === 0 ? [] : [{ value: id, count }], others: 0 };
  const prefix: Filter = { kind: 'prefix', field: requestId, prefix: id };
  const found = await facets(cases, 'requestID', { filter: boolFilter({ must: [prefix, filter] }), limit });
  const requests = found.values.flatMap(({ value, count }) =>
    value === undefined ? [] : [{ value: String(value), count }],
  );
  return { requests, others: found.others };
}
