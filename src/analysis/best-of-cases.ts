import type { Scored } from '../meaning/relevance/scored.ts';
import { joinStatistics } from '../meaning/relevance/statistics.ts';
import { type Case, relevanceStatistics, type ScoredLog, streamBest } from '../store/index.ts';
import {
  compareTimes,
  type LogOfCase,
  mergeStreams,
  type PlaceInCases,
  placeInCase,
} from './several-cases.ts';

/** A place in the order by relevance of the logs of several cases. */
export interface ScoredPlaceInCases extends PlaceInCases {
  readonly score: number;
}

/** Which of the logs of several cases are wanted. */
export interface BestOfCasesOptions {
  /** At most this many. */
  readonly limit?: number;
  /** Only those behind this place, which is the same as long as no logs are added. */
  readonly after?: ScoredPlaceInCases;
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The logs of several cases that a filter selects, the most relevant first.
 * They are scored as if they were in one case, so that it does not matter to
 * which case a log was added; those that are as relevant come newest first,
 * and those of the same time in the order of their cases.
 */
export async function* bestOfCases(
  cases: readonly Case[],
  scored: Scored,
  { limit, after, signal }: BestOfCasesOptions,
): AsyncGenerator<LogOfCase<ScoredLog>, void, undefined> {
  const known = await Promise.all(cases.map((each) => relevanceStatistics(each, scored.filter)));
  const statistics = joinStatistics(known);
  const streams = cases.map((each, index) =>
    streamBest(each, scored, {
      statistics,
      ...(limit !== undefined && { limit }),
      ...(signal && { signal }),
      ...(after && { after: { ...placeInCase(after, index, 'newest'), score: after.score } }),
    }),
  );
  yield* mergeStreams(
    streams,
    (first, second) => second.score - first.score || compareTimes(first, second, 'newest'),
  );
}
