import type { PartResult, PoorResult } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/zones/time-zone.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import { formatRange } from '../terminal/time-format.ts';

/** Maximum number of reported clauses. */
const shown = 10;

/** Longest shown text of a clause or value. */
const longest = 60;

/** Describes what the clauses of a query find alone, and what the cases have instead. */
export function poorResultLines({ parts, isComplete }: PoorResult, zone?: TimeZone): readonly string[] {
  const counts = 1 < parts.length ? parts.slice(0, shown).map(countLine) : [];
  return [
    ...(counts.length === 0 ? [] : ['Each part of the query alone finds:', ...counts]),
    ...parts.slice(0, shown).flatMap((part) => insteadLines(part, zone)),
    ...(parts.length <= shown ? [] : [`… and ${formatNumber(parts.length - shown)} more parts.`]),
    ...(isComplete ? [] : ['Not everything was examined, to save time.']),
  ];
}

function countLine({ text, count }: PartResult): string {
  return `  ${formatCount(count, 'log')}: ${short(text)}`;
}

function insteadLines({ text, count, near, values, span }: PartResult, zone?: TimeZone): string[] {
  const lines: string[] = [];
  if (0 < near.length) {
    const words = near.map((each) => `"${short(each.words.join(' '))}" ${formatNumber(each.count)}`);
    lines.push(`Near ${short(text)} (${formatNumber(count)}): ${words.join(', ')}.`);
  }
  if (values) lines.push(valuesLine(values, text));
  if (span) lines.push(spanLine(span, text, zone));
  return lines;
}

function valuesLine({ field, values }: NonNullable<PartResult['values']>, text: string): string {
  if (values.length === 0) return `No log has a value in "${field}", so ${short(text)} finds nothing.`;
  const counted = values.map(({ value, count }) => `${short(String(value))} (${formatNumber(count)})`);
  return `No log has ${short(text)}; the most frequent values of "${field}" are ${counted.join(', ')}.`;
}

function spanLine({ first, last }: NonNullable<PartResult['span']>, text: string, zone?: TimeZone): string {
  if (first === undefined || last === undefined) return `No log has a time, so ${short(text)} finds nothing.`;
  return `No log is in ${short(text)}: the logs are from ${formatRange({ oldest: first, newest: last }, zone)}.`;
}

function short(text: string): string {
  return escapeUnsafe(text.length <= longest ? text : `${text.slice(0, longest)}…`);
}
