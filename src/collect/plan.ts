import { type CoveredInterval, subtractWindows, type Window } from '../export/index.ts';
import { day, type Period, type PeriodKind, periodsIn } from './periods.ts';

/** What the cases of a source have, as far as it decides what to ask for. */
export interface Standing {
  /** The intervals of all its cases, in any order. */
  readonly covered: readonly CoveredInterval[];
  /** The oldest time that is wanted and that the deployment still has. */
  readonly begin: number;
  /** The last time that is over and settled. */
  readonly end: number;
}

/** An interval to ask for, within one period. */
export interface Piece {
  readonly period: Period;
  /** Its times: both ends included. */
  readonly window: Window;
  /** Parts of them that are asked for although the case has them, for logs that came late. */
  readonly repeat?: Window | undefined;
}

/** What to ask for next. */
export interface Plan {
  /** The newest times, and those that are asked for again, the oldest first. */
  readonly fresh: readonly Piece[];
  /** Times that were never asked for and are older, the oldest first: those expire next. */
  readonly backfill: readonly Piece[];
}

/** The newest time that a source has completely; undefined without any. */
export function coveredUntil(covered: readonly CoveredInterval[]): number | undefined {
  const complete = covered.filter(({ state }) => state === 'complete').map(({ newest }) => newest);
  return complete.length === 0 ? undefined : Math.max(...complete);
}

/** Plans what to ask for: the newest times with an overlap in milliseconds, and then what is missing below them. */
export function planPieces(
  { covered, begin, end }: Standing,
  { overlap, period }: { readonly overlap: number; readonly period: PeriodKind },
): Plan {
  const wanted = subtractWindows({ oldest: begin, newest: end }, covered).flatMap((window) =>
    cutAtPeriods(window, period),
  );
  const current = periodsIn({ oldest: end, newest: end }, period)[0]?.oldest ?? end;
  const isNewest = ({ window }: Piece) => current <= window.oldest && window.newest === end;
  const until = coveredUntil(covered);
  const repeats =
    until === undefined || overlap === 0
      ? []
      : repeatsOf({ oldest: Math.max(begin, until + 1 - overlap), newest: Math.min(until, end) }, covered);
  const repeated = repeats.flatMap((window) => cutAtPeriods(window, period)).map(toRepeat);
  return {
    fresh: joinPieces([...repeated, ...wanted.filter(isNewest)]),
    backfill: wanted.filter((piece) => !isNewest(piece)).sort(byTime),
  };
}

function toRepeat(piece: Piece): Piece {
  return { ...piece, repeat: piece.window };
}

function byTime(a: Piece, b: Piece): number {
  return a.window.oldest - b.window.oldest;
}

/** What is complete of an interval: what is not is asked for by the export that lacks it. */
function repeatsOf(interval: Window, covered: readonly CoveredInterval[]): readonly Window[] {
  if (interval.newest < interval.oldest) return [];
  return overlapsOf(
    interval,
    covered.filter(({ state }) => state === 'complete'),
  );
}

function cutAtPeriods({ oldest, newest }: Window, kind: PeriodKind): Piece[] {
  return periodsIn({ oldest, newest }, kind).map((period) => ({
    period,
    window: { oldest: Math.max(oldest, period.oldest), newest: Math.min(newest, period.newest) },
  }));
}

/** Joins neighbours of one period into one request. */
function joinPieces(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of [...pieces].sort(byTime)) {
    const last = joined.at(-1);
    if (
      last &&
      last.period.name === piece.period.name &&
      last.window.newest + 1 === piece.window.oldest &&
      !piece.repeat
    )
      joined.splice(-1, 1, {
        ...last,
        window: { oldest: last.window.oldest, newest: piece.window.newest },
      });
    else joined.push(piece);
  }
  return joined;
}

/** Times that a source lacks, up to the newest that it has. Each list is in order. */
export interface Missing {
  /** Asked for, and not all of it came. Each turn tries again. */
  readonly gaps: readonly Window[];
  /** Not asked for yet. */
  readonly backfill: readonly Window[];
  /** Times that the deployment has deleted by now. */
  readonly lost: readonly Window[];
}

/**
 * Parts what a source lacks. `horizon` is the oldest time that the deployment keeps; `deleted` are times whose logs it
 * deleted before they came.
 */
export function findMissing(
  { covered, begin }: Omit<Standing, 'end'>,
  { horizon, deleted }: { readonly horizon: number; readonly deleted: readonly Window[] },
): Missing {
  const until = coveredUntil(covered);
  if (until === undefined) return { gaps: [], backfill: [], lost: [] };
  const had = Math.min(...covered.map(({ oldest }) => oldest));
  const complete = covered.filter(({ state }) => state === 'complete');
  const lacking = subtractWindows({ oldest: Math.min(begin, had), newest: until }, complete);
  const gone = [{ oldest: had, newest: horizon - 1 }, ...deleted].filter(
    ({ oldest, newest }) => oldest <= newest,
  );
  const left = lacking.flatMap((window) => subtractWindows(window, gone));
  const asked = covered.filter(({ state }) => state !== 'complete');
  return {
    gaps: inOrder(left.flatMap((window) => overlapsOf(window, asked))),
    backfill: inOrder(
      left
        .filter(({ newest }) => begin <= newest)
        .map(({ oldest, newest }) => ({ oldest: Math.max(oldest, begin), newest }))
        .flatMap((window) => subtractWindows(window, asked)),
    ),
    lost: inOrder(lacking.flatMap((window) => overlapsOf(window, gone))),
  };
}

/** The parts of an interval that others have. */
function overlapsOf(window: Window, others: readonly Window[]): readonly Window[] {
  return subtractWindows(window, subtractWindows(window, others));
}

function inOrder(windows: readonly Window[]): readonly Window[] {
  return [...windows].sort((a, b) => a.oldest - b.oldest);
}

/** The overlap of a turn in milliseconds: twice the longest delay that was seen, and a day once a day. */
export function overlapOf({
  overlap,
  late,
  isNightly,
}: {
  readonly overlap: number;
  readonly late: number;
  readonly isNightly: boolean;
}): number {
  return Math.max(overlap, 2 * late, isNightly ? day : 0);
}
