import type { Case, ExportChanges, StoredExport, StoredWindow } from '../../store/index.ts';
import { saveWindows } from '../../store/index.ts';
import type { Totals } from './progress.ts';
import { remainingLogs } from './remaining.ts';

/**
 * An export and its windows, as the case has them. What changes here changes
 * there in the same order, so that the case never holds two windows of the same
 * times.
 */
export interface Ledger {
  /** The export as it is now. */
  readonly kept: () => StoredExport;
  /** Its windows as they are now. */
  readonly windows: () => readonly StoredWindow[];
  /** A number that no window has, and that so many after it have not either. */
  readonly reserve: (count: number) => number;
  /** Notes changes in the case. They are decided when all that was noted before is there. */
  readonly note: (decide: () => ExportChanges) => Promise<void>;
  /** Takes over changes that a transaction under way is about to make. */
  readonly take: (changes: ExportChanges) => void;
}

/** Opens the ledger of an export; `next` is a number from which on windows are free. */
export function openLedger(
  into: Case,
  first: StoredExport,
  { windows, next }: { readonly windows: readonly StoredWindow[]; readonly next: number },
): Ledger {
  let kept = first;
  let free = next;
  const byNumber = new Map(windows.map((each) => [each.window, each]));

  function take(changes: ExportChanges): void {
    kept = changes.export ?? kept;
    for (const number of changes.removed ?? []) byNumber.delete(number);
    for (const each of changes.windows ?? []) byNumber.set(each.window, each);
  }

  return {
    kept: () => kept,
    windows: () => [...byNumber.values()],
    reserve: (count) => {
      const reserved = free;
      free += count;
      return reserved;
    },
    note: (decide) =>
      saveWindows(into, () => {
        const changes = decide();
        take(changes);
        return changes;
      }),
    take,
  };
}

/** How far an export is. */
export function totalsOf(
  windows: readonly StoredWindow[],
  {
    calls,
    underWay,
    counted,
  }: Pick<Totals, 'calls' | 'underWay'> & { readonly counted?: number | undefined },
): Totals {
  const loaded = windows.filter(({ state }) => state === 'loaded');
  const sum = (key: 'logs' | 'bytes') => loaded.reduce((total, each) => total + (each[key] ?? 0), 0);
  const logs = sum('logs');
  const remaining = counted === undefined ? remainingLogs(windows) : Math.max(0, counted - logs);
  return {
    ...{ calls, underWay, windows: loaded.length, logs, bytes: sum('bytes') },
    ...(remaining !== undefined && { remaining }),
  };
}
