import type { StoredWindow } from '../../case/index.ts';

/** Reason of times whose logs may have been deleted before they were requested. */
export const deleted =
  'The deployment deleted its oldest logs during the export, some of these maybe before they were requested';

/** A loaded window with the time of the oldest log that its reply held; undefined if nothing shows one. */
export interface WindowWithOldest {
  readonly window: StoredWindow;
  readonly first: number | undefined;
}

/** Returns whether an older window was loaded before a newer one, whose oldest logs may have gone in between. */
export function isOutOfOrder(windows: readonly StoredWindow[]): boolean {
  let earliest = Number.POSITIVE_INFINITY;
  return [...windows]
    .sort((a, b) => a.oldest - b.oldest)
    .some(({ updated }) => {
      const isLater = earliest < updated;
      earliest = Math.min(earliest, updated);
      return isLater;
    });
}

/**
 * Marks the times whose logs a deployment may have deleted before they were requested. It deletes the oldest ones
 * first. So while a reply was made, everything was there from the oldest log on that this reply or a later one
 * holds. `since`: nothing older was there when the export began. `until`: this log was still there at its end.
 */
export function markDeleted(
  windows: readonly WindowWithOldest[],
  {
    since,
    until,
    reserve,
  }: { readonly since: number; readonly until: number; readonly reserve: () => number },
): readonly StoredWindow[] {
  let there = until;
  return [...windows]
    .sort((a, b) => b.window.updated - a.window.updated)
    .flatMap(({ window, first = until }) => {
      there = Math.min(there, first);
      const newest = Math.min(window.newest, there - 1);
      if (newest < Math.max(window.oldest, since)) return [];
      const lack = { missing: 1, reason: deleted };
      if (newest === window.newest) return [{ ...window, ...lack }];
      const { export: number, oldest, updated } = window;
      const counts = { attempts: 0, found: 0, logs: 0, records: 0, bytes: 0 };
      return [
        { ...window, oldest: newest + 1 },
        {
          window: reserve(),
          export: number,
          oldest,
          newest,
          state: 'loaded' as const,
          ...counts,
          ...lack,
          updated,
        },
      ];
    });
}
