import type { Report } from './report.ts';

const day = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
const number = new Intl.NumberFormat('en-US');
const counted = (count: number, noun: string) => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Summarises a report in a few plain sentences. They state counts and times, never a cause.
 *
 * ```ts
 * const report = await assembleReport(incident, { filter, requested: [], rules: [], sample: 0 });
 * for (const sentence of headlines(report)) console.log(sentence);
 * ```
 */
export function headlines(report: Report): readonly string[] {
  const { logs, first, last, timeline, sources, failures } = report;
  const level = (index: number) =>
    timeline.cells.filter((cell) => cell.level === index).reduce((sum, { count }) => sum + count, 0);
  const span = first === undefined || last === undefined ? '' : ` from ${day(first)} to ${day(last)} UTC`;
  return [
    `${counted(logs, 'log')} of ${counted(sources.total, 'source')}${span}.`,
    `${counted(level(0), 'severe log')} and ${counted(level(1), 'warning')}.`,
    ...peakLine(report),
    ...sourceLine(report),
    ...failures.values.slice(0, 1).map(({ level: name, code, count, first: from, message = '' }) => {
      const since = from === undefined ? '' : `, first at ${day(from)}`;
      return `Most frequent failure: ${name}${code === undefined ? '' : ` ${code}`}, ${counted(count, 'log')}${since}: ${shorten(message)}`;
    }),
    coverageLine(report),
  ];
}

function peakLine({ timeline: { cells, start, every } }: Report): readonly string[] {
  const severe = new Map<number, number>();
  for (const { bucket, level, count } of cells)
    if (level === 0 && 0 <= bucket) severe.set(bucket, (severe.get(bucket) ?? 0) + count);
  const [peak] = [...severe].sort(([a, first], [b, second]) => second - first || a - b);
  if (!peak) return [];
  const [bucket, count] = peak;
  return [
    `Most severe logs in one interval: ${number.format(count)} from ${day(start + bucket * every)} on, within ${duration(every)}.`,
  ];
}

function sourceLine({ sources }: Report): readonly string[] {
  const [top] = sources.values;
  if (!top || top.severe + top.warnings === 0) return [];
  return [
    `Source with most failures: ${top.source ?? '(none)'}, ${counted(top.severe, 'severe log')} and ${counted(top.warnings, 'warning')} of ${counted(top.count, 'log')}.`,
  ];
}

function coverageLine({ requested, gaps }: Report): string {
  if (requested.length === 0) return 'Completeness is unknown: the files were imported.';
  return gaps.length === 0
    ? 'Every requested interval is complete.'
    : `${counted(gaps.length, 'interval')} without all logs; see the coverage.`;
}

function duration(milliseconds: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
    [1, 'millisecond'],
  ] as const;
  const [length, noun] = units.find(([each]) => each <= milliseconds) ?? [1, 'millisecond'];
  return counted(Math.round(milliseconds / length), noun);
}

/** Maximum number of characters of a quoted message. */
const longest = 160;

function shorten(message: string): string {
  return message.length <= longest ? message : `${message.slice(0, longest)}…`;
}
