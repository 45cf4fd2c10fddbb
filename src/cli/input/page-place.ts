import type { PlaceInCases, ScoredPlaceInCases } from '../../analysis/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** A place in the order of logs as a word, for `--after`: time, number of the case and id. */
export function placeText({ time, ofCase, id }: PlaceInCases): string {
  return `${time ?? ''}:${ofCase}:${id}`;
}

/** The place that a word means. */
export function readPlace(written: string | undefined): PlaceInCases | undefined {
  if (written === undefined) return undefined;
  const [, time, ofCase, id] = /^(-?\d{1,16})?:(\d{1,6}):(\d{1,15})$/.exec(written) ?? [];
  if (ofCase === undefined || id === undefined)
    throw new UsageError(
      `"--after" requires a place that an earlier page told, as "1741768530123:0:42", unlike "${written}"`,
    );
  return { ...(time !== undefined && { time: Number(time) }), ofCase: Number(ofCase), id: Number(id) };
}

/** A place in the order by relevance as a word: the score before the rest. */
export function scoredPlaceText({ score, ...place }: ScoredPlaceInCases): string {
  return `${score}:${placeText(place)}`;
}

/** The place in the order by relevance that a word means. */
export function readScoredPlace(written: string | undefined): ScoredPlaceInCases | undefined {
  if (written === undefined) return undefined;
  const [, score, rest] = /^(\d[\d.e+-]{0,30}):(.*:.*:.*)$/.exec(written) ?? [];
  const place = score !== undefined && Number.isFinite(Number(score)) ? readPlace(rest) : undefined;
  if (place === undefined)
    throw new UsageError(
      `"--after" with "--best" requires a place that an earlier page with it told, as "2.5:1741768530123:0:42", unlike "${written}"`,
    );
  return { ...place, score: Number(score) };
}
