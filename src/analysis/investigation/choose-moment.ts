import { alignedBuckets, type Change, gainOf, rankOf } from './change.ts';

/** A hint of a user: a time near the change, or a time after which it is. Milliseconds since the epoch. */
export interface MomentHint {
  readonly around?: number | undefined;
  readonly since?: number | undefined;
}

/** Options of `chooseMoment`. */
interface ChooseOptions {
  /** Length of an interval in milliseconds. */
  readonly every: number;
  /** True to choose among the changes of the symptom alone. */
  readonly isSymptomOnly?: boolean;
}

/** The changes that matter most, and what came before them. */
export interface ChosenChanges {
  /** The strongest change of the most severe kind. */
  readonly main: Change;
  /** Changes that begin with it, itself included, by rank. */
  readonly together: readonly Change[];
  /** The earliest change for the worse that still lasts when the main one begins. Absent if none is earlier. */
  readonly firstSign?: Change;
}

/**
 * Chooses the main change: the most severe rank first, then the greatest gain. With a hint only changes near or
 * after it are considered. Undefined without any.
 */
export function chooseMoment(
  changes: readonly Change[],
  { every, around, since, isSymptomOnly = false }: MomentHint & ChooseOptions,
): ChosenChanges | undefined {
  const aligned = alignedBuckets * every;
  const possible = changes.filter(
    ({ start, subject }) =>
      (!isSymptomOnly || subject.type === 'query') &&
      (since === undefined || since - aligned <= start) &&
      (around === undefined || Math.abs(start - around) <= Math.max(aligned, nearest(changes, around))),
  );
  const strongest = best(possible);
  if (!strongest) return undefined;
  const rank = rankOf(strongest);
  const together = possible
    .filter(({ start }) => Math.abs(start - strongest.start) <= aligned)
    .sort((first, second) => rankOf(second) - rankOf(first) || gainOf(second) - gainOf(first));
  const worse = changes.filter(
    (each) => 2 <= rankOf(each) && each.start < strongest.start - aligned && strongest.start <= each.end,
  );
  const [firstSign] = 2 <= rank ? worse : [];
  return { main: strongest, together, ...(firstSign && { firstSign }) };
}

/** The distance of the nearest change to a time. */
function nearest(changes: readonly Change[], time: number): number {
  return Math.min(...changes.map(({ start }) => Math.abs(start - time)));
}

function best(changes: readonly Change[]): Change | undefined {
  return changes.reduce<Change | undefined>((most, each) => {
    if (!most) return each;
    const byRank = rankOf(each) - rankOf(most);
    return 0 < byRank || (byRank === 0 && gainOf(most) < gainOf(each)) ? each : most;
  }, undefined);
}
