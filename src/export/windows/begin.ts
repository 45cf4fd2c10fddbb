import type { Case, StoredExport, StoredWindow } from '../../store/index.ts';
import { findExports, findWindows } from '../../store/index.ts';
import { afresh } from './afresh.ts';
import type { Begun } from './begun.ts';
import { coveredBy } from './coverage.ts';
import { type Learnt, readLearnt, withLearnt } from './learnt.ts';
import { goesOn, mannerOf } from './manner.ts';
import { asksTheSame, type ExportOrder, structuredPlan, toOrder, toStoredExport } from './order.ts';
import { canFilter } from './slices-by-filters.ts';
import { lengthOf, type Window, without } from './window.ts';

/** Takes up the export of a case that an order is for, or makes a new one. Nothing is written. */
export async function begin(
  into: Case,
  order: ExportOrder,
  repeat: Window | undefined = undefined,
): Promise<Begun> {
  const exports = await findExports(into);
  const windows = await findWindows(into);
  const same = exports.filter((each) => asksTheSame(toOrder(each), order));
  const open = same.find((each) => isOpen(each, windows) && hasBounds(toOrder(each), order));
  if (open) {
    const begun = { kept: open, windows: windowsOf(open, windows), resumed: true };
    return goesOn(begun, mannerOf(order));
  }
  const number = Math.max(0, ...exports.map((each) => each.export)) + 1;
  const numbers = new Set(same.map((each) => each.export));
  const own = windows.filter((each) => numbers.has(each.export));
  const covered = coveredBy(own).filter(({ state }) => state === 'complete');
  const parts = repeat ? covered.flatMap((each) => without(each, [repeat])) : covered;
  const asked = without(narrowed(order), parts).filter((each) => 0 < lengthOf(each));
  const first = Math.max(0, ...windows.map(({ window }) => window)) + 1;
  const planned = asked.map((each, index) =>
    toPlanned(each, { number, window: first + index, now: order.given }),
  );
  return {
    kept: withLearnt(toStoredExport(order, number), seenBefore(same)),
    windows: planned,
    resumed: false,
  };
}

/** What earlier exports have shown that holds for a deployment whatever it is asked. */
function seenBefore(exports: readonly StoredExport[]): Learnt {
  const newest = [...exports].sort((a, b) => b.export - a.export);
  const times = newest.map((each) => readLearnt(each).times).find((each) => each !== undefined);
  return times === undefined ? {} : { times };
}

/** The newest export of a case that is not finished. */
export async function findOpen(into: Case): Promise<Begun | undefined> {
  const windows = await findWindows(into);
  const open = (await findExports(into)).find((each) => isOpen(each, windows));
  return open && { kept: open, windows: windowsOf(open, windows), resumed: true };
}

/** The newest export of a case that lacks logs, with the windows that lack them to be asked for anew. */
export async function findWithGaps(into: Case): Promise<Begun | undefined> {
  const windows = await findWindows(into);
  const lacks = ({ state, missing = 0 }: StoredWindow) => state === 'loaded' && 0 < missing;
  const found = (await findExports(into)).find(
    (each) => isOpen(each, windows) || windowsOf(each, windows).some(lacks),
  );
  if (!found) return undefined;
  const own = windowsOf(found, windows);
  const isFilters = readLearnt(found).slices === 'filters';
  const canAsk = ({ slice }: StoredWindow) => !isFilters || canFilter(slice);
  // Its checks are of replies that are long gone: what has aged away since does not come again.
  const anew = (each: StoredWindow) => afresh({ ...each, attempts: 0, expected: undefined });
  return {
    kept: found,
    windows: own.map((each) => (lacks(each) && canAsk(each) ? anew(each) : each)),
    resumed: true,
  };
}

/** Whether something of an export is still to be brought. */
export function isOpen({ export: number }: StoredExport, windows: readonly StoredWindow[]): boolean {
  return windows.some((each) => each.export === number && each.state !== 'loaded' && each.state !== 'split');
}

function windowsOf({ export: number }: StoredExport, windows: readonly StoredWindow[]): StoredWindow[] {
  return windows.filter((each) => each.export === number);
}

/** Whether two orders ask for the same times. A bound that was left open is the one that the first of them took. */
function hasBounds(a: ExportOrder, b: ExportOrder): boolean {
  return a.from === b.from && a.to === b.to;
}

/** The times that an order is for, less those that its query excludes. */
function narrowed(order: ExportOrder): Window {
  const { oldest = order.oldest, newest = order.newest } = structuredPlan(order)?.necessary ?? {};
  return { oldest: Math.max(oldest, order.oldest), newest: Math.min(newest, order.newest) };
}

function toPlanned(
  { oldest, newest }: Window,
  { number, window, now }: { readonly number: number; readonly window: number; readonly now: number },
): StoredWindow {
  return { window, export: number, oldest, newest, state: 'planned', attempts: 0, updated: now };
}
