import type { PlaceInCases } from '../analysis/index.ts';
import { UsageError } from './usage-error.ts';

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
