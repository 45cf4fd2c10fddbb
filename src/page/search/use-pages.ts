import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from '../../server/index.ts';
import { callServer } from '../api/call.ts';
import type { SelectionParameters } from './use-search.ts';

/** A log as a row of the table. */
export type LogRow = Answers['logs']['result'][number];

/** Number of logs of a page, as the server cuts them. */
const pageLength = 100;

/** Pages that are kept: far more than fit on a screen. */
const kept = 60;

/** Pause before pages are fetched that a scroll may pass over, in milliseconds. */
const pause = 70;

/** The logs of a selection as a list of any length, of which pages are fetched when they are seen. */
export interface LogPages {
  readonly at: (index: number) => LogRow | undefined;
  /** Names the rows that are seen. */
  readonly see: (first: number, last: number) => void;
  /** The rows are of an earlier selection. */
  readonly isStale: boolean;
}

/** The rows that a table asks for. */
export interface LogPagesOptions {
  readonly selection: SelectionParameters;
  readonly order: 'newest' | 'oldest';
  /** True once the user has cancelled the search: calls on their way are aborted. */
  readonly isCancelled: boolean;
  /** Called when the first rows of a new selection replace the earlier ones. */
  readonly onReplaced: () => void;
}

/** Fetches pages of a selection on demand; calls for pages that are out of sight are aborted. */
export function useLogPages({ selection, order, isCancelled, onReplaced }: LogPagesOptions): LogPages {
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
