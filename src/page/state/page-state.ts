/** The views of the page, in the order of the tabs. */
export const views = [
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
] as const;

/** Name of a view. */
export type View = (typeof views)[number];

/** All that an address of the page says. Absent members have their usual values. */
export interface PageState {
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
  readonly request?: string;
  /** The earlier interval of a comparison. */
  readonly before?: string;
  readonly sql?: string;
  /** The tag of the notes that are shown. */
  readonly tag?: string;
}

/** The columns of the table unless others are chosen. */
export const usualColumns = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The state of an address without anything. */
export const firstState: PageState = {
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
  const view = views.find((each) => each === text('view')) ?? firstState.view;
  const from = readTime(text('from'));
  const to = readTime(text('to'));
  const [log, request, before] = [text('log'), text('request'), text('before')];
  const [sql, tag] = [text('sql'), text('tag')];
  const columns =
    text('columns')
      ?.split(',')
      .filter((each) => /^\w+$/.test(each)) ?? [];
  const zone = text('zone') ?? firstState.zone;
  return {
    view,
    q: text('q') ?? '',
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    order: text('order') === 'oldest' ? 'oldest' : 'newest',
    columns: columns.length === 0 ? usualColumns : columns,
    by: /^\w+$/.exec(text('by') ?? '')?.[0] ?? firstState.by,
    zone: isZone(zone) ? zone : firstState.zone,
    times: text('times') === 'relative' ? 'relative' : 'absolute',
    ...(log !== undefined && /^\d{1,6}:\d{1,15}$/.test(log) && { log }),
    ...(request !== undefined && { request }),
    ...(before !== undefined && /^[^~]+~[^~]+$/.test(before) && { before }),
    ...(sql !== undefined && { sql }),
    ...(tag !== undefined && { tag }),
  };
}

/** Writes a state as the search part of an address, without what is usual. */
export function writeState(state: PageState): string {
  const written = new URLSearchParams();
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

/** True for the name of a time zone that this browser knows. */
function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
