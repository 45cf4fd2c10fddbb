import type { PartResult, PoorResult } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import { escapeUnsafe } from '../terminal/text.ts';
import { formatRange } from '../terminal/time-format.ts';

/** Maximum number of reported clauses. */
const shownParts = 10;

/** Longest shownParts text of a clause or value. */
const longestPart = 60;

/** Describes what the clauses of a query find alone, and what the cases have instead. For terminals. */
export function poorResultLines({ parts, isComplete }: PoorResult, zone?: TimeZone): readonly string[] {
  const counts = 1 < parts.length ? parts.slice(0, shownParts).map(countLine) : [];
  return [
    ...(counts.length === 0 ? [] : ['Each part of the query alone finds:', ...counts]),
    ...parts.slice(0, shownParts).flatMap((part) => partLines(part, zone)),
    ...(parts.length <= shownParts ? [] : [`… and ${formatNumber(parts.length - shownParts)} more parts.`]),
    ...(isComplete ? [] : ['Not everything was examined, to save time.']),
  ].map((line) => escapeUnsafe(line));
}

function countLine(part: PartResult): string {
  return `  ${formatCount(part.count, 'log')}: ${short(part.text)}`;
}

function partLines(part: PartResult, zone?: TimeZone): string[] {
  const near = describeNear(part);
  const found = `Near ${short(part.text)} (${formatNumber(part.count)}): ${near}`;
  return [...(near === '' ? [] : [found]), ...describeInstead(part, zone)].map((sentence) => `${sentence}.`);
}

/** Describes what each clause finds alone, in one line; empty for a single clause. */
export function describeCounts({ parts }: PoorResult): string {
  if (parts.length < 2) return '';
  const counts = parts.slice(0, shownParts).map(({ text, count }) => `${short(text)} ${formatNumber(count)}`);
  const more = parts.length <= shownParts ? '' : ', …';
  return `each part alone: ${counts.join(', ')}${more}`;
}

/** Describes near words with their numbers of logs, for instance `"timed out" 267`; empty for none. */
export function describeNear({ near }: PartResult): string {
  return near.map(({ words, count }) => `"${short(words.join(' '))}" ${formatNumber(count)}`).join(', ');
}

/** Describes what the cases have instead of the field, value or time of a clause; no final stop. */
export function describeInstead({ text, values, span }: PartResult, zone?: TimeZone): readonly string[] {
  return [
    ...(values ? [describeValues(values, text)] : []),
    ...(span ? [describeSpan(span, text, zone)] : []),
  ];
}

function describeValues({ field, values }: NonNullable<PartResult['values']>, text: string): string {
  if (values.length === 0) return `No log has a value in "${field}", so ${short(text)} finds nothing`;
  const counted = values.map(({ value, count }) => `${short(String(value))} (${formatNumber(count)})`);
  return `No log has ${short(text)}; the most frequent values of "${field}" are ${counted.join(', ')}`;
}

function describeSpan(
  { first, last }: NonNullable<PartResult['span']>,
  text: string,
  zone?: TimeZone,
): string {
  if (first === undefined || last === undefined) return `No log has a time, so ${short(text)} finds nothing`;
  return `No log is in ${short(text)}: the logs are from ${formatRange({ oldest: first, newest: last }, zone)}`;
}

function short(text: string): string {
  return text.length <= longestPart ? text : `${text.slice(0, longestPart)}…`;
}
