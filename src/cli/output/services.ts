import type {
  RankedError,
  ResponseBucket,
  ServiceGroup,
  ServiceReport,
  SlowRequest,
  TimingStatistics,
} from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { wrapToWidth } from '../terminal/text.ts';
import { formatStart, formatTime, timeHeading } from '../terminal/time-format.ts';
import type { Cell, Rows } from './output-format.ts';
import { type Column, formatTable } from './table.ts';

/** Rows that are in memory as a whole. */
export interface WholeRows<T> extends Omit<Rows<T>, 'items'> {
  readonly items: readonly T[];
}

/** A figure of a row: its names in tables and CSV, and its value. */
interface Figure<T> {
  readonly column: Column;
  readonly name: string;
  readonly shown: (item: T) => string;
  readonly cell: (item: T) => Cell;
}

/** Formats seconds with milliseconds; empty if nothing was measured. */
export function formatSeconds(seconds: number | undefined): string {
  return seconds === undefined ? '' : seconds.toFixed(3);
}

/** Formats a share of 0 to 1 in percent. */
export function formatShare(share: number | undefined): string {
  return share === undefined ? '' : `${(100 * share).toFixed(1)} %`;
}

function rowsOf<T>(items: readonly T[], figures: readonly Figure<T>[]): WholeRows<T> {
  return {
    items,
    columns: figures.map(({ column }) => column),
    shown: (item) => figures.map(({ shown }) => shown(item)),
    names: figures.map(({ name }) => name),
    cells: (item) => figures.map(({ cell }) => cell(item)),
  };
}

/** Returns a function that makes right-aligned figures, with values in one format. */
function figuresAs<V extends number | undefined>(format: (value: V) => string) {
  return <T>(name: string, of: (item: T) => V, column: Partial<Column> = {}): Figure<T> => ({
    column: { name, align: 'right', ...column },
    name,
    shown: (item) => format(of(item)),
    cell: of,
  });
}

const numberFigure = figuresAs(formatNumber);
const secondsFigure = figuresAs(formatSeconds);
const shareFigure = figuresAs(formatShare);

function textFigure<T>(name: string, of: (item: T) => Cell, column: Partial<Column> = {}): Figure<T> {
  return { column: { name, ...column }, name, shown: (item) => String(of(item) ?? ''), cell: of };
}

function timeFigure<T>(name: string, of: (item: T) => number | undefined, zone: TimeZone): Figure<T> {
  const text = (time: number | undefined) => (time === undefined ? undefined : formatTime(time, zone));
  return textFigure(timeHeading(name, zone), (item) => text(of(item)));
}

/** Statistics in their order, with the rank at which a narrow terminal drops them. */
const statistics: readonly (readonly [name: keyof TimingStatistics, shown: string, dropRank?: number])[] = [
  ['min', 'min', 7],
  ['mean', 'mean'],
  ['p50', 'P50', 3],
  ['p75', 'P75', 8],
  ['p90', 'P90', 6],
  ['p95', 'P95'],
  ['p99', 'P99', 4],
  ['max', 'max'],
  ['deviation', 'dev', 9],
  ['sum', 'sum', 2],
];

/** Groups of a report; without measured times only their logs, errors and waits. */
export function groupRows({ by, total, groups }: ServiceReport, zone: TimeZone): WholeRows<ServiceGroup> {
  return rowsOf(groups, [
    numberFigure('logs', ({ logs }) => logs, total.elapsed ? { dropRank: 16 } : {}),
    ...(total.elapsed
      ? measuredFigures
      : [numberFigure<ServiceGroup>('errors', ({ errors }) => errors), warningsFigure]),
    ...(total.wait ? waitFigures : []),
    ...by.map((key) => keyFigure(key, zone)),
  ]);
}

const warningsFigure: Figure<ServiceGroup> = numberFigure('warnings', ({ warnings }) => warnings, {
  dropRank: 10,
});

const measuredFigures: readonly Figure<ServiceGroup>[] = [
  numberFigure('requests', ({ requests }) => requests),
  shareFigure('share', ({ share }) => share, { dropRank: 5 }),
  numberFigure('errors', ({ errors }) => errors),
  warningsFigure,
  ...statistics.map(([name, shown, dropRank]) =>
    secondsFigure<ServiceGroup>(name, ({ elapsed }) => elapsed?.[name], {
      name: shown,
      ...(dropRank !== undefined && { dropRank }),
    }),
  ),
  shareFigure('sum share', ({ sumShare }) => sumShare, { dropRank: 12 }),
];

const waitFigures: readonly Figure<ServiceGroup>[] = [
  numberFigure('waits', ({ wait }) => wait?.count ?? 0, { dropRank: 13 }),
  secondsFigure('mean wait', ({ wait }) => wait?.mean, { dropRank: 11 }),
  secondsFigure('P95 wait', ({ wait }) => wait?.p95, { dropRank: 14 }),
  secondsFigure('max wait', ({ wait }) => wait?.max, { dropRank: 15 }),
];

function keyFigure(key: ServiceReport['by'][number], zone: TimeZone): Figure<ServiceGroup> {
  const isTime = key === 'minute' || key === 'hour' || key === 'day';
  const of = (group: ServiceGroup) => {
    const value = group.key[key];
    return isTime && typeof value === 'number' ? formatStart(value, 60_000, zone) : value;
  };
  return {
    ...textFigure(isTime ? timeHeading(key, zone) : key, of, { canShrink: !isTime, min: 30 }),
    name: key,
    shown: (group) => String(of(group) ?? '(none)'),
  };
}

/** Ranges of response times with their shares. */
export function responseRows({ responses, total }: ServiceReport): WholeRows<ResponseBucket> {
  const max = Math.max(...responses.map(({ count }) => count));
  const share = ({ count }: ResponseBucket) => count / total.requests;
  return rowsOf(responses, [
    {
      column: { name: 'seconds', align: 'right' },
      name: 'from',
      shown: ({ from, to }) => (to === undefined ? `${from} and more` : `${from} to ${to}`),
      cell: ({ from }) => from,
    },
    numberFigure('requests', ({ count }) => count),
    shareFigure('share', share),
    {
      ...textFigure('', ({ count }) => '█'.repeat(Math.ceil((barLength * count) / max))),
      name: 'to',
      cell: ({ to }) => to,
    },
  ]);
}

/** Characters of the longest bar. */
const barLength = 30;

/** Slowest requests with the ids by which "trace" shows all their logs. */
export function slowestRows({ slowest }: ServiceReport, zone: TimeZone): WholeRows<SlowRequest> {
  return rowsOf(slowest, [
    secondsFigure('seconds', ({ took }) => took),
    timeFigure('time', ({ time }) => time, zone),
    textFigure('code', ({ code }) => code, { align: 'right', dropRank: 2 }),
    textFigure('service', ({ service }) => service, { canShrink: true }),
    textFigure('method', ({ method }) => method, { canShrink: true, dropRank: 3 }),
    textFigure('user', ({ user }) => user, { canShrink: true, dropRank: 1 }),
    textFigure('request', ({ request }) => request, { min: 36 }),
  ]);
}

/** Codes of errors and warnings. */
export function errorRows({ errors }: ServiceReport, zone: TimeZone): WholeRows<RankedError> {
  return rowsOf(errors, [
    numberFigure('logs', ({ count }) => count),
    textFigure('level', ({ level }) => level, { dropRank: 3 }),
    textFigure('code', ({ code }) => code, { align: 'right' }),
    timeFigure('first', ({ first }) => first, zone),
    timeFigure('last', ({ last }) => last, zone),
    textFigure('source', ({ source }) => source, { canShrink: true, dropRank: 1 }),
    textFigure('message', ({ message }) => message, { canShrink: true, min: 20 }),
  ]);
}

/** The note where no log has a measured time. */
export const noElapsedNote =
  'No elapsed time at this level: deployments measure requests at level FINE and below.';

/** Formats a whole report: facts, groups, ranges, slowest requests, errors; at most `limit` rows of each. */
export function serviceText(
  report: ServiceReport,
  face: OutputStyle,
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

function factLines(report: ServiceReport, { width = 100 }: OutputStyle, zone: TimeZone): string[] {
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
