import type { Change, PrecedingEvent, QueriedChange } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import { formatSecond, formatStart } from '../terminal/time-format.ts';
import { shortenToWidth } from '../terminal/width.ts';

/** Widths of a message or a template within a sentence. */
const messageWidth = 70;

/** Formats a time to the minute. */
export function timeText(time: number, zone: TimeZone): string {
  return formatStart(time, 60_000, zone);
}

/** Formats the length of an interval: `10 min` rather than `10 min 0 s`. */
export function intervalLength(milliseconds: number): string {
  return formatDuration(milliseconds).replace(/ 0 (?:min|s)$/, '');
}

/** Says when logs became more or less frequent, and their number. */
export function changeText(change: QueriedChange, zone: TimeZone): string {
  const { kind, subject, logs, start, end, isOpen, effect } = change;
  if (subject.type === 'latency') return latencyText(change, zone);
  const isExact = kind === 'new' && logs?.first !== undefined && logs.last !== undefined;
  const begin = isExact ? formatSecond(logs.first, zone) : `about ${timeText(start, zone)}`;
  const until = isExact
    ? `until ${formatSecond(logs.last, zone)}`
    : isOpen
      ? 'to the end of the logs'
      : `until about ${timeText(end, zone)}`;
  const count = formatCount(logs?.count ?? change.count, 'log');
  const verbs = {
    new: 'begin',
    gone: 'end',
    more: 'become more',
    less: 'become fewer',
    slower: '',
    faster: '',
  };
  const compared =
    kind === 'new' ? 'none before' : kind === 'gone' ? 'none since' : `${timesText(effect)} the share before`;
  return `${begin}: ${subjectText(subject)} ${verbs[kind]}: ${count} ${until}, ${compared}.`;
}

/** Formats the ratio of two rates, whose binary logarithm is given: `0.4 times`, `730 times`. */
export function timesText(effect: number): string {
  const ratio = 2 ** effect;
  return `${ratio < 10 ? Number(ratio.toPrecision(2)) : formatNumber(Math.round(ratio))} times`;
}

function subjectText(subject: Change['subject']): string {
  if (subject.type === 'query') return 'the logs of the query';
  if (subject.type === 'latency') return subject.source;
  const template =
    subject.template === undefined ? '' : `, "${shortenToWidth(subject.template, messageWidth)}"`;
  if (subject.type === 'code') return `${subject.level} logs of code ${subject.code}${template}`;
  return `${subject.level === undefined ? '' : `${subject.level} `}logs${template}`;
}

/** Says which requests became slower or faster, by their medians. */
export function latencyText(
  { kind, subject, start, end, isOpen, logs, count }: QueriedChange,
  zone: TimeZone,
): string {
  if (subject.type !== 'latency') return '';
  const { source, method, code, medianBefore, medianAfter } = subject;
  const name = `${source}${code === '' ? '' : ` (code ${code})`}`;
  const until = isOpen ? 'to the end of the logs' : `until about ${timeText(end, zone)}`;
  const median = `median${method === '' ? '' : ` of ${method}`}`;
  return `about ${timeText(start, zone)}: ${name} is ${kind} ${until}: ${median} ${secondsText(medianBefore)} before, ${secondsText(medianAfter)} then; ${formatCount(logs?.count ?? count, 'log')}.`;
}

function secondsText(seconds: number): string {
  return `${Number(seconds.toPrecision(3))} s`;
}

/** Says what was administered before a change, and how long before. */
export function eventText(
  { kind, first, last, user, message, code, count }: PrecedingEvent,
  change: number,
  zone: TimeZone,
): string {
  const text = `"${shortenToWidth(message.replaceAll('\n', ' '), messageWidth)}"`;
  const by = user === undefined ? '' : ` by ${user}`;
  const ago = last <= change ? `${intervalLength(change - last)} before` : 'after the first sign';
  if (kind === 'upgrade')
    return `${formatSecond(first, zone)} to ${formatSecond(last, zone)}: an upgrade${by}, ${formatCount(count, 'message')}, ${text}; its last message ${ago}.`;
  const times = count === 1 ? '' : `, ${formatNumber(count)} times since ${formatSecond(first, zone)}`;
  return `${formatSecond(last, zone)}${by}: ${text} (code ${code})${times}; ${ago}.`;
}
