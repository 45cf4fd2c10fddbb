import { type Case, countBySourceSlot, timeSpan } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import type { RequestedInterval } from '../interval-coverage.ts';
import { type CoverageGap, coverageGaps } from '../overview/coverage-gaps.ts';
import { expectedWithin, sameTimeOfOtherDays } from './expected-activity.ts';
import { activityOf, arrivalShare, type SourceActivity } from './occupied-slots.ts';
import type { Pause } from './pause.ts';

/** A time without logs of a source that has more logs by its rhythm. Times are milliseconds since the epoch. */
export interface Silence {
  /** Absent for all sources together; empty for logs without a source. */
  readonly source?: string;
  /** The last log before, and the first one after; or the end of what was exported, or of all logs. */
  readonly from: number;
  readonly to: number;
  /** True if no log of the source follows. */
  readonly isOpen: boolean;
  /** Logs that its rhythm lets expect in this time. */
  readonly expected: number;
  /** Other days whose same time is known. With none, a source that rests at these hours looks silent too. */
  readonly otherDays: number;
  /** An upper bound of the probability of such a silence, corrected for all silences that were examined. */
  readonly p: number;
}

/** Silences, and the unknown times. */
export interface FoundSilences {
  readonly silences: readonly Silence[];
  /** Times never exported or capped; empty without exports. */
  readonly notExported: readonly CoverageGap[];
  /** Number of sources. */
  readonly sources: number;
  readonly logs: number;
}

/** Options of `findSilences`. */
export interface FindSilencesOptions {
  readonly filter: Filter;
  /** Intervals requested by exports; empty if there was none. */
  readonly requested: readonly RequestedInterval[];
  /** The shortest silence in milliseconds. Default half an hour. */
  readonly least?: number;
  /** The limit for p-values. Default 0.01. */
  readonly limit?: number;
}

/** Slots of time: none shorter than a minute, and at most this number. */
const [shortestSlot, mostSlots] = [60_000, 20_000];

/**
 * Finds the silences of each source, and those of all together, in order of time. A silence is at least four times
 * the usual pause of the source, and improbable by its rhythm. The rhythm is that just before and after, at the
 * same time on other days, and of the other sources then. Rejects with a `StoreError`.
 *
 * ```ts
 * const requested = (await readCoverage(incident)).flatMap(({ covered }) => covered);
 * const { silences } = await findSilences([incident], { filter, requested });
 * for (const { source, from, to } of silences) console.log(source, to - from);
 * ```
 */
export async function findSilences(
  cases: readonly Case[],
  { filter, requested, least = 1_800_000, limit = 0.01 }: FindSilencesOptions,
): Promise<FoundSilences> {
  const spans = await Promise.all(cases.map((from) => timeSpan(from, filter)));
  const first = Math.min(...spans.map((each) => each.first ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...spans.map((each) => each.last ?? Number.NEGATIVE_INFINITY));
  const logs = spans.reduce((sum, each) => sum + each.count + each.timeless, 0);
  if (last < first) return { silences: [], notExported: [], sources: 0, logs };
  const length = Math.max(shortestSlot, Math.ceil((last - first) / mostSlots));
  const slots = await Promise.all(cases.map((from) => countBySourceSlot(from, filter, { length })));
  const { all, sources } = activityOf(slots.flat());
  const notExported = requested.length === 0 ? [] : coverageGaps(requested, { first, last });
  const rhythm = { all, first, last, holes: notExported };
  const candidates = [all, ...sources].flatMap((of) =>
    pausesOf(of, { last, least, holes: notExported }).map((pause) => ({ of, pause })),
  );
  // Any pause of any source could have been a long one.
  const pauses = [all, ...sources].reduce((sum, of) => sum + of.slots.length, 0);
  const found = candidates.flatMap(({ of, pause }): Silence[] => {
    const { slots: expectedSlots, logs: expected } = expectedWithin(of, pause, rhythm);
    const p = Math.min(1, pauses * Math.exp(-expectedSlots * arrivalShare(of)));
    const name = of.source === undefined ? {} : { source: of.source };
    const otherDays = sameTimeOfOtherDays(pause, rhythm).length;
    return p < limit ? [{ ...name, ...pause, expected, otherDays, p }] : [];
  });
  const silences = found.filter((each) => each.source === undefined || !isWithinAll(each, found));
  return { silences: silences.sort((a, b) => a.from - b.from), notExported, sources: sources.length, logs };
}

/** Least length of a silence, in usual pauses. */
const leastPauses = 4;

/** Long pauses of a source outside of all holes of the exports. */
function pausesOf(
  { slots }: SourceActivity,
  {
    last,
    least,
    holes,
  }: { readonly last: number; readonly least: number; readonly holes: readonly CoverageGap[] },
): readonly Pause[] {
  const all = slots.map(({ last: from }, index): Pause => {
    const next = slots[index + 1];
    return { from, to: next?.first ?? last, isOpen: next === undefined };
  });
  const lengths = all
    .slice(0, -1)
    .map(({ from, to }) => to - from)
    .sort((a, b) => a - b);
  const shortest = Math.max(least, leastPauses * (lengths[lengths.length >> 1] ?? 0));
  return all.flatMap((pause) => withoutHoles(pause, holes)).filter(({ from, to }) => shortest <= to - from);
}

/** The pieces of a pause outside of holes. */
function withoutHoles(pause: Pause, holes: readonly CoverageGap[]): readonly Pause[] {
  const pieces: Pause[] = [];
  let from = pause.from;
  for (const { oldest, newest } of holes) {
    if (newest < from || pause.to < oldest) continue;
    if (from < oldest) pieces.push({ from, to: oldest - 1, isOpen: false });
    from = newest + 1;
  }
  return from < pause.to ? [...pieces, { ...pause, from }] : pieces;
}

/** True if all sources are silent at that time too. */
function isWithinAll({ from, to }: Silence, found: readonly Silence[]): boolean {
  return found.some((each) => {
    const shared = Math.min(to, each.to) - Math.max(from, each.from);
    return each.source === undefined && 0.8 * (to - from) <= shared;
  });
}
