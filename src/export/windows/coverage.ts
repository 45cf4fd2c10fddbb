import type { Case, StoredExport, StoredWindow } from '../../store/index.ts';
import { findExports, findWindows } from '../../store/index.ts';
import { asksTheSame, toOrder } from './order.ts';
import { isPart } from './slice.ts';
import type { Window } from './window.ts';

/**
 * What a case knows of a time. `complete`: all logs of it are there. `capped`:
 * the deployment returned no more, so that some are missing. `open`: it was
 * asked for, but is not there yet. What is in no stretch was never asked for.
 */
export type CoverageState = 'complete' | 'capped' | 'open';

/** A stretch of time of which a case knows the same. Times are milliseconds since the epoch, both included. */
export interface Covered extends Window {
  readonly state: CoverageState;
}

/** Which times were asked for with the same filters, whatever the number of exports. */
export interface Coverage {
  readonly deployment: string;
  /** The filters, as the parameters of the interface, without empty ones. */
  readonly filters: Readonly<Record<string, string>>;
  /** The exports that it comes from. */
  readonly exports: readonly number[];
  /** In the order of time; no two overlap, and neighbours of the same state are one. */
  readonly covered: readonly Covered[];
}

/** Which times a case was asked for, with which filters, and what came of that. */
export async function coverage(of: Case): Promise<readonly Coverage[]> {
  const windows = await findWindows(of);
  const groups: StoredExport[][] = [];
  for (const each of await findExports(of)) {
    const group = groups.find(([first]) => first && asksTheSame(toOrder(first), toOrder(each)));
    if (group) group.push(each);
    else groups.push([each]);
  }
  return groups.flatMap((group) => toCoverage(group, windows));
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
  return [{ deployment, filters: Object.fromEntries(filters), exports, covered: coveredBy(own) }];
}

/**
 * What is known of the times of some windows that ask for the same. What is
 * whole once is whole, whatever another export missed; a part of a millisecond
 * only says what that lacks.
 */
export function coveredBy(all: readonly StoredWindow[]): readonly Covered[] {
  const windows = all.filter(({ state }) => state !== 'split');
  const whole = windows.filter((each) => stateOf(each) === 'complete' && !isPart(each.slice));
  const lacking = windows.filter((each) => stateOf(each) !== 'complete');
  const edges = new Set(windows.flatMap(({ oldest, newest }) => [oldest, newest + 1]));
  const sorted = [...edges].sort((a, b) => a - b);
  const covered: Covered[] = [];
  for (const [index, oldest] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === undefined) break;
    const state = stateAt(oldest, { whole, lacking });
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
  const part = lacks.find((each) => isPart(each.slice));
  if (!part && whole.some(holds)) return 'complete';
  const lack = part ?? lacks[0];
  return lack && stateOf(lack);
}

function stateOf({ state, missing = 0 }: StoredWindow): CoverageState {
  if (state !== 'loaded') return 'open';
  return 0 < missing ? 'capped' : 'complete';
}

function add(covered: Covered[], more: Covered): void {
  const last = covered.at(-1);
  if (last && last.state === more.state && last.newest + 1 === more.oldest)
    covered.splice(-1, 1, { ...last, newest: more.newest });
  else covered.push(more);
}
