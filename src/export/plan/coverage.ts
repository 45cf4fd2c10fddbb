import type { Case, StoredExport, StoredWindow } from '../../case/index.ts';
import { findExports, findWindows } from '../../case/index.ts';
import { isPartialSlice } from '../decide/slice.ts';
import type { Window } from '../decide/window.ts';
import { isSameRequest, toOrder } from './order.ts';

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
  for (const each of await findExports(of)) {
    const group = groups.find(([first]) => first && isSameRequest(toOrder(first), toOrder(each)));
    if (group) group.push(each);
    else groups.push([each]);
  }
  return groups.flatMap((group) => toCoverage(group, windows));
}

/** Logs that are not in a case file, with the coverage of each case that they came from. */
interface CoveredSource {
  readonly coverage: () => Promise<readonly Coverage[]>;
}

/** Reads the coverage of a case, or of logs elsewhere: what one of their cases has completely is complete. */
export async function readCoverageOf(of: Case | CoveredSource): Promise<readonly Coverage[]> {
  return 'path' in of ? await readCoverage(of) : joinCoverage(await of.coverage());
}

/** Joins the coverage of several cases, grouped by deployment and filters. */
export function joinCoverage(all: readonly Coverage[]): readonly Coverage[] {
  const groups = new Map<string, Coverage[]>();
  for (const each of all) {
    const filters = Object.entries(each.filters).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([each.deployment, filters]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (!first || others.length === 0) return group;
    const exports = [...new Set(group.flatMap((each) => each.exports))].sort((a, b) => b - a);
    return [{ ...first, exports, covered: joinIntervals(group.flatMap(({ covered }) => covered)) }];
  });
}

/** Joins intervals: a time that is complete in one of them is complete. */
function joinIntervals(all: readonly CoveredInterval[]): readonly CoveredInterval[] {
  return sweep(all, (time) => {
    const states = all.filter(({ oldest, newest }) => oldest <= time && time <= newest);
    return (['complete', 'capped', 'open'] as const).find((state) =>
      states.some((each) => each.state === state),
    );
  });
}

function toCoverage(group: readonly StoredExport[], windows: readonly StoredWindow[]): Coverage[] {
  const [first] = group;
  if (!first) return [];
  const exports = group.map((each) => each.export);
  const own = windows.filter((each) => exports.includes(each.export));
  const noFilter = new Set(['num', 'sortBy', 'sortOrder', 'f', 'startTime', 'endTime']);
  const filters = Object.entries(first.request).filter(
    ([name, value]) => value !== '' && !noFilter.has(name),
  );
  const { deployment } = first;
  return [{ deployment, filters: Object.fromEntries(filters), exports, covered: mergeCoverage(own) }];
}

/**
 * Merges the coverage of windows with the same filters. An interval complete in
 * one export stays complete; a partial slice only counts where it lacks logs.
 */
export function mergeCoverage(all: readonly StoredWindow[]): readonly CoveredInterval[] {
  const windows = all.filter(({ state }) => state !== 'split');
  const whole = windows.filter((each) => stateOf(each) === 'complete' && !isPartialSlice(each.slice));
  const lacking = windows.filter((each) => stateOf(each) !== 'complete');
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
  const part = lacks.find((each) => isPartialSlice(each.slice));
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
