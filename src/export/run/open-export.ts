import {
  type Case,
  findExports,
  findWindows,
  type LogSource,
  type StoredExport,
  type StoredWindow,
  sourceOf,
  type UnprovedOfExport,
} from '../../case/index.ts';
import { deleted } from '../decide/deleted.ts';
import { readDoubts } from '../decide/doubts.ts';
import { dayAhead } from '../decide/end-coverage.ts';
import {
  addObserved,
  incomplete,
  type ObservedBehaviour,
  readObserved,
  unconfirmed,
} from '../decide/observed-behaviour.ts';
import { readExpected, writeExpected } from '../decide/reply-checks.ts';
import {
  canFilterSlice,
  isPartialSlice,
  resetWindow,
  subtractWindows,
  underWayStates,
  type Window,
  windowLength,
} from '../decide/window.ts';
import {
  ExportError,
  type ExportOrder,
  isSameRequest,
  planStructuredFilters,
  type RequestSettings,
  requestSettingsOf,
  toOrder,
  toStoredExport,
  withRequestSettings,
} from './order.ts';

/** What to request although the case has it. */
interface OpenOptions {
  /** An interval to request again. */
  readonly repeat?: Window | undefined;
  /** The earliest present of all clocks. What the case claims of later times is not believed. */
  readonly present?: number | undefined;
}

/** Times before the present that are requested again where a case claims later ones, in milliseconds. */
const doubtedTime = 600_000;

/** What earlier exports of the same logs have. */
export interface Earlier {
  /** The oldest time of what they have completely. */
  readonly oldest: number;
  /** All times that they have completely, in order. */
  readonly covered: readonly Window[];
  /** When the last of them began, by the clock of this machine. */
  readonly requestTime: number;
}

/** What a case claims of times that are not over. */
interface Claims {
  /** The end of the claims, and the time from which on they are not believed. */
  readonly newest: number;
  readonly from: number;
  /** The windows that claim it, ended before that time. */
  readonly windows: readonly StoredWindow[];
}

/** The claims of complete windows that go beyond the present; undefined without any. */
function claimsAfter(present: number, windows: readonly StoredWindow[]): Claims | undefined {
  const later = windows.filter((window) => present < window.newest && stateOf(window) === 'complete');
  if (later.length === 0) return undefined;
  const from = present - doubtedTime;
  return {
    from,
    newest: Math.max(...later.map(({ newest }) => newest)),
    windows: later.map((window) =>
      window.oldest < from ? { ...window, newest: from - 1 } : { ...window, state: 'split' },
    ),
  };
}

/** Opens the unfinished export of a case for an order, or plans a new one. Saves nothing. */
export async function openExport(
  into: Case,
  order: ExportOrder,
  { repeat, present = Number.POSITIVE_INFINITY }: OpenOptions = {},
): Promise<OpenedExport & { readonly claims?: Claims | undefined; readonly earlier?: Earlier | undefined }> {
  const exports = await findExports(into);
  const windows = await findWindows(into);
  const same = exports.filter((stored) => isSameRequest(toOrder(stored), order));
  const open = same.find((stored) => isExportOpen(stored, windows) && hasBounds(toOrder(stored), order));
  if (open) {
    const opened = { stored: open, windows: windowsOf(open, windows), resumed: true };
    return applyRequestSettings(opened, requestSettingsOf(order));
  }
  const number = Math.max(0, ...exports.map((stored) => stored.export)) + 1;
  const windowsOfAll = (some: readonly StoredExport[]) =>
    some.flatMap((stored) => windowsOf(stored, windows));
  const own = windowsOfAll(same);
  // What no sample has proved yet is requested again.
  const proved = windowsOfAll(same.filter((stored) => !isPending(stored)));
  const covered = mergeCoverage(proved).filter(({ state }) => state === 'complete');
  const claims = claimsAfter(present, own);
  const doubted = claims ? [{ oldest: claims.from, newest: Number.POSITIVE_INFINITY }] : [];
  const again = repeat ? [...doubted, repeat] : doubted;
  const parts = covered.flatMap((interval) => subtractWindows(interval, again));
  const requested = subtractWindows(narrowedTimes(order), parts).filter((window) => 0 < windowLength(window));
  const first = Math.max(0, ...windows.map(({ window }) => window)) + 1;
  const planned = requested.map((window, index) =>
    toPlanned(window, { number, window: first + index, now: order.given }),
  );
  return {
    stored: addObserved(toStoredExport(order, number), observedEarlier(same)),
    windows: planned,
    resumed: false,
    claims,
    earlier: covered[0] && {
      oldest: covered[0].oldest,
      covered,
      requestTime: Math.max(0, ...same.map(timeOfRequest)),
    },
  };
}

function timeOfRequest(stored: StoredExport): number {
  return Number(readObserved(stored).asked ?? 0);
}

/** Behaviour that earlier exports observed and that holds for any request. */
function observedEarlier(exports: readonly StoredExport[]): ObservedBehaviour {
  const newest = [...exports].sort((a, b) => b.export - a.export);
  const times = newest
    .map((stored) => readObserved(stored).times)
    .find((resolution) => resolution !== undefined);
  return times === undefined ? {} : { times };
}

/** Finds an unfinished export of a case by its number, or the newest one. */
export async function findOpenExport(into: Case, number?: number): Promise<OpenedExport | undefined> {
  const windows = await findWindows(into);
  const open = (await exportsNumbered(into, number)).find((stored) => isExportOpen(stored, windows));
  return open && { stored: open, windows: windowsOf(open, windows), resumed: true };
}

/** The export of a number, or all, the newest first. */
async function exportsNumbered(into: Case, number: number | undefined): Promise<readonly StoredExport[]> {
  const exports = await findExports(into);
  return number === undefined ? exports : exports.filter((stored) => stored.export === number);
}

/** Returns whether the deployment returned fewer logs of a window than it has. */
function lacksLogs({ state, missing = 0 }: StoredWindow): boolean {
  return state === 'loaded' && 0 < missing;
}

/** Finds an export of a case that lacks logs by its number, or the newest one, with its incomplete windows reset. */
export async function findExportWithGaps(into: Case, number?: number): Promise<OpenedExport | undefined> {
  const windows = await findWindows(into);
  const found = (await exportsNumbered(into, number)).find(
    (stored) => isExportOpen(stored, windows) || windowsOf(stored, windows).some(lacksLogs),
  );
  if (!found) return undefined;
  const own = windowsOf(found, windows);
  const isFilters = readObserved(found).slices === 'filters';
  const canAsk = ({ slice, reason }: StoredWindow) =>
    reason !== deleted && (!isFilters || canFilterSlice(slice));
  // Its checks come from old replies, whose logs may have aged away since. Logs that never came stay missing.
  const anew = (window: StoredWindow) => {
    const checks = readExpected(window.expected).filter(({ kind }) => kind === 'least');
    const expected = window.reason === incomplete ? writeExpected(checks) : undefined;
    return resetWindow({ ...window, attempts: 0, expected });
  };
  return {
    stored: found,
    windows: own.map((window) => (lacksLogs(window) && canAsk(window) ? anew(window) : window)),
    resumed: true,
  };
}

/** Returns whether an export has windows left to load or to confirm, or a sample of them left to request. */
export function isExportOpen(stored: StoredExport, windows: readonly StoredWindow[]): boolean {
  const own = windowsOf(stored, windows);
  return isPending(stored) || own.some((window) => isLeft(window) || window.reason === unconfirmed);
}

function isLeft({ state }: StoredWindow): boolean {
  return state !== 'loaded' && state !== 'split';
}

/** Returns whether a run of an export has not ended: nothing but its windows proves what it has. */
function isPending(stored: StoredExport): boolean {
  return readObserved(stored).pending === 'yes';
}

function windowsOf({ export: number }: StoredExport, windows: readonly StoredWindow[]): StoredWindow[] {
  return windows.filter((window) => window.export === number);
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
 * a job submitted with another `num` would be misjudged. So would the size of an
 * earlier reply: that of a split window is forgotten, and a window that only the
 * size of a larger reply shows to be whole is requested again.
 */
export function applyRequestSettings(opened: OpenedExport, changed: RequestSettings): OpenedExport {
  const { stored, windows } = opened;
  const before = toOrder(stored);
  const { request, settings } = toStoredExport(withRequestSettings(before, changed), stored.export);
  const same = toStoredExport(before, stored.export);
  if (JSON.stringify([request, settings]) === JSON.stringify([same.request, same.settings])) return opened;
  const num = changed.num ?? before.request.num;
  const anew = windows.map((window) => {
    const { state, reason, records = 0 } = window;
    if (underWayStates.has(state)) return resetWindow(window);
    if (num === before.request.num) return window;
    if (state === 'split') return { ...window, records: undefined };
    return reason === unconfirmed && num < records ? resetWindow({ ...window, attempts: 0 }) : window;
  });
  return { ...opened, stored: { ...stored, request, settings }, windows: anew };
}

/**
 * Default overlap in milliseconds: logs arrive within seconds, and ten minutes cover an interruption. Twice the
 * longest lateness that was seen is more where logs came later.
 */
const usualOverlap = 600_000;

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
  { now, overlap }: { readonly now: number; readonly overlap?: number | undefined },
): Promise<SinceLast> {
  const [last] = await findExports(of);
  if (!last || isExportOpen(last, await findWindows(of))) {
    const what = last
      ? 'an export that is not finished: "--resume" goes on with it'
      : 'no export over a time';
    throw new ExportError('NOTHING_TO_RESUME', `The case "${of.path}" holds ${what}`);
  }
  const order = toOrder(last);
  const late = Math.max(
    0,
    ...(await findExports(of)).map((stored) => Number(readObserved(stored).late ?? 0)),
  );
  const from = Math.min(last.newest, now) - (overlap ?? Math.max(usualOverlap, 2 * late));
  const newest = now + dayAhead;
  return {
    order: { ...order, oldest: from, newest, from, to: undefined, given: now },
    repeat: { oldest: from, newest: last.newest },
  };
}

/**
 * State of an interval. `complete`: the case has all its logs. `capped`: the
 * deployment returned no more, so some are missing. `open`: requested but not
 * loaded yet. Times outside all intervals were never requested.
 */
export type CoverageState = 'complete' | 'capped' | 'open';

/** An interval with one coverage state. Times are milliseconds since the epoch, both included. */
export interface CoveredInterval extends Window {
  readonly state: CoverageState;
}

/** Intervals requested with the same filters, by any number of exports. */
export interface Coverage {
  readonly deployment: string;
  /** Filters as parameters of the interface, without empty ones. */
  readonly filters: Readonly<Record<string, string>>;
  /** Numbers of the exports. */
  readonly exports: readonly number[];
  /** Ordered by time, without overlaps; neighbours of the same state are merged. */
  readonly covered: readonly CoveredInterval[];
  /** What nothing proves of these exports, although no log is known to be missing; the newest export first. */
  readonly doubts: readonly UnprovedOfExport[];
}

/**
 * Reads the intervals that a case was asked for, grouped by filters, with their states.
 *
 * ```ts
 * for (const { filters, covered } of await readCoverage(incident)) console.log(filters, covered.length);
 * ```
 */
export async function readCoverage(of: Case): Promise<readonly Coverage[]> {
  const windows = await findWindows(of);
  const groups: StoredExport[][] = [];
  for (const stored of await findExports(of)) {
    const group = groups.find(([first]) => first && isSameRequest(toOrder(first), toOrder(stored)));
    if (group) group.push(stored);
    else groups.push([stored]);
  }
  return groups.flatMap((group) => toCoverage(group, windows));
}

/** What a case has of one order, whatever its times. */
export interface CoverageOfOrder {
  /** Ordered by time, without overlaps. */
  readonly covered: readonly CoveredInterval[];
  /** Numbers of the exports that are not finished, the newest first. */
  readonly open: readonly number[];
  /** Numbers of finished exports that lack logs which may come when they are asked for again, the newest first. */
  readonly lacking: readonly number[];
  /** Times whose logs the deployment deleted before they came. */
  readonly deleted: readonly Window[];
  /** The longest delay with which logs came, in milliseconds; 0 if none was late. */
  readonly late: number;
}

/**
 * Reads what a case has of an order, whatever its times: a later export adds to it, `resumeWindows` and `retryGaps`
 * take the numbers.
 */
export async function readCoverageOfOrder(of: Case, order: ExportOrder): Promise<CoverageOfOrder> {
  const windows = await findWindows(of);
  const same = (await findExports(of)).filter((stored) => isSameRequest(toOrder(stored), order));
  const own = same.flatMap((stored) => claimedWindows(stored, windowsOf(stored, windows)));
  const open = same.filter((stored) => isExportOpen(stored, windows));
  const lacking = same.filter(
    (stored) =>
      !open.includes(stored) &&
      windowsOf(stored, windows).some((window) => lacksLogs(window) && window.reason !== deleted),
  );
  return {
    covered: mergeCoverage(own),
    open: open.map((stored) => stored.export),
    lacking: lacking.map((stored) => stored.export),
    deleted: own
      .filter((window) => lacksLogs(window) && window.reason === deleted)
      .map(({ oldest, newest }) => ({ oldest, newest })),
    late: Math.max(0, ...same.map((stored) => Number(readObserved(stored).late ?? 0))),
  };
}

/** Reads the coverage of a case, or of logs elsewhere: what one of their cases has completely is complete. */
export async function readCoverageOf(of: Case | LogSource): Promise<readonly Coverage[]> {
  const source = sourceOf(of);
  if (source.case) return await readCoverage(source.case);
  return joinCoverage((await source.coverage?.()) ?? []);
}

/** Joins the coverage of several cases, grouped by deployment and filters. */
export function joinCoverage(all: readonly Coverage[]): readonly Coverage[] {
  const groups = new Map<string, Coverage[]>();
  for (const coverage of all) {
    const filters = Object.entries(coverage.filters).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([coverage.deployment, filters]);
    groups.set(key, [...(groups.get(key) ?? []), coverage]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (!first || others.length === 0) return group;
    const exports = [...new Set(group.flatMap((coverage) => coverage.exports))].sort((a, b) => b - a);
    const doubts = group.flatMap((coverage) => coverage.doubts);
    return [{ ...first, exports, covered: joinIntervals(group.flatMap(({ covered }) => covered)), doubts }];
  });
}

/** Joins intervals: a time that is complete in one of them is complete. */
function joinIntervals(all: readonly CoveredInterval[]): readonly CoveredInterval[] {
  return sweep(all, (time) => {
    const states = all.filter(({ oldest, newest }) => oldest <= time && time <= newest);
    return (['complete', 'capped', 'open'] as const).find((state) =>
      states.some((interval) => interval.state === state),
    );
  });
}

function toCoverage(group: readonly StoredExport[], windows: readonly StoredWindow[]): Coverage[] {
  const [first] = group;
  if (!first) return [];
  const exports = group.map((stored) => stored.export);
  const own = group.flatMap((stored) => claimedWindows(stored, windowsOf(stored, windows)));
  const noFilter = new Set(['num', 'sortBy', 'sortOrder', 'f', 'startTime', 'endTime']);
  const filters = Object.entries(first.request).filter(
    ([name, value]) => value !== '' && !noFilter.has(name),
  );
  const { deployment } = first;
  const doubts = group.flatMap((each) =>
    readDoubts(each).map((doubt) => ({ export: each.export, ...doubt })),
  );
  return [{ deployment, filters: Object.fromEntries(filters), exports, covered: mergeCoverage(own), doubts }];
}

/** The windows of an export as far as they are proved: one that lacks nothing but its proof is not finished. */
function claimedWindows(stored: StoredExport, own: readonly StoredWindow[]): readonly StoredWindow[] {
  if (!isPending(stored) || own.some(isLeft)) return own;
  return own.map((window) => (stateOf(window) === 'complete' ? { ...window, state: 'fetched' } : window));
}

/**
 * Merges the coverage of windows with the same filters. An interval complete in
 * one export stays complete; a partial slice only counts where it lacks logs.
 */
export function mergeCoverage(all: readonly StoredWindow[]): readonly CoveredInterval[] {
  const windows = all.filter(({ state }) => state !== 'split');
  const whole = windows.filter((window) => stateOf(window) === 'complete' && !isPartialSlice(window.slice));
  const lacking = windows.filter((window) => stateOf(window) !== 'complete');
  return sweep(windows, (time) => stateAt(time, { whole, lacking }));
}

/** Cuts time at the ends of all intervals, and merges neighbours of the same state. */
function sweep(
  all: readonly Window[],
  stateFrom: (time: number) => CoverageState | undefined,
): readonly CoveredInterval[] {
  const edges = new Set(all.flatMap(({ oldest, newest }) => [oldest, newest + 1]));
  const sorted = [...edges].sort((a, b) => a - b);
  const covered: CoveredInterval[] = [];
  for (const [index, oldest] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === undefined) break;
    const state = stateFrom(oldest);
    if (state) add(covered, { oldest, newest: next - 1, state });
  }
  return covered;
}

function stateAt(
  time: number,
  { whole, lacking }: { readonly whole: readonly StoredWindow[]; readonly lacking: readonly StoredWindow[] },
): CoverageState | undefined {
  const holds = ({ oldest, newest }: StoredWindow) => oldest <= time && time <= newest;
  const lacks = lacking.filter(holds);
  const part = lacks.find((window) => isPartialSlice(window.slice));
  if (!part && whole.some(holds)) return 'complete';
  const lack = part ?? lacks[0];
  return lack && stateOf(lack);
}

function stateOf({ state, missing = 0 }: StoredWindow): CoverageState {
  if (state !== 'loaded') return 'open';
  return 0 < missing ? 'capped' : 'complete';
}

function add(covered: CoveredInterval[], more: CoveredInterval): void {
  const last = covered.at(-1);
  if (last && last.state === more.state && last.newest + 1 === more.oldest)
    covered.splice(-1, 1, { ...last, newest: more.newest });
  else covered.push(more);
}
