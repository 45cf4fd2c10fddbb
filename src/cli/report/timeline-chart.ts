import type { ReportTimeline } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Geometry of the chart, in units of its view box. */
export const chartGeometry = { width: 1200, left: 60, top: 10, height: 200 } as const;

/** Width of a bucket in units of the view box. */
export function bucketWidth({ buckets }: ReportTimeline): number {
  return (chartGeometry.width - chartGeometry.left) / Math.max(1, buckets);
}

/** Draws logs over time as stacked bars by level, with the completeness of each bucket below. */
export function timelineChart(timeline: ReportTimeline, zone: TimeZone): string {
  const { buckets, levels, coverage } = timeline;
  const bottom = chartGeometry.top + chartGeometry.height;
  return [
    `<svg viewBox="0 0 ${chartGeometry.width} ${bottom + 40}" role="img" aria-label="Logs over time by level">`,
    `<text x="${chartGeometry.left - 6}" y="${chartGeometry.top + 10}" text-anchor="end" id="most">${mostOf(timeline).toLocaleString('en-US')}</text>`,
    `<text x="${chartGeometry.left - 6}" y="${bottom}" text-anchor="end">0</text>`,
    `<line class="axis" x1="${chartGeometry.left}" x2="${chartGeometry.width}" y1="${bottom}" y2="${bottom}"/>`,
    `<g class="bars">${bars(timeline, zone).join('')}</g>`,
    ...coverage.map((state, index) => {
      const x = chartGeometry.left + index * bucketWidth(timeline);
      return `<rect class="${state}" x="${short(x)}" y="${bottom + 3}" width="${short(bucketWidth(timeline))}" height="5"><title>${state}</title></rect>`;
    }),
    ...ticks(timeline, zone).map(
      ({ x, text, anchor }) =>
        `<text x="${short(x)}" y="${bottom + 26}" text-anchor="${anchor}">${text}</text>`,
    ),
    `<rect class="chosen" x="0" y="${chartGeometry.top}" width="0" height="${chartGeometry.height}"/>`,
    '</svg>',
    `<ul class="key">${[...levels, 'other']
      .map((level, index) =>
        usedLevels(timeline).has(index)
          ? `<li><svg width="12" height="12" aria-hidden="true"><rect class="l${index}" width="12" height="12"/></svg>${level}</li>`
          : '',
      )
      .join('')}</ul>`,
    buckets === 0 ? '<p>No log has a time.</p>' : '',
  ].join('');
}

/** Indexes of the levels that have logs. */
export function usedLevels({ cells }: ReportTimeline): ReadonlySet<number> {
  return new Set(cells.map(({ level }) => level));
}

function mostOf(timeline: ReportTimeline): number {
  return Math.max(1, ...[...byBucket(timeline).values()].map((counts) => sum([...counts.values()])));
}

/** Counts by bucket and level. */
function byBucket({ cells }: ReportTimeline): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const counts = new Map<number, Map<number, number>>();
  for (const { bucket, level, count } of cells) {
    if (bucket < 0) continue;
    const found = counts.get(bucket) ?? new Map<number, number>();
    counts.set(bucket, found.set(level, (found.get(level) ?? 0) + count));
  }
  return counts;
}

function bars(timeline: ReportTimeline, zone: TimeZone): readonly string[] {
  const most = mostOf(timeline);
  const width = bucketWidth(timeline);
  return [...byBucket(timeline)].flatMap(([bucket, counts]) => {
    let base = chartGeometry.top + chartGeometry.height;
    const time = formatTime(timeline.start + bucket * timeline.every, zone);
    return [...counts]
      .sort(([first], [second]) => first - second)
      .map(([level, count]) => {
        const height = (count / most) * chartGeometry.height;
        base -= height;
        const title = `<title>${time}: ${count} ${timeline.levels[level] ?? 'other'}</title>`;
        return `<rect class="l${level}" data-bucket="${bucket}" data-level="${level}" x="${short(chartGeometry.left + bucket * width)}" y="${short(base)}" width="${short(Math.max(0.5, width - 0.6))}" height="${short(height)}">${title}</rect>`;
      });
  });
}

interface Tick {
  readonly x: number;
  readonly text: string;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Times under the axis: the first, the last and some between. */
function ticks(timeline: ReportTimeline, zone: TimeZone): readonly Tick[] {
  const { start, every, buckets } = timeline;
  if (buckets === 0) return [];
  const count = Math.min(6, buckets);
  return Array.from({ length: count }, (_, index) => {
    const bucket = count === 1 ? 0 : Math.round((index * buckets) / (count - 1));
    return {
      x: chartGeometry.left + bucket * bucketWidth(timeline),
      text: formatTime(start + bucket * every, zone).slice(0, every < 1000 ? 23 : 16),
      anchor: index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle',
    };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

/** Formats a coordinate. */
function short(value: number): string {
  return String(Number(value.toFixed(2)));
}
