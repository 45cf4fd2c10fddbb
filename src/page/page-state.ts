import { parseTimeZone } from '../records/index.ts';

/** The views of the page, in the order of the tabs. */
export const pageViews = [
  'search',
  'investigate',
  'patterns',
  'changes',
  'detections',
  'services',
  'trace',
  'notes',
  'overview',
  'coverage',
  'sql',
  'export',
  'cases',
] as const;

/** Name of a view. */
export type View = (typeof pageViews)[number];

/** Parts of an opened log, in the order of the tabs. */
export const logParts = ['fields', 'context', 'record', 'notes'] as const;

/** Name of a part of an opened log. */
export type LogPart = (typeof logParts)[number];

/** All that an address of the page says. Absent members have their usual values. */
export interface PageState {
  /** Names of the sources that are shown; empty for those of the command line. */
  readonly cases: readonly string[];
  readonly view: View;
  /** The query that was searched for. */
  readonly q: string;
  /** First and last time, milliseconds since the epoch, both included. */
  readonly from?: number;
  readonly to?: number;
  readonly order: 'newest' | 'oldest';
  /** Columns of the table, in order. */
  readonly columns: readonly string[];
  /** Field by which the bars are divided. */
  readonly by: string;
  readonly zone: string;
  readonly times: 'absolute' | 'relative';
  /** The opened log: index of its case and its id. */
  readonly log?: string;
  /** The shown part of the opened log; its fields unless given. */
  readonly part?: LogPart;
  readonly request?: string;
  /** Id of the pattern whose values are shown. */
  readonly pattern?: string;
  /** The earlier interval of a comparison. */
  readonly before?: string;
  readonly sql?: string;
  /** Index of the case that SQL reads; the first unless given. */
  readonly sqlCase?: number;
  /** The tag of the notes that are shown. */
  readonly tag?: string;
}

/** The columns of the table unless others are chosen. */
export const usualColumns = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The state of an address without anything. */
export const firstState: PageState = {
  cases: [],
  view: 'search',
  q: '',
  order: 'newest',
  columns: usualColumns,
  by: 'logLevel',
  zone: 'UTC',
  times: 'absolute',
};

/** Reads the state from the search part of an address. What is not valid has its usual value. */
export function readState(search: string): PageState {
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name) ?? undefined;
  const view = pageViews.find((each) => each === text('view')) ?? firstState.view;
  const from = readTime(text('from'));
  const to = readTime(text('to'));
  const [log, request, before] = [text('log'), text('request'), text('before')];
  const [sql, tag, pattern] = [text('sql'), text('tag'), text('pattern')];
  const part = logParts.find((each) => each === text('part'));
  const sqlCase = /^[1-9]\d{0,5}$/.exec(text('sqlCase') ?? '')?.[0];
  const columns =
    text('columns')
      ?.split(',')
      .filter((each) => /^\w+$/.test(each)) ?? [];
  const zone = text('zone') ?? firstState.zone;
  return {
    cases: given.getAll('case'),
    view,
    q: text('q') ?? '',
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    order: text('order') === 'oldest' ? 'oldest' : 'newest',
    columns: columns.length === 0 ? usualColumns : columns,
    by: /^\w+$/.exec(text('by') ?? '')?.[0] ?? firstState.by,
    zone: parseTimeZone(zone) ? zone : firstState.zone,
    times: text('times') === 'relative' ? 'relative' : 'absolute',
    ...(log !== undefined && /^\d{1,6}:\d{1,15}$/.test(log) && { log }),
    ...(request !== undefined && { request }),
    ...(before !== undefined && /^[^~]+~[^~]+$/.test(before) && { before }),
    ...(sql !== undefined && { sql }),
    ...(part !== undefined && part !== 'fields' && { part }),
    ...(pattern !== undefined && /^[0-9a-f]{10}$/.test(pattern) && { pattern }),
    ...(sqlCase !== undefined && { sqlCase: Number(sqlCase) }),
    ...(tag !== undefined && { tag }),
  };
}

/** Writes a state as the search part of an address, without what is usual. */
export function writeState(state: PageState): string {
  const written = new URLSearchParams();
  for (const name of state.cases) written.append('case', name);
  const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  const members: readonly (readonly [string, string | undefined, string?])[] = [
    ['view', state.view, firstState.view],
    ['q', state.q, ''],
    ['from', iso(state.from)],
    ['to', iso(state.to)],
    ['order', state.order, firstState.order],
    ['columns', state.columns.join(','), usualColumns.join(',')],
    ['by', state.by, firstState.by],
    ['zone', state.zone, firstState.zone],
    ['times', state.times, firstState.times],
    ['log', state.log],
    ['part', state.part, 'fields'],
    ['pattern', state.pattern],
    ['sqlCase', state.sqlCase === undefined ? undefined : String(state.sqlCase), '0'],
    ['request', state.request],
    ['before', state.before],
    ['sql', state.sql],
    ['tag', state.tag],
  ];
  for (const [name, value, usual] of members)
    if (value !== undefined && value !== usual) written.set(name, value);
  const text = written.toString();
  return text === '' ? '/' : `/?${text}`;
}

function readTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

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
