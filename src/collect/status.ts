import { join } from 'node:path';
import type { CollectConfiguration, SourceConfiguration } from './configuration.ts';
import { coveredUntil, type Missing } from './plan.ts';
import { bytesOfCase, listCases, readMemory, type SourceMemory } from './store.ts';
import { coveredOf, missingOf } from './turn.ts';

/** How a source stands. Times are milliseconds since the epoch. */
export interface SourceStatus extends Missing {
  readonly source: string;
  /** True if a turn ended without a failure within three intervals, and there is no gap. */
  readonly isReady: boolean;
  readonly lastTurn?: number | undefined;
  readonly lastSuccess?: number | undefined;
  readonly lastFailure?: SourceMemory['lastFailure'];
  /** The oldest and the newest time that the cases have completely. */
  readonly coveredFrom?: number | undefined;
  readonly coveredTo?: number | undefined;
  /** Milliseconds from what is covered to now. */
  readonly lag?: number | undefined;
  /** The oldest time that is missing and that the deployment still has. */
  readonly oldestAtRisk?: number | undefined;
  /** Seconds until the deployment deletes it; undefined if it does not say for how long it keeps logs. */
  readonly secondsUntilLoss?: number | undefined;
  /** Logs of all cases, and counts since the memory of the source began. */
  readonly logs: number;
  readonly counts: SourceMemory['counts'];
  readonly failures: SourceMemory['failures'];
  /** The settings of the deployment at the last turn, and those that are lower than they were. */
  readonly settings?: SourceMemory['settings'];
  readonly lowered: SourceMemory['lowered'];
  readonly cases: number;
  readonly bytes: number;
  /** Who collected it last. */
  readonly process?: { readonly pid: number; readonly host: string; readonly started: number } | undefined;
}

/** Reads how all sources of a configuration stand, from the files of the store alone. */
export async function readStatus(
  { store, sources }: Pick<CollectConfiguration, 'store' | 'sources'>,
  now: number,
): Promise<readonly SourceStatus[]> {
  const all: SourceStatus[] = [];
  for (const source of sources) all.push(await statusOf(store, source, now));
  return all;
}

async function statusOf(store: string, source: SourceConfiguration, now: number): Promise<SourceStatus> {
  const memory = await readMemory(store, source.name);
  if (!memory) return await neverCollected(store, source.name);
  const { cases, pid, host, started, begin, horizon, counts, failures, lowered, settings } = memory;
  const { lastTurn, lastSuccess, lastFailure } = memory;
  const missing = missingOf(memory, { begin: begin ?? 0, horizon });
  const covered = coveredOf(cases);
  const coveredTo = coveredUntil(covered);
  const complete = covered.filter(({ state }) => state === 'complete');
  const oldestAtRisk = oldestMissing(missing, coveredTo);
  const days = settings?.retentionDays;
  return {
    source: source.name,
    isReady:
      lastSuccess !== undefined && now - lastSuccess <= 3 * source.interval && missing.gaps.length === 0,
    lastTurn,
    lastSuccess,
    lastFailure,
    coveredFrom: complete.length === 0 ? undefined : Math.min(...complete.map(({ oldest }) => oldest)),
    coveredTo,
    lag: coveredTo === undefined ? undefined : now - coveredTo,
    oldestAtRisk,
    secondsUntilLoss:
      oldestAtRisk === undefined || days === undefined
        ? undefined
        : Math.round((oldestAtRisk + days * 86_400_000 - now) / 1000),
    ...missing,
    logs: cases.reduce((sum, { logs }) => sum + logs, 0),
    counts,
    failures,
    settings,
    lowered,
    cases: cases.length,
    bytes: cases.reduce((sum, { bytes }) => sum + bytes, 0),
    process: { pid, host, started },
  };
}

/** A source without a memory: its cases, if it has any, are read by the next turn. */
async function neverCollected(store: string, source: string): Promise<SourceStatus> {
  const names = await listCases(store, source).catch(() => []);
  const sizes = await Promise.all(names.map((name) => bytesOfCase(join(store, name))));
  return {
    source,
    isReady: false,
    gaps: [],
    backfill: [],
    lost: [],
    logs: 0,
    counts: { logs: 0, late: 0, turns: 0, calls: 0 },
    failures: {},
    lowered: [],
    cases: names.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

/** The oldest time that may still be had: of a gap, of what was not asked for, or after what is covered. */
function oldestMissing({ gaps, backfill }: Missing, coveredTo: number | undefined): number | undefined {
  if (coveredTo === undefined) return undefined;
  return Math.min(coveredTo + 1, ...[...gaps, ...backfill].map(({ oldest }) => oldest));
}
