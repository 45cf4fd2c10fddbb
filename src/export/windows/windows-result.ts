import type { EntryNote, StoredExport, StoredWindow } from '../../store/index.ts';
import { readSlice, toQuery } from './slice.ts';

/** What an export in windows brought. Times are milliseconds since the epoch. */
export interface WindowsResult {
  /** Its number in the case. */
  readonly export: number;
  readonly oldest: number;
  readonly newest: number;
  /** The export jobs of this run. */
  readonly calls: number;
  /** The windows that are loaded, those of earlier runs of this export included. */
  readonly windows: number;
  /** What they brought into the case. None is no failure: nothing matched. */
  readonly logs: number;
  readonly unreadable: number;
  /** Of their zips. */
  readonly bytes: number;
  /** Whether these are all the logs that were asked for. */
  readonly complete: boolean;
  /** The logs of these times by the deployment's own count, where it has one. */
  readonly counted?: number;
  /** Where they are not, and why. */
  readonly gaps: readonly WindowGap[];
  /** What is to be known of the entries of zips, and is no gap. */
  readonly notes: readonly EntryNote[];
}

/** A window of which logs are missing. */
export interface WindowGap {
  /** `failed`: it could not be brought this time. `capped`: the deployment returns no more of it. */
  readonly kind: 'failed' | 'capped';
  readonly oldest: number;
  readonly newest: number;
  /** What narrows it besides its times, in the search language. */
  readonly slice?: string;
  /** At least so many logs are missing; absent when nothing is known of that. */
  readonly missing?: number;
  readonly reason: string;
}

/** What an export has come to. */
export function windowsResult({
  kept,
  windows,
  calls,
  notes,
}: {
  readonly kept: StoredExport;
  readonly windows: readonly StoredWindow[];
  readonly calls: number;
  readonly notes: readonly EntryNote[];
}): WindowsResult {
  const loaded = windows.filter(({ state }) => state === 'loaded');
  const sum = (key: 'logs' | 'unreadable' | 'bytes') =>
    loaded.reduce((total, each) => total + (each[key] ?? 0), 0);
  const gaps = windows.flatMap(gapOf).sort((a, b) => b.newest - a.newest);
  const { oldest, newest } = kept;
  return {
    ...{ export: kept.export, oldest, newest, calls, windows: loaded.length },
    ...{ logs: sum('logs'), unreadable: sum('unreadable'), bytes: sum('bytes') },
    ...{ complete: gaps.length === 0, gaps, notes },
  };
}

/** A result beside the deployment's own count: what that has more is missing, although no window says so. */
export function withCount(result: WindowsResult, counted: number): WindowsResult {
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
  const clauses = readSlice(slice).clauses.map(toQuery);
  const narrowed = clauses.length === 0 ? {} : { slice: clauses.join(' AND ') };
  if (state !== 'loaded') return [{ kind: 'failed', oldest, newest, ...narrowed, reason }];
  return [{ kind: 'capped', oldest, newest, ...narrowed, missing, reason }];
}
