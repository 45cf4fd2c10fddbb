import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from '../server/index.ts';
import {
  colourClass,
  formatCount,
  formatDuration,
  formatNumber,
  formatStart,
  stackPlace,
  ticksOf,
  visible,
} from './format.ts';
import type { TimeInterval } from './page-state.ts';

type HistogramData = Answers['histogram']['result'];
type BucketData = HistogramData['buckets'][number];

interface HistogramProps {
  readonly data: HistogramData;
  readonly zone: string;
  readonly choose: (interval: TimeInterval) => void;
  /** Intervals that are drawn behind the bars, each with a look of its own. */
  readonly marked?: readonly MarkedInterval[];
}

/** An interval of a comparison. */
export interface MarkedInterval extends TimeInterval {
  readonly look: 'earlier' | 'later';
}

/** Width of a character of a tick at most, in pixels: a label that would be cut is left out. */
const widest = 7.5;

const height = 108;
const axis = 18;
const top = 6;

const coverageTexts = {
  complete: '',
  capped: 'incomplete: the deployment returned no more than its cap',
  open: 'not exported yet',
  partly: 'partly requested',
  never: 'never requested, so that no log here proves nothing',
} as const;

/** States of time whose logs are not all there; each has a hatching of its own. */
const incomplete = ['never', 'partly', 'capped', 'open'] as const;

/** The number of logs over time as bars, divided by a field. Dragging chooses an interval. */
export function HistogramChart({ data, zone, choose, marked = [] }: HistogramProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [at, setAt] = useState<number>();
  const [anchor, setAnchor] = useState<number>();
  const { buckets, every } = data;
  const [first] = buckets;
  if (!first) return <div ref={frame} class="histogram histogram-empty" />;
  const step = width / buckets.length;
  const most = Math.max(...buckets.map(({ count }) => count), 1);
  const scale = (count: number) => (count / most) * (height - top);
  const end = first.start + buckets.length * every;
  const x = (time: number) =>
    (Math.min(Math.max(0, time - first.start), end - first.start) / (end - first.start)) * width;
  const bucketAt = (event: PointerEvent) => {
    const left = frame.current?.getBoundingClientRect().left ?? 0;
    return clamp(Math.floor((event.clientX - left) / step), buckets.length);
  };
  const finish = (last: number) => {
    if (anchor === undefined) return;
    const [from, to] = [Math.min(anchor, last), Math.max(anchor, last)];
    setAnchor(undefined);
    choose({ from: first.start + from * every, to: first.start + (to + 1) * every - 1 });
  };
  const keys: { readonly [key: string]: () => void } = {
    ArrowRight: () => setAt(clamp((at ?? -1) + 1, buckets.length)),
    ArrowLeft: () => setAt(clamp((at ?? buckets.length) - 1, buckets.length)),
    ' ': () => (anchor === undefined ? setAnchor(at ?? 0) : finish(at ?? 0)),
    Enter: () =>
      anchor === undefined ? at !== undefined && choose(intervalAt(first.start, at, every)) : finish(at ?? 0),
    Escape: () => setAnchor(undefined),
  };
  const shown = at === undefined ? undefined : buckets[at];
  const [from, to] =
    anchor === undefined ? [at, at] : [Math.min(anchor, at ?? anchor), Math.max(anchor, at ?? anchor)];
  return (
    <div ref={frame} class="histogram">
      <svg
        width={width}
        height={height + axis}
        role="application"
        tabindex={0}
        aria-label={`Logs over time, ${formatCount(data.total, 'log')}. Arrow keys move along the bars, Enter zooms, Space marks the beginning of an interval.`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchor(bucketAt(event));
          setAt(bucketAt(event));
        }}
        onPointerMove={(event) => setAt(bucketAt(event))}
        onPointerUp={(event) => finish(bucketAt(event))}
        onPointerLeave={() => anchor === undefined && setAt(undefined)}
        // Keys begin at the first bar, which is marked at once.
        onFocus={() => setAt((bar) => bar ?? 0)}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      >
        <defs>
          {incomplete.map((known) => (
            <pattern
              key={known}
              id={`hatch-${known}`}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <line x1="0" y1="0" x2="0" y2="6" class={`hatch hatch-${known}`} />
            </pattern>
          ))}
        </defs>
        {marked.map((each) => (
          <rect
            key={each.look}
            class={`histogram-marked marked-${each.look}`}
            x={x(each.from)}
            y={0}
            width={Math.max(1, x(each.to) - x(each.from))}
            height={height}
          />
        ))}
        {buckets.map((bucket, index) => (
          <CoverageMark key={bucket.start} bucket={bucket} x={index * step} width={step} />
        ))}
        {from !== undefined && to !== undefined && (
          <rect
            class="histogram-brush"
            x={from * step}
            y={0}
            width={(to - from + 1) * step}
            height={height}
          />
        )}
        {buckets.map((bucket, index) => (
          <Bar
            key={bucket.start}
            bucket={bucket}
            x={index * step}
            width={Math.max(1, step - 1)}
            scale={scale}
          />
        ))}
        <line class="histogram-base" x1={0} x2={width} y1={height + 0.5} y2={height + 0.5} />
        {ticksOf({ from: first.start, to: end, zone }, Math.max(2, width / 90))
          .filter(({ time, label }) => x(time) + label.length * widest <= width)
          .map(({ time, label }) => (
            <text key={time} class="histogram-tick" x={x(time)} y={height + 14}>
              {label}
            </text>
          ))}
      </svg>
      <span class="histogram-most">{formatNumber(most)}</span>
      <div class="histogram-foot">
        <p class="histogram-about" aria-live="polite">
          {shown ? describe(shown, every, zone) : `${formatDuration(every)} a bar; drag to zoom`}
          {anchor !== undefined && ` · marked from ${formatStart(buckets[anchor]?.start ?? 0, zone)}`}
        </p>
        <Legend data={data} />
      </div>
    </div>
  );
}

function intervalAt(start: number, index: number, every: number): TimeInterval {
  return { from: start + index * every, to: start + (index + 1) * every - 1 };
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(0, index), length - 1);
}

interface MarkProps {
  readonly bucket: BucketData;
  readonly x: number;
  readonly width: number;
}

/** The background of a bucket whose logs are not all there. */
function CoverageMark({ bucket: { known }, x, width }: MarkProps) {
  if (known === undefined || known === 'complete') return null;
  return (
    <rect class={`coverage-${known}`} x={x} y={0} width={width + 0.5} height={height}>
      <title>{coverageTexts[known]}</title>
    </rect>
  );
}

function Bar({ bucket, x, width, scale }: MarkProps & { readonly scale: (count: number) => number }) {
  let y = height;
  const parts = [...(bucket.values ?? [{ count: bucket.count }])].map((part, index) => ({ ...part, index }));
  const others = bucket.others ? [{ value: 'others', count: bucket.others, index: parts.length }] : [];
  const all = [...stacked(parts), ...others];
  return (
    <g>
      {all.map((part) => {
        const { index } = part;
        if (part.count === 0) return null;
        const size = Math.max(scale(part.count), 1);
        y -= size;
        const value = 'value' in part ? part.value : undefined;
        return (
          <rect
            key={index}
            class={`bar ${colourClass(value, index)}`}
            x={x}
            y={y}
            width={width}
            height={size}
          />
        );
      })}
    </g>
  );
}

/** Parts of a bar from its base: the most severe level first, whatever is most frequent, so that bars compare. */
function stacked<P extends { readonly value?: unknown }>(parts: readonly P[]): readonly P[] {
  return parts.toSorted((a, b) => stackPlace(a.value) - stackPlace(b.value));
}

function describe(bucket: BucketData, every: number, zone: string): string {
  const values = stacked(bucket.values ?? [])
    .filter(({ count }) => 0 < count)
    .map(({ value, count }) => `${visible(String(value ?? '(none)')).slice(0, 40)} ${formatNumber(count)}`);
  const known = bucket.known && coverageTexts[bucket.known];
  return [
    `${formatStart(bucket.start, zone)} + ${formatDuration(every)}: ${formatCount(bucket.count, 'log')}`,
    ...(values.length === 0 ? [] : [values.join(', ')]),
    ...(known ? [known] : []),
  ].join(' · ');
}

/** The width of an element, also when it changes. */
function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(800);
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(100, entry.contentRect.width)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  });
  return width;
}

type LegendHistogramData = Answers['histogram']['result'];

/** Longest label, in UTF-16 units. */
const longest = 40;

/** The colours of the bars, and those of incomplete times. */
function Legend({ data: { buckets } }: { readonly data: LegendHistogramData }) {
  const [first] = buckets;
  const values = stacked(
    (first?.values ?? []).map(({ value }, index) => ({
      value,
      label: value === undefined ? '(none)' : visible(String(value)).slice(0, longest),
      look: colourClass(value, index),
    })),
  );
  const hasOthers = buckets.some(({ others }) => others !== undefined && 0 < others);
  const isKnown = (state: string) => buckets.some(({ known }) => known === state);
  if (values.length === 0) return null;
  return (
    <ul class="legend" aria-label="Colours of the bars">
      {values.map(({ label, look }) => (
        <li key={label} class={look}>
          {label}
        </li>
      ))}
      {hasOthers && <li class={colourClass('others', values.length)}>others</li>}
      {isKnown('capped') && <li class="legend-capped">incomplete</li>}
      {isKnown('open') && <li class="legend-open">not exported</li>}
      {(isKnown('never') || isKnown('partly')) && <li class="legend-never">never requested</li>}
    </ul>
  );
}
