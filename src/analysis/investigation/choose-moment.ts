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
 * after it are considered, and those for the worse that last at it if none near it is. Undefined without any.
 */
export function chooseMoment(
  changes: readonly Change[],
  { every, around, since, isSymptomOnly = false }: MomentHint & ChooseOptions,
): ChosenChanges | undefined {
  const aligned = alignedBuckets * every;
  const eligible = changes.filter(
    ({ start, subject }) =>
      (!isSymptomOnly || subject.type === 'query') && (since === undefined || since - aligned <= start),
  );
  const possible = around === undefined ? eligible : changesAround(eligible, around, aligned);
  const strongest = best(possible);
  if (!strongest) return undefined;
  const rank = rankOf(strongest);
  const together = possible
    .filter(({ start }) => Math.abs(start - strongest.start) <= aligned)
    .sort((first, second) => rankOf(second) - rankOf(first) || gainOf(second) - gainOf(first));
  const worse = changes.filter(
    (each) => isWorse(each) && each.start < strongest.start - aligned && strongest.start <= each.end,
  );
  const [firstSign] = 2 <= rank ? worse : [];
  return { main: strongest, together, ...(firstSign && { firstSign }) };
}

/**
 * The changes that begin near a time. If none of them is for the worse, those for the worse that last then: of a
 * complaint in the middle of failures, the failures are the change.
 */
function changesAround(changes: readonly Change[], time: number, aligned: number): readonly Change[] {
  const distance = Math.max(aligned, Math.min(...changes.map(({ start }) => Math.abs(start - time))));
  const near = changes.filter(({ start }) => Math.abs(start - time) <= distance);
  if (near.some(isWorse)) return near;
  const lasting = changes.filter((each) => isWorse(each) && each.start <= time && time < each.end);
  return lasting.length === 0 ? near : lasting;
}

/** True for failures, warnings and slower requests. */
function isWorse(change: Change): boolean {
  return 2 <= rankOf(change);
}

function best(changes: readonly Change[]): Change | undefined {
  return changes.reduce<Change | undefined>((most, each) => {
    if (!most) return each;
    const byRank = rankOf(each) - rankOf(most);
    return 0 < byRank || (byRank === 0 && gainOf(most) < gainOf(each)) ? each : most;
  }, undefined);
}
