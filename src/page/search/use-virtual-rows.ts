import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Height of a row in pixels, as the style has it. */
export const rowHeight = 26;

/** Browsers draw no element that is much higher: a longer list is scaled into this height. */
const mostHeight = 8_000_000;

/** The rows of a long list that are in sight. */
export interface VirtualRows {
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

/** Follows the scrolling of an element that shows `count` rows. */
export function useVirtualRows(of: { readonly current: HTMLElement | null }, count: number): VirtualRows {
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
    setView({ scroll: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const read = () => setView({ scroll: element.scrollTop, height: element.clientHeight });
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
