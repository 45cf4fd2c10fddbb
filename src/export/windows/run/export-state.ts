import type { Client } from '../../../client/index.ts';
import type { Case, ExportChanges, StoredExport, StoredWindow } from '../../../store/index.ts';
import { saveExportChanges } from '../../../store/index.ts';
import { estimateRemaining } from '../decide/remaining.ts';
import { type ExportTotals, toWindowEvent, type WindowsProgress } from './progress.ts';

/**
 * An export and its windows, as the case stores them. Changes are saved in the
 * order in which they are made here, so the case never holds two windows of the
 * same times.
 */
export interface ExportState {
  /** The export as it is now. */
  readonly stored: () => StoredExport;
  /** Its windows as they are now. */
  readonly windows: () => readonly StoredWindow[];
  /** Reserves `count` consecutive window numbers and returns the first. */
  readonly reserve: (count: number) => number;
  /** Saves changes in the case. `decide` runs after all earlier changes are saved. */
  readonly save: (decide: () => ExportChanges) => Promise<void>;
  /** Adopts changes that a transaction under way is about to save. */
  readonly adopt: (changes: ExportChanges) => void;
  /** Numbers of the windows that workers hold. */
  readonly active: Set<number>;
  /** Counts a submission. */
  readonly countCall: () => void;
  /** Submissions of this run. */
  readonly calls: () => number;
}

/** Opens the state of an export; window numbers from `next` on are free. */
export function openExportState(
  into: Case,
  first: StoredExport,
  { windows, next }: { readonly windows: readonly StoredWindow[]; readonly next: number },
): ExportState {
  let stored = first;
  let free = next;
  let calls = 0;
  const byNumber = new Map(windows.map((each) => [each.window, each]));

  function take(changes: ExportChanges): void {
    stored = changes.export ?? stored;
    for (const number of changes.removed ?? []) byNumber.delete(number);
    for (const each of changes.windows ?? []) byNumber.set(each.window, each);
  }

  return {
    stored: () => stored,
    windows: () => [...byNumber.values()],
    reserve: (count) => {
      const reserved = free;
      free += count;
      return reserved;
    },
    save: (decide) =>
      saveExportChanges(into, () => {
        const changes = decide();
        take(changes);
        return changes;
      }),
    adopt: take,
    active: new Set(),
    countCall: () => {
      calls += 1;
    },
    calls: () => calls,
  };
}

/** Saves windows as updated now, reports each, and returns them as saved. */
export async function updateWindows(
  exportState: ExportState,
  windows: readonly StoredWindow[],
  {
    client,
    onProgress,
  }: { readonly client: Pick<Client, 'clock'>; readonly onProgress: (progress: WindowsProgress) => void },
): Promise<readonly StoredWindow[]> {
  const updated = windows.map((window) => ({ ...window, updated: client.clock.now() }));
  await exportState.save(() => ({ windows: updated }));
  for (const each of updated) onProgress(toWindowEvent(each));
  return updated;
}

/** Counts what an export has loaded and estimates what is left; `counted` is the number of logs at the deployment. */
export function countTotals(
  windows: readonly StoredWindow[],
  {
    calls,
    underWay,
    counted,
  }: Pick<ExportTotals, 'calls' | 'underWay'> & { readonly counted?: number | undefined },
): ExportTotals {
  const loaded = windows.filter(({ state }) => state === 'loaded');
  const sum = (key: 'logs' | 'bytes') => loaded.reduce((total, each) => total + (each[key] ?? 0), 0);
  const logs = sum('logs');
  const remaining = counted === undefined ? estimateRemaining(windows) : Math.max(0, counted - logs);
  return {
    ...{ calls, underWay, windows: loaded.length, logs, bytes: sum('bytes') },
    ...(remaining !== undefined && { remaining }),
  };
}
