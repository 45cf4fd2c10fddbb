import type { StoredWindow, WindowState } from '../../../store/index.ts';

/** What an export in windows tells while it goes on. Data: the command line draws it. Times are milliseconds since the epoch. */
export type WindowsProgress =
  /** Its times are fixed; from here on it can be resumed. */
  | {
      readonly event: 'begun';
      readonly export: number;
      readonly oldest: number;
      readonly newest: number;
      readonly resumed: boolean;
    }
  /** A window has come to another state. */
  | {
      readonly event: 'window';
      readonly window: number;
      readonly oldest: number;
      readonly newest: number;
      readonly state: WindowState;
      readonly job?: string | undefined;
      readonly logs?: number | undefined;
      readonly bytes?: number | undefined;
      readonly reason?: string | undefined;
    }
  /** Something passed that is worth knowing, and that the export goes on in spite of. */
  | { readonly event: 'trouble'; readonly window?: number; readonly message: string }
  /** How far all of it is. */
  | ({ readonly event: 'totals' } & ExportTotals);

/** How far an export is. */
export interface ExportTotals {
  /** Calls of this run. */
  readonly calls: number;
  /** Windows that are loaded. */
  readonly windows: number;
  readonly underWay: number;
  readonly logs: number;
  /** Of zips. */
  readonly bytes: number;
  /** The logs that are still to come, by the density of those that came; undefined while nothing is known. */
  readonly remaining?: number | undefined;
}

/** The news of a window. */
export function toWindowEvent(each: StoredWindow): WindowsProgress {
  const { window, oldest, newest, state, job, logs, bytes, reason } = each;
  return { event: 'window', window, oldest, newest, state, job, logs, bytes, reason };
}
