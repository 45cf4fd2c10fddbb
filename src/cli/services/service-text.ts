import type { ServiceReport } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatTable } from '../output/table.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { formatStart } from '../terminal/time-format.ts';
import { wrapToWidth } from '../terminal/width.ts';
import {
  errorRows,
  formatSeconds,
  groupRows,
  responseRows,
  slowestRows,
  type WholeRows,
} from './service-rows.ts';

/** The note where no log has a measured time. */
export const noElapsedNote =
  'No elapsed time at this level: deployments measure requests at level FINE and below.';

/** Formats a whole report: facts, groups, ranges, slowest requests, errors; at most `limit` rows of each. */
export function serviceText(
  report: ServiceReport,
  face: Face,
  { limit, zone }: { readonly limit: number; readonly zone: TimeZone },
): string {
  const { bold } = face.style;
  const table = <T>({ columns, shown, items }: WholeRows<T>) =>
    formatTable(columns, items.slice(0, limit).map(shown), face);
  const part = <T>(heading: string, rows: WholeRows<T>) =>
    rows.items.length === 0 ? [] : [bold(headingOf(heading, rows.items.length, limit)), ...table(rows)];
  const blocks = [
    factLines(report, face, zone),
    part(`By ${report.by.join(' and ')}`, groupRows(report, zone)),
    part('Response times', responseRows(report)),
    part('Slowest requests', slowestRows(report, zone)),
    part('Errors and warnings', errorRows(report, zone)),
  ];
  return blocks
    .filter((lines) => 0 < lines.length)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function headingOf(heading: string, count: number, limit: number): string {
  return count <= limit ? heading : `${heading}, ${formatNumber(limit)} of ${formatNumber(count)}`;
}

/** Width of the labels of facts. */
const labelWidth = 12;

function factLines(report: ServiceReport, { width = 100 }: Face, zone: TimeZone): string[] {
  return factsOf(report, zone).flatMap(([label, text]) =>
    wrapToWidth(text, Math.max(20, width - labelWidth)).map(
      (line, at) => `${(at === 0 ? label : '').padEnd(labelWidth)}${line}`,
    ),
  );
}

function factsOf(
  { total, background, arrivals }: ServiceReport,
  zone: TimeZone,
): readonly (readonly [string, string])[] {
  const { logs, errors, warnings, elapsed, wait } = total;
  return [
    [
      'logs',
      `${formatCount(logs, 'log')}, ${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}`,
    ],
    [
      'requests',
      elapsed
        ? `${formatNumber(elapsed.count)} measured: mean ${formatSeconds(elapsed.mean)} s, P95 ${formatSeconds(elapsed.p95)} s, max ${formatSeconds(elapsed.max)} s`
        : noElapsedNote,
    ],
    ...(arrivals ? [['arrivals', arrivalText(arrivals, zone)] as const] : []),
    ...(wait
      ? [
          [
            'waits',
            `${formatNumber(wait.count)}: mean ${formatSeconds(wait.mean)} s, P95 ${formatSeconds(wait.p95)} s, max ${formatSeconds(wait.max)} s`,
          ] as const,
        ]
      : []),
    ...(background === 0
      ? []
      : [
          [
            'left out',
            `${formatCount(background, 'measured log')} of no request, such as health checks`,
          ] as const,
        ]),
  ];
}

/** Formats the rate at which requests arrive, and the busiest minute. */
export function arrivalText(
  { of, perMinute, busiest }: NonNullable<ServiceReport['arrivals']>,
  zone: TimeZone,
): string {
  const mean = perMinute < 1 ? `${(60 * perMinute).toFixed(1)} an hour` : `${perMinute.toFixed(1)} a minute`;
  const rate = `${mean}, at most ${formatNumber(busiest.count)} in the minute of ${formatStart(busiest.start, 60_000, zone)}`;
  return of === 'measured' ? rate : `${rate}, by logs of code 9029`;
}
