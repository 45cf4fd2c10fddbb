import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type Filter,
  highlightMatches,
  parse,
  QueryTooComplex,
  resolve,
  type Span,
} from '../language/index.ts';
import type { Answers } from '../server/index.ts';
import { colourClass, formatDuration, formatTime, offsetOf, visible } from './format.ts';
import { callServer } from './server-calls.ts';
import { type SelectionParameters, usePage } from './use-page-state.ts';

/** Least and most width of a column, in pixels. */
const [leastWidth, mostWidth] = [40, 2000];

interface LogTableProps {
  readonly selection: SelectionParameters;
  readonly total: number;
  /** Time of the last log of the cases, from which relative times are counted. */
  readonly last: number | undefined;
  /** Names of the cases; of several, each row names its own. */
  readonly names: readonly string[];
  /** True once the user has cancelled the search. */
  readonly isCancelled: boolean;
}

/** The logs of a selection: any number of rows, of which those in sight are there. */
export function LogTable({ selection, total, last: newest, names, isCancelled }: LogTableProps) {
  const { state, go } = usePage();
  const { order } = state;
  const columns = 1 < names.length ? ['case', ...state.columns] : state.columns;
  const [widths, setWidths] = useState(readWidths);
  const [active, setActive] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const { height, first, last, top, reveal, toTop } = useVirtualRows(body, total);
  const onReplaced = () => {
    setActive(0);
    toTop();
  };
  const pages = useLogPages({ selection, order, isCancelled, onReplaced });
  const highlight = useMemo(() => highlighterOf(selection.query, selection.now), [selection]);
  pages.see(first, last);
  const template = gridOf(columns, widths);
  const open = (index: number) => {
    const log = pages.at(index);
    if (log) go({ log: addressOf(log) });
  };
  const move = (index: number) => {
    const next = Math.min(Math.max(0, index), total - 1);
    setActive(next);
    reveal(next);
    if (state.log !== undefined) open(next);
  };
  const screen = Math.max(1, last - first - 2);
  const keys: { readonly [key: string]: () => void } = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    j: () => move(active + 1),
    k: () => move(active - 1),
    PageDown: () => move(active + screen),
    PageUp: () => move(active - screen),
    Home: () => move(0),
    End: () => move(total - 1),
    Enter: () => open(active),
  };
  const resize = (column: string, width: number) => {
    const next = { ...widths, [column]: Math.min(Math.max(leastWidth, Math.round(width)), mostWidth) };
    setWidths(next);
    writeWidths(next);
  };
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return (
    <div
      class={`log-table ${pages.isStale ? 'stale' : ''}`}
      role="grid"
      aria-label="Logs"
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      aria-activedescendant={pages.at(active) ? `row-${active}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => {
        const act = keys[event.key];
        if (!act || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return;
        event.preventDefault();
        act();
      }}
    >
      <div class="log-scroll" ref={body}>
        <div class="log-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
          {columns.map((column) => (
            <ColumnHead
              key={column}
              column={column}
              width={widths[column] ?? 140}
              resize={(width) => resize(column, width)}
            >
              {column === 'time'
                ? `time ${offsetsText(state.zone, [pages.at(first), pages.at(last)])}`
                : titleOf(column)}
            </ColumnHead>
          ))}
        </div>
        <div class="log-body" role="presentation" style={{ height: `${height}px` }}>
          {rows.map((index) => (
            <Row
              key={index}
              {...{ index, columns, template, highlight, newest, names }}
              zone={state.zone}
              isRelative={state.times === 'relative'}
              isActive={index === active}
              isOpen={pages.at(index) !== undefined && state.log === addressOf(pages.at(index))}
              shown={pages.at(index)}
              top={top + (index - first) * rowHeight}
              open={() => {
                setActive(index);
                open(index);
              }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The address of a log: the index of its case and its id. */
function addressOf(log: LogRow | undefined): string | undefined {
  return log && `${log.ofCase}:${log.id}`;
}

/** The offset of the times in sight; two where the clock is changed between them. */
function offsetsText(zone: string, logs: readonly (LogRow | undefined)[]): string {
  if (zone === 'UTC') return 'UTC';
  const times = logs.flatMap((each) => (each?.log.time === undefined ? [] : [each.log.time]));
  const offsets = new Set((times.length === 0 ? [Date.now()] : times).map((time) => offsetOf(time, zone)));
  return `UTC${[...offsets].join(' and ')}`;
}

interface ColumnHeadProps {
  readonly column: string;
  readonly width: number;
  readonly resize: (width: number) => void;
  readonly children: string;
}

function ColumnHead({ column, width, resize, children }: ColumnHeadProps) {
  const { state, go } = usePage();
  const isTime = column === 'time';
  const direction = state.order === 'newest' ? 'descending' : 'ascending';
  return (
    <div class="log-column" role="columnheader" aria-sort={isTime ? direction : undefined}>
      {isTime ? (
        <button
          type="button"
          class="column-sort"
          onClick={() => go({ order: state.order === 'newest' ? 'oldest' : 'newest' })}
        >
          {children} {state.order === 'newest' ? '↓' : '↑'}
        </button>
      ) : (
        children
      )}
      <span
        class="column-grip"
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${titleOf(column)}`}
        aria-valuenow={width}
        aria-valuemin={leastWidth}
        aria-valuemax={mostWidth}
        tabIndex={0}
        onKeyDown={({ key }) => {
          if (key === 'ArrowLeft') resize(width - 16);
          else if (key === 'ArrowRight') resize(width + 16);
        }}
        onPointerDown={(event) => {
          const { currentTarget, clientX, pointerId } = event;
          currentTarget.setPointerCapture(pointerId);
          currentTarget.onpointermove = (moved) => resize(width + moved.clientX - clientX);
          currentTarget.onpointerup = () => {
            currentTarget.onpointermove = null;
          };
        }}
      />
    </div>
  );
}

interface RowProps {
  readonly index: number;
  readonly shown: LogRow | undefined;
  readonly columns: readonly string[];
  readonly template: string;
  readonly top: number;
  readonly zone: string;
  readonly isRelative: boolean;
  readonly newest: number | undefined;
  readonly names: readonly string[];
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly highlight: Highlighter;
  readonly open: () => void;
}

function Row({ index, shown, columns, template, top, isActive, isOpen, open, ...row }: RowProps) {
  const look = `log-row ${isActive ? 'active' : ''} ${isOpen ? 'open' : ''} ${shown ? colourClass(shown.log.logLevel) : ''}`;
  const marks = shown && row.highlight(shown.log);
  return (
    <div
      id={`row-${index}`}
      class={look}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isActive}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template }}
      onClick={open}
    >
      {columns.map((column) => (
        <div key={column} class={`log-cell cell-${column}`} role="gridcell">
          {!shown ? (
            ''
          ) : column === 'time' ? (
            timeText(shown.log.time, row)
          ) : column === 'case' ? (
            visible(row.names[shown.ofCase] ?? '')
          ) : (
            <HighlightedText
              text={columnText(shown.log, column)}
              // The whole value of any other field matches: marks there say nothing.
              spans={column === 'msg' ? (marks?.get(column) ?? []) : []}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function timeText(
  time: number | undefined,
  { zone, isRelative, newest }: Pick<RowProps, 'zone' | 'isRelative' | 'newest'>,
): string {
  if (time === undefined) return '';
  return isRelative && newest !== undefined ? `−${formatDuration(newest - time)}` : formatTime(time, zone);
}

/** Height of a row in pixels, as the style has it. */
const rowHeight = 26;

/** Browsers draw no element that is much higher: a longer list is scaled into this height. */
const mostHeight = 8_000_000;

/** The rows of a long list that are in sight. */
interface VirtualRows {
  /** Height of all rows, in pixels. */
  readonly height: number;
  readonly first: number;
  readonly last: number;
  /** Distance of the first row from the top of all, in pixels. */
  readonly top: number;
  /** Scrolls so that a row is in sight. */
  readonly reveal: (index: number) => void;
  /** Scrolls to the first row. */
  readonly toTop: () => void;
}

/** Follows the scrolling of an element that shows `count` rows below a head. */
function useVirtualRows(of: { readonly current: HTMLElement | null }, count: number): VirtualRows {
  const [view, setView] = useState({ scroll: 0, height: 400 });
  /** The exact first row where one pixel stands for more than a row. */
  const exact = useRef<{ readonly scroll: number; readonly row: number } | undefined>(undefined);
  const whole = count * rowHeight;
  const height = Math.min(whole, mostHeight);
  const isScaled = height < whole;
  const inSight = view.height / rowHeight;
  const most = Math.max(0, count - inSight);
  const range = Math.max(1, height - view.height);
  const rowAt = (scroll: number) => {
    if (!isScaled) return scroll / rowHeight;
    const known = exact.current;
    return known && Math.abs(known.scroll - scroll) < 2 ? known.row : (scroll / range) * most;
  };
  const row = Math.min(rowAt(view.scroll), most);
  const first = Math.max(0, Math.floor(row));
  const scrollTo = (target: number) => {
    const element = of.current;
    if (!element) return;
    const wanted = Math.min(Math.max(0, target), most);
    element.scrollTop = isScaled ? (wanted / most) * range : wanted * rowHeight;
    exact.current = { scroll: element.scrollTop, row: wanted };
    setView(viewOf(element));
  };
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const read = () => setView(viewOf(element));
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  useEffect(() => {
    const element = of.current;
    if (!element || !isScaled) return;
    const turn = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * rowHeight;
      scrollTo(rowAt(element.scrollTop) + pixels / rowHeight);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  });
  return {
    height,
    first,
    last: Math.min(count - 1, first + Math.ceil(inSight) + 1),
    top: view.scroll - (row - first) * rowHeight,
    toTop: () => scrollTo(0),
    reveal: (index) => {
      if (index < row) scrollTo(index);
      else if (row + inSight - 2 < index) scrollTo(index - inSight + 2);
    },
  };
}

/** How far an element is scrolled, and how much of its height is left for rows: its head stays in sight above them. */
function viewOf(element: HTMLElement): { readonly scroll: number; readonly height: number } {
  const head = element.querySelector<HTMLElement>('.log-head')?.offsetHeight ?? 0;
  return { scroll: element.scrollTop, height: element.clientHeight - head };
}

/** All columns that the table can have. */
export const allColumns = [
  ...['time', 'logLevel', 'logCode', 'source', 'msg', 'username', 'requestID', 'elapsed', 'className'],
  ...['methodName', 'serviceTypes', 'machine', 'process', 'thread', 'stackTraces'],
] as const;

const titles: Readonly<Record<string, string>> = {
  logLevel: 'level',
  logCode: 'code',
  msg: 'message',
  username: 'user',
  requestID: 'request',
};

/** The title of a column. */
export function titleOf(column: string): string {
  return titles[column] ?? column;
}

const widths: Readonly<Record<string, number>> = {
  time: 188,
  logLevel: 78,
  logCode: 74,
  source: 190,
  msg: 560,
  elapsed: 70,
  username: 110,
  requestID: 150,
};

const key = 'logquarry-widths';

/** The widths of columns in pixels: those that the user chose before the usual ones. */
function readWidths(): Readonly<Record<string, number>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    const chosen = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return { ...widths, ...Object.fromEntries(chosen.filter(([, width]) => typeof width === 'number')) };
  } catch {
    return widths;
  }
}

/** Keeps the widths of columns. */
function writeWidths(chosen: Readonly<Record<string, number>>): void {
  try {
    localStorage.setItem(key, JSON.stringify(chosen));
  } catch {
    // A browser without storage forgets them.
  }
}

/** Least width of the last column, in pixels. */
const leastLast = 320;

/** The columns of a grid in CSS; the last takes what is left. */
function gridOf(columns: readonly string[], chosen: Readonly<Record<string, number>>): string {
  return columns
    .map((column, index) => {
      const width = chosen[column] ?? 140;
      return index === columns.length - 1 ? `minmax(${Math.min(width, leastLast)}px, 1fr)` : `${width}px`;
    })
    .join(' ');
}

/** The text of a field of a log; empty if it has none. */
function columnText(log: LogRow['log'], column: string): string {
  const value = Object.entries(log).find(([name]) => name === column)?.[1];
  return value === undefined ? '' : String(value);
}

/** A log as a row of the table. */
export type LogRow = Answers['logs']['result'][number];

/** Number of logs of a page, as the server cuts them. */
const pageLength = 100;

/** Pages that are kept: far more than fit on a screen. */
const kept = 60;

/** Pause before pages are fetched that a scroll may pass over, in milliseconds. */
const pause = 70;

/** The logs of a selection as a list of any length, of which pages are fetched when they are seen. */
interface LogPages {
  readonly at: (index: number) => LogRow | undefined;
  /** Names the rows that are seen. */
  readonly see: (first: number, last: number) => void;
  /** The rows are of an earlier selection. */
  readonly isStale: boolean;
}

/** The rows that a table asks for. */
interface LogPagesOptions {
  readonly selection: SelectionParameters;
  readonly order: 'newest' | 'oldest';
  /** True once the user has cancelled the search: calls on their way are aborted. */
  readonly isCancelled: boolean;
  /** Called when the first rows of a new selection replace the earlier ones. */
  readonly onReplaced: () => void;
}

/** Fetches pages of a selection on demand; calls for pages that are out of sight are aborted. */
function useLogPages({ selection, order, isCancelled, onReplaced }: LogPagesOptions): LogPages {
  const [, redraw] = useState(0);
  const [isStale, setStale] = useState(true);
  const pages = useRef(new Map<number, readonly LogRow[]>());
  const running = useRef(new Map<number, AbortController>());
  const seen = useRef<readonly [number, number]>([0, 0]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const fetchPage = (page: number, isFirst: boolean) => {
    const controller = new AbortController();
    running.current.set(page, controller);
    callServer('logs', { ...selection, order, page }, controller.signal)
      .then((logs) => {
        if (isFirst) {
          pages.current = new Map();
          seen.current = [0, 0];
          onReplaced();
        }
        pages.current.delete(page);
        pages.current.set(page, logs);
        for (const old of [...pages.current.keys()].slice(0, -kept)) pages.current.delete(old);
        if (isFirst) setStale(false);
        redraw((count) => count + 1);
      })
      .catch(() => {})
      .finally(() => {
        if (running.current.get(page) === controller) running.current.delete(page);
      });
  };
  const fetchSeen = () => {
    const [first, last] = seen.current;
    const wanted = new Set<number>();
    for (let page = Math.floor(first / pageLength); page <= Math.floor(last / pageLength); page += 1)
      wanted.add(page);
    for (const [page, controller] of running.current)
      if (!wanted.has(page)) {
        controller.abort();
        running.current.delete(page);
      }
    for (const page of wanted)
      if (!pages.current.has(page) && !running.current.has(page)) fetchPage(page, false);
  };
  const abortAll = () => {
    clearTimeout(timer.current);
    for (const controller of running.current.values()) controller.abort();
    running.current.clear();
  };
  useEffect(() => {
    setStale(true);
    fetchPage(0, true);
    return abortAll;
  }, [selection, order]);
  useEffect(() => {
    if (isCancelled) abortAll();
  }, [isCancelled]);
  return {
    isStale,
    at: (index) => pages.current.get(Math.floor(index / pageLength))?.[index % pageLength],
    see: (first, last) => {
      if (isStale || (seen.current[0] === first && seen.current[1] === last)) return;
      seen.current = [first, last];
      clearTimeout(timer.current);
      timer.current = setTimeout(fetchSeen, pause);
    },
  };
}

/** Returns the matches of a query in a log, by field. */
type Highlighter = (log: LogRow['log']) => ReadonlyMap<string, readonly Span[]>;

const none: ReadonlyMap<string, readonly Span[]> = new Map();

/** Makes a highlighter of a query; each log is matched once. */
export function highlighterOf(query: string, now: number): Highlighter {
  const filter = filterOf(query, now);
  if (!filter) return () => none;
  const known = new WeakMap<object, ReadonlyMap<string, readonly Span[]>>();
  return (log) => {
    const found =
      known.get(log) ?? new Map(highlightMatches(filter, log).map(({ field, spans }) => [field, spans]));
    known.set(log, found);
    return found;
  };
}

function filterOf(query: string, now: number): Filter | undefined {
  if (query.trim() === '') return undefined;
  try {
    return resolve(parse(query).query, { now });
  } catch (error) {
    if (error instanceof QueryTooComplex) return undefined;
    throw error;
  }
}

interface MarkedTextProps {
  readonly text: string;
  /** Sorted and disjoint. */
  readonly spans: readonly Span[];
}

/** A text with its matches marked. */
export function HighlightedText({ text, spans }: MarkedTextProps) {
  if (spans.length === 0) return <>{visible(text)}</>;
  const pieces = spans.map(({ from, to }, index) => (
    <span key={from}>
      {visible(text.slice(spans[index - 1]?.to ?? 0, from))}
      <mark>{visible(text.slice(from, to))}</mark>
    </span>
  ));
  return (
    <>
      {pieces}
      {visible(text.slice(spans.at(-1)?.to ?? 0))}
    </>
  );
}
