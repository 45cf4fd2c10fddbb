import type { EntryNote, StoredExport, StoredWindow } from '../../../store/index.ts';
import { readSlice, toClauseQuery } from '../decide/slice.ts';

/** Result of a windowed export. Times are milliseconds since the epoch. */
export interface WindowsResult {
  /** Number of the export in the case. */
  readonly export: number;
  readonly oldest: number;
  readonly newest: number;
  /** Export jobs of this run. */
  readonly calls: number;
  /** Loaded windows, including those of earlier runs of this export. */
  readonly windows: number;
  /** Logs added to the case. Zero is no failure: nothing matched. */
  readonly logs: number;
  readonly unreadable: number;
  /** Total size of the zips. */
  readonly bytes: number;
  /** True if these are all requested logs. */
  readonly complete: boolean;
  /** Number of logs by the deployment's own count, where it has one. */
  readonly counted?: number;
  /** Intervals with missing logs, and why. */
  readonly gaps: readonly WindowGap[];
  /** Remarks on entries of zips that are no gaps. */
  readonly notes: readonly EntryNote[];
}

/** A window with missing logs. */
export interface WindowGap {
  /** `failed`: not loaded this time. `capped`: the deployment returns no more of it. */
  readonly kind: 'failed' | 'capped';
  readonly oldest: number;
  readonly newest: number;
  /** Its restriction beyond its times, in the search language. */
  readonly slice?: string;
  /** Minimum number of missing logs; absent when unknown. */
  readonly missing?: number;
  readonly reason: string;
}

/** Builds the result of an export from its windows. */
export function toWindowsResult({
  stored,
  windows,
  calls,
  notes,
}: {
  readonly stored: StoredExport;
  readonly windows: readonly StoredWindow[];
  readonly calls: number;
  readonly notes: readonly EntryNote[];
}): WindowsResult {
  const loaded = windows.filter(({ state }) => state === 'loaded');
  const sum = (key: 'logs' | 'unreadable' | 'bytes') =>
    loaded.reduce((total, each) => total + (each[key] ?? 0), 0);
  const gaps = windows.flatMap(gapOf).sort((a, b) => b.newest - a.newest);
  const { oldest, newest } = stored;
  return {
    ...{ export: stored.export, oldest, newest, calls, windows: loaded.length },
    ...{ logs: sum('logs'), unreadable: sum('unreadable'), bytes: sum('bytes') },
    ...{ complete: gaps.length === 0, gaps, notes },
  };
}

/**
 * Compares a result with the deployment's own count: an excess there means
 * missing logs, even without a gap.
 */
export function compareWithCount(result: WindowsResult, counted: number): WindowsResult {
  const { logs, unreadable, oldest, newest, gaps } = result;
  const missing = counted - logs - unreadable;
  if (missing <= 0 || 0 < gaps.length) return { ...result, counted };
  const reason = `The deployment counts ${counted} logs, more than came`;
  return { ...result, counted, complete: false, gaps: [{ kind: 'capped', oldest, newest, missing, reason }] };
}

function gapOf({
  state,
  oldest,
  newest,
  slice,
  missing = 0,
  reason = '',
}: StoredWindow): readonly WindowGap[] {
  if (state === 'split' || (state === 'loaded' && missing === 0)) return [];
  const clauses = readSlice(slice).clauses.map(toClauseQuery);
  const narrowed = clauses.length === 0 ? {} : { slice: clauses.join(' AND ') };
  if (state !== 'loaded') return [{ kind: 'failed', oldest, newest, ...narrowed, reason }];
  return [{ kind: 'capped', oldest, newest, ...narrowed, missing, reason }];
}
