import type { Case, ExportChanges, StoredExport, StoredWindow } from '../../case/index.ts';
import { saveExportChanges } from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import { toWindowEvent, type WindowsProgress } from '../decide/progress.ts';
import type { ExportOrder, RequestPlan } from './order.ts';

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
  const byNumber = new Map(windows.map((window) => [window.window, window]));

  function take(changes: ExportChanges): void {
    stored = changes.export ?? stored;
    for (const number of changes.removed ?? []) byNumber.delete(number);
    for (const window of changes.windows ?? []) byNumber.set(window.window, window);
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
  for (const window of updated) onProgress(toWindowEvent(window));
  return updated;
}

/** Connections and callbacks of one run. */
export interface FetchContext {
  readonly client: Client;
  /** The case that receives the logs. */
  readonly into: Case;
  readonly signal: AbortSignal | undefined;
  /** Longest wait for one job, in milliseconds. */
  readonly maxWait: number;
  readonly onProgress: (progress: WindowsProgress) => void;
}

/** The export whose windows are fetched. */
export interface WindowedExport {
  readonly order: ExportOrder;
  readonly requestPlan: RequestPlan;
  readonly exportState: ExportState;
  /** The last time that can be complete, by all clocks of which replies have come: milliseconds since the epoch. */
  readonly end: () => number;
  /** True if the case has no other export. */
  readonly isAlone: boolean;
  /** True if the case may already hold logs of a window, from another export or from this one. */
  readonly mayRepeat: boolean;
}
