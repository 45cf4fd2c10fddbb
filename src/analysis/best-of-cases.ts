import { type ScoredLog, streamBest } from '../case/index.ts';
import type { Scored } from '../language/index.ts';
import { joinStatistics } from '../language/index.ts';
import { type Asked, caseWith, relevanceStatistics } from './log-source.ts';
import {
  type CursorInCases,
  compareTimes,
  cursorInCase,
  type LogOfCase,
  mergeStreams,
} from './several-cases.ts';

/** A cursor in the relevance order of the logs of several cases. */
export interface ScoredCursorInCases extends CursorInCases {
  readonly score: number;
}

/** Selection of logs of several cases. */
export interface BestOfCasesOptions {
  /** Maximum number of logs. */
  readonly limit?: number;
  /** Only logs after this cursor, which stays valid as long as no logs are added. */
  readonly after?: ScoredCursorInCases;
  /** Aborts the stream, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Yields the logs of several cases that a filter selects, most relevant first. Scores are computed
 * as if all logs were in one case, so that the case of a log does not matter. Equal scores are
 * ordered newest first, equal times by the order of their cases.
 *
 * ```ts
 * const scored = resolveScored(parse('timeout database').query);
 * for await (const { log, score, ofCase } of bestOfCases([incident], scored, { limit: 10 })) console.log(ofCase, score, log.msg);
 * ```
 */
export async function* bestOfCases(
  cases: readonly Asked[],
  scored: Scored,
  { limit, after, signal }: BestOfCasesOptions,
): AsyncGenerator<LogOfCase<ScoredLog>, void, undefined> {
  const known = await Promise.all(cases.map((each) => relevanceStatistics(each, scored.filter)));
  const statistics = joinStatistics(known);
  const copied = await Promise.all(cases.map((each) => caseWith(each, scored.filter)));
  const streams = copied.map((each, index) =>
    streamBest(each, scored, {
      statistics,
      ...(limit !== undefined && { limit }),
      ...(signal && { signal }),
      ...(after && { after: { ...cursorInCase(after, index, 'newest'), score: after.score } }),
    }),
  );
  yield* mergeStreams(
    streams,
    (first, second) => second.score - first.score || compareTimes(first, second, 'newest'),
  );
}
