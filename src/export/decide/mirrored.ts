import type { ExportChanges, StoredExport, StoredWindow } from '../../case/index.ts';
import { type ExpectedLogs, type ReplySummary, readExpected, writeExpected } from './reply-checks.ts';
import type { Window } from './window.ts';

/*
 * A deployment that returns the oldest logs first is one that returns the newest first, with time running backwards.
 * So its replies are decided on as those of the latter: all times are mirrored before, and mirrored back after.
 */

function mirrorTime(time: number): number {
  return -time - 1;
}

function mirrorWindow({ oldest, newest }: Window): Window {
  return { oldest: mirrorTime(newest), newest: mirrorTime(oldest) };
}

function mirrorChecks(expected: string | undefined): string | undefined {
  const checks = readExpected(expected).map((check): ExpectedLogs => {
    const { lacked } = check;
    return { ...check, ...mirrorWindow(check), ...(lacked && { lacked: mirrorWindow(lacked) }) };
  });
  return writeExpected(checks);
}

function mirrorStoredWindow(window: StoredWindow): StoredWindow {
  return { ...window, ...mirrorWindow(window), expected: mirrorChecks(window.expected) };
}

function mirrorSummary(summary: ReplySummary): ReplySummary {
  const mirror = (times: ReplySummary['times']) =>
    times.map((time) => (time === undefined ? undefined : mirrorTime(time)));
  return { ...summary, times: mirror(summary.times), storedTimes: mirror(summary.storedTimes) };
}

/** Mirrors what depends on the direction of time. Its own inverse. */
function mirrorObserved(learnt: StoredExport['learnt']): StoredExport['learnt'] {
  const { lackedOldest, lackedNewest, oldestIncluded, newestIncluded, ...others } = learnt;
  return {
    ...others,
    ...(lackedNewest !== undefined && { lackedOldest: String(mirrorTime(Number(lackedNewest))) }),
    ...(lackedOldest !== undefined && { lackedNewest: String(mirrorTime(Number(lackedOldest))) }),
    ...(newestIncluded !== undefined && { oldestIncluded: newestIncluded }),
    ...(oldestIncluded !== undefined && { newestIncluded: oldestIncluded }),
  };
}

function mirrorExport(stored: StoredExport): StoredExport {
  return { ...stored, ...mirrorWindow(stored), learnt: mirrorObserved(stored.learnt) };
}

/** Returns the reply of a window as a deployment would return it whose time runs backwards. */
export function mirrorReply<T extends { readonly window: StoredWindow; readonly summary: ReplySummary }>(
  reply: T,
): T {
  return { ...reply, window: mirrorStoredWindow(reply.window), summary: mirrorSummary(reply.summary) };
}

/** What of the context of a decision depends on the direction of time. */
interface MirroredContext {
  readonly stored: StoredExport;
  readonly knownTime: number | undefined;
  readonly below: StoredWindow | undefined;
  readonly end: number;
}

/** Mirrors the context of a decision. What is above a window is not merged with its rest, unlike what is below. */
export function mirrorContext<T extends MirroredContext>(context: T): T {
  const { stored, knownTime } = context;
  return {
    ...context,
    stored: mirrorExport(stored),
    below: undefined,
    end: Number.POSITIVE_INFINITY,
    knownTime: knownTime === undefined ? undefined : mirrorTime(knownTime),
  };
}

/** Mirrors a decision back. */
export function mirrorDecision<T extends { readonly only?: Window; readonly changes: ExportChanges }>(
  decision: T,
): T {
  const { only, changes } = decision;
  const { export: stored, windows } = changes;
  const mirrored: ExportChanges = {
    ...changes,
    ...(stored && { export: mirrorExport(stored) }),
    ...(windows && { windows: windows.map(mirrorStoredWindow) }),
  };
  return { ...decision, changes: mirrored, ...(only && { only: mirrorWindow(only) }) };
}
