import { type Headline, headlines, type Report } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatMinute, formatTime, zoneNote } from '../terminal/time-format.ts';

const number = new Intl.NumberFormat('en-US');
const counted = (count: number, noun: string) => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;

/** What a report says of its case or cluster, and the zone of its times. */
export interface ReportFace {
  readonly name: string;
  /** True for a cluster, which keeps no record of actions. */
  readonly isCluster: boolean;
  readonly zone: TimeZone;
}

/** States when a report was made, and the zone of its times. */
export function madeText({ made }: Report, zone: TimeZone): string {
  return `Made ${formatTime(made, zone)}. All times are in ${zone.name}.`;
}

/** Formats the summary of a report as plain sentences, with times in a zone. */
export function headlineLines(report: Report, zone: TimeZone): readonly string[] {
  return headlines(report).map((each) => sentenceOf(each, zone));
}

function sentenceOf(headline: Headline, zone: TimeZone): string {
  switch (headline.about) {
    case 'logs':
      return `${counted(headline.logs, 'log')} of ${counted(headline.sources, 'source')}${spanText(headline, zone)}.`;
    case 'severity':
      return `${counted(headline.severe, 'severe log')} and ${counted(headline.warnings, 'warning')}.`;
    case 'peak':
      return `Most severe logs in one interval: ${number.format(headline.severe)} from ${formatMinute(headline.start, zone)} on, within ${duration(headline.length)}.`;
    case 'source':
      return `Source with most failures: ${headline.source ?? '(none)'}, ${counted(headline.severe, 'severe log')} and ${counted(headline.warnings, 'warning')} of ${counted(headline.logs, 'log')}.`;
    case 'failure':
      return failureText(headline, zone);
    case 'coverage':
      return coverageText(headline);
  }
}

function spanText({ first, last }: Headline & { about: 'logs' }, zone: TimeZone): string {
  if (first === undefined || last === undefined) return '';
  return ` from ${formatMinute(first, zone)} to ${formatMinute(last, zone)}${zoneNote(zone)}`;
}

function failureText(
  { level, code, logs, first, message }: Headline & { about: 'failure' },
  zone: TimeZone,
): string {
  const name = code === undefined ? level : `${level} ${code}`;
  const since = first === undefined ? '' : `, first at ${formatMinute(first, zone)}`;
  return `Most frequent failure: ${name}, ${counted(logs, 'log')}${since}: ${shorten(message)}`;
}

function coverageText({ gaps }: Headline & { about: 'coverage' }): string {
  if (gaps === undefined) return 'Completeness is unknown: the files were imported.';
  return gaps === 0
    ? 'Every requested interval is complete.'
    : `${counted(gaps, 'interval')} without all logs; see the coverage.`;
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
