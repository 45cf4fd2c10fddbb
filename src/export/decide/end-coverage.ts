import type { ExportChanges, StoredExport, StoredWindow } from '../../case/index.ts';
import { readObserved } from './observed-behaviour.ts';

/** A day in milliseconds. */
export const dayAhead = 86_400_000;

/** Clock difference in milliseconds that is not reported: `Date` has whole seconds, and a reply takes a while. */
export const toleratedSkew = 5000;

/** Reason of times that were requested before they were over. */
export const notOver =
  'These times were not over when they were requested, by the clock of this machine or by that of the deployment';

/** An export with its windows, after all of them were fetched. */
interface EndedExport {
  readonly stored: StoredExport;
  readonly windows: readonly StoredWindow[];
  /** The last time that can be complete, by all clocks. */
  readonly end: number;
  /** The newest time that was named; undefined where it was left open. */
  readonly to: number | undefined;
  /** Number of a new window. */
  readonly number: number;
  readonly now: number;
}

/**
 * Ends the coverage of an export that asked for times up to the present. It ends no later than the earliest
 * clock, and no later than the newest log that came: nothing shows that newer logs were there to be seen. Times
 * that were named and are not over become a gap. Logs of later times stay in the case. Undefined if the export
 * ends in the past anyway.
 */
export function endCoverage({
  stored,
  windows,
  end,
  to,
  number,
  now,
}: EndedExport): ExportChanges | undefined {
  if (stored.newest <= end || windows.every(({ state }) => state === 'planned')) return undefined;
  const { newestLog } = readObserved(stored);
  const newest = Math.max(stored.oldest, newestLog === undefined ? end : Number(newestLog));
  const later = windows.filter(
    (window) => newest < window.newest && window.state === 'loaded' && (window.missing ?? 0) === 0,
  );
  const ended = later.map((window): StoredWindow => {
    return window.oldest <= newest ? { ...window, newest } : { ...window, state: 'split' };
  });
  const gap: StoredWindow | undefined =
    to === undefined || to <= end + toleratedSkew
      ? undefined
      : {
          window: number,
          export: stored.export,
          oldest: newest + 1,
          newest: to,
          state: 'loaded',
          attempts: 0,
          found: 0,
          logs: 0,
          records: 0,
          bytes: 0,
          missing: 1,
          reason: notOver,
          updated: now,
        };
  return {
    export: { ...stored, newest: gap ? stored.newest : newest },
    windows: gap ? [...ended, gap] : ended,
  };
}

/**
 * The last time that was over when an export began, by a clock that is `behind` that of this machine. It ends a
 * whole second: some deployments know their times in seconds only.
 */
export function lastTimeOf({ learnt: { asked } }: StoredExport, behind: number): number {
  return asked === undefined
    ? Number.POSITIVE_INFINITY
    : Math.floor((Number(asked) + behind) / 1000) * 1000 - 1;
}
