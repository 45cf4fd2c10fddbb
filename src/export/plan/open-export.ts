import {
  type Case,
  findExports,
  findWindows,
  type StoredExport,
  type StoredWindow,
} from '../../case/index.ts';
import { unconfirmed } from '../decide/cap-control.ts';
import { addObserved, type ObservedBehaviour, readObserved } from '../decide/observed-behaviour.ts';
import { canFilterSlice } from '../decide/slice.ts';
import { resetWindow, subtractWindows, underWayStates, type Window, windowLength } from '../decide/window.ts';
import { ExportError } from '../job/export-error.ts';
import { mergeCoverage } from './coverage.ts';
import {
  type ExportOrder,
  isSameRequest,
  planStructuredFilters,
  type RequestSettings,
  requestSettingsOf,
  toOrder,
  toStoredExport,
  withRequestSettings,
} from './order.ts';

/** Opens the unfinished export of a case for an order, or plans a new one. Saves nothing. */
export async function openExport(
  into: Case,
  order: ExportOrder,
  repeat: Window | undefined = undefined,
): Promise<OpenedExport> {
  const exports = await findExports(into);
  const windows = await findWindows(into);
  const same = exports.filter((each) => isSameRequest(toOrder(each), order));
  const open = same.find((each) => isExportOpen(each, windows) && hasBounds(toOrder(each), order));
  if (open) {
    const opened = { stored: open, windows: windowsOf(open, windows), resumed: true };
    return applyRequestSettings(opened, requestSettingsOf(order));
  }
  const number = Math.max(0, ...exports.map((each) => each.export)) + 1;
  const numbers = new Set(same.map((each) => each.export));
  const own = windows.filter((each) => numbers.has(each.export));
  const covered = mergeCoverage(own).filter(({ state }) => state === 'complete');
  const parts = repeat ? covered.flatMap((each) => subtractWindows(each, [repeat])) : covered;
  const asked = subtractWindows(narrowedTimes(order), parts).filter((each) => 0 < windowLength(each));
  const first = Math.max(0, ...windows.map(({ window }) => window)) + 1;
  const planned = asked.map((each, index) =>
    toPlanned(each, { number, window: first + index, now: order.given }),
  );
  return {
    stored: addObserved(toStoredExport(order, number), observedEarlier(same)),
    windows: planned,
    resumed: false,
  };
}

/** Behaviour that earlier exports observed and that holds for any request. */
function observedEarlier(exports: readonly StoredExport[]): ObservedBehaviour {
  const newest = [...exports].sort((a, b) => b.export - a.export);
  const times = newest.map((each) => readObserved(each).times).find((each) => each !== undefined);
  return times === undefined ? {} : { times };
}

/** Finds the newest unfinished export of a case. */
export async function findOpenExport(into: Case): Promise<OpenedExport | undefined> {
  const windows = await findWindows(into);
  const open = (await findExports(into)).find((each) => isExportOpen(each, windows));
  return open && { stored: open, windows: windowsOf(open, windows), resumed: true };
}

/** Finds the newest export of a case that lacks logs, with its incomplete windows reset. */
export async function findExportWithGaps(into: Case): Promise<OpenedExport | undefined> {
  const windows = await findWindows(into);
  const lacks = ({ state, missing = 0 }: StoredWindow) => state === 'loaded' && 0 < missing;
  const found = (await findExports(into)).find(
    (each) => isExportOpen(each, windows) || windowsOf(each, windows).some(lacks),
  );
  if (!found) return undefined;
  const own = windowsOf(found, windows);
  const isFilters = readObserved(found).slices === 'filters';
  const canAsk = ({ slice }: StoredWindow) => !isFilters || canFilterSlice(slice);
  // Its checks come from old replies, whose logs may have aged away since.
  const anew = (each: StoredWindow) => resetWindow({ ...each, attempts: 0, expected: undefined });
  return {
    stored: found,
    windows: own.map((each) => (lacks(each) && canAsk(each) ? anew(each) : each)),
    resumed: true,
  };
}

/** Returns whether an export has windows left to load or to confirm. */
export function isExportOpen({ export: number }: StoredExport, windows: readonly StoredWindow[]): boolean {
  return windows
    .filter((each) => each.export === number)
    .some(({ state, reason }) => (state !== 'loaded' && state !== 'split') || reason === unconfirmed);
}

function windowsOf({ export: number }: StoredExport, windows: readonly StoredWindow[]): StoredWindow[] {
  return windows.filter((each) => each.export === number);
}

/** Returns whether two orders name the same bounds; an open bound equals another open one. */
function hasBounds(a: ExportOrder, b: ExportOrder): boolean {
  return a.from === b.from && a.to === b.to;
}

/** Times of an order without those that its query excludes. */
function narrowedTimes(order: ExportOrder): Window {
  const { oldest = order.oldest, newest = order.newest } = planStructuredFilters(order)?.necessary ?? {};
  return { oldest: Math.max(oldest, order.oldest), newest: Math.min(newest, order.newest) };
}

function toPlanned(
  { oldest, newest }: Window,
  { number, window, now }: { readonly number: number; readonly window: number; readonly now: number },
): StoredWindow {
  return { window, export: number, oldest, newest, state: 'planned', attempts: 0, updated: now };
}

/** An export and its windows, ready to run. */
export interface OpenedExport {
  readonly stored: StoredExport;
  readonly windows: readonly StoredWindow[];
  /** True if an earlier run started it. */
  readonly resumed: boolean;
}

/**
 * Continues an export with other request settings. Windows under way are reset:
 * a job submitted with another `num` would be misjudged.
 */
export function applyRequestSettings(opened: OpenedExport, changed: RequestSettings): OpenedExport {
  const { stored, windows } = opened;
  const before = toOrder(stored);
  const { request, settings } = toStoredExport(withRequestSettings(before, changed), stored.export);
  const same = toStoredExport(before, stored.export);
  if (JSON.stringify([request, settings]) === JSON.stringify([same.request, same.settings])) return opened;
  const anew = windows.map((each) => (underWayStates.has(each.state) ? resetWindow(each) : each));
  return { ...opened, stored: { ...stored, request, settings }, windows: anew };
}

/** The order for logs newer than the last export of a case. */
export interface SinceLast {
  readonly order: ExportOrder;
  /** Interval to request a second time, because logs can arrive late. */
  readonly repeat: Window;
}

/**
 * Makes the order for logs newer than the newest export of a case. Logs already
 * in the case are not added again. Rejects with `NOTHING_TO_RESUME` when there
 * is no export, or an unfinished one.
 *
 * ```ts
 * const { order, repeat } = await orderSinceLast(incident, { now: Date.now(), overlap: 600_000 });
 * await exportWindows({ client, into: incident, order, repeat });
 * ```
 */
export async function orderSinceLast(
  of: Case,
  { now, overlap }: { readonly now: number; readonly overlap: number },
): Promise<SinceLast> {
  const [last] = await findExports(of);
  if (!last || isExportOpen(last, await findWindows(of))) {
    const what = last
      ? 'an export that is not finished: "--resume" goes on with it'
      : 'no export over a time';
    throw new ExportError('NOTHING_TO_RESUME', `The case "${of.path}" holds ${what}`);
  }
  const order = toOrder(last);
  const from = last.newest - overlap;
  return {
    order: { ...order, oldest: from, newest: now, from, to: now, given: now },
    repeat: { oldest: from, newest: last.newest },
  };
}
