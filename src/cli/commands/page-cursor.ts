import type { CursorInCases, ScoredCursorInCases } from '../../analysis/index.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Formats a position in time order for `--after`: time, number of the case and id. */
export function formatCursor({ time, ofCase, id }: CursorInCases): string {
  return `${time ?? ''}:${ofCase}:${id}`;
}

/** Parses a position in time order. Throws `UsageError`. */
export function parseCursor(written: string | undefined): CursorInCases | undefined {
  if (written === undefined) return undefined;
  const [, time, ofCase, id] = /^(-?\d{1,16})?:(\d{1,6}):(\d{1,15})$/.exec(written) ?? [];
  if (ofCase === undefined || id === undefined)
    throw new UsageError(
      `--after must be a position printed by an earlier page, such as 1741768530123:0:42, got "${written}"`,
    );
  return { ...(time !== undefined && { time: Number(time) }), ofCase: Number(ofCase), id: Number(id) };
}

/** Formats a position in relevance order: the score, then the position in time order. */
export function formatScoreCursor({ score, ...place }: ScoredCursorInCases): string {
  return `${score}:${formatCursor(place)}`;
}

/** Parses a position in relevance order. Throws `UsageError`. */
export function parseScoreCursor(written: string | undefined): ScoredCursorInCases | undefined {
  if (written === undefined) return undefined;
  const [, score, rest] = /^(\d[\d.e+-]{0,30}):(.*:.*:.*)$/.exec(written) ?? [];
  const place = score !== undefined && Number.isFinite(Number(score)) ? parseCursor(rest) : undefined;
  if (place === undefined)
    throw new UsageError(
      `--after with --best must be a position printed by an earlier page with --best, such as 2.5:1741768530123:0:42, got "${written}"`,
    );
  return { ...place, score: Number(score) };
}
