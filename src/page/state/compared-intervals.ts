import type { PageState } from './page-state.ts';

/** An interval of time, both ends included, milliseconds since the epoch. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number;
}

/** First and last time of the logs of some cases; absent if none has a time. */
export interface TimeSpan {
  readonly first?: number | undefined;
  readonly last?: number | undefined;
}

/** The intervals of a comparison. */
export interface ComparedIntervals {
  readonly before: TimeInterval;
  readonly after: TimeInterval;
}

/** The intervals that the view of changes compares; empty for cases without times. */
export function comparedIntervals(state: PageState, span: TimeSpan): Partial<ComparedIntervals> {
  const after = afterOf(state, span);
  return after ? { before: beforeOf(state.before, after), after } : {};
}

/** Writes an interval as the address has it. */
export function writeInterval({ from, to }: TimeInterval): string {
  return `${new Date(from).toISOString()}~${new Date(to).toISOString()}`;
}

/** The later interval: the interval of the page, or the second half of the logs. */
function afterOf({ from, to }: PageState, { first, last }: TimeSpan): TimeInterval | undefined {
  if (first === undefined || last === undefined) return undefined;
  const usual = from === undefined && to === undefined ? Math.floor((first + last) / 2) : first;
  return { from: from ?? usual, to: to ?? last };
}

/** The earlier interval: the chosen one, or as much time as the later one just before it. */
function beforeOf(written: string | undefined, after: TimeInterval): TimeInterval {
  const [from, to] = (written?.split('~') ?? []).map((each) => Date.parse(each));
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  return { from: after.from - (after.to - after.from) - 1, to: after.from - 1 };
}
