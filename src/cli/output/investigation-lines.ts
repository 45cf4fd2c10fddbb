import {
  type Change,
  type Investigation,
  onsetOf,
  type PrecedingEvent,
  type QueriedChange,
  type QueriedDifference,
} from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { escapeUnsafe, shortenToWidth, wrapToWidth } from '../terminal/text.ts';
import { formatRange, formatSecond, formatStart, zoneNote } from '../terminal/time-format.ts';

/** Widths of the labels and of a page without a terminal. */
const [labelWidth, pageWidth] = [13, 100];

/** Formats an investigation as about ten sentences, each with its query below it. */
export function investigationLines(
  found: Investigation,
  { name, face, zone }: { readonly name: string; readonly face: Face; readonly zone: TimeZone },
): string[] {
  const { width = pageWidth, style } = face;
  const room = Math.max(20, width - labelWidth);
  return [
    style.bold(escapeUnsafe(name)),
    ...statementsOf(found, zone).flatMap(({ label, text, query }) => [
      ...wrapToWidth(escapeUnsafe(text), room).map(
        (line, at) => `${(at === 0 ? label : '').padEnd(labelWidth)}${line}`,
      ),
      // A query on one line can be copied; a narrow terminal wraps it itself.
      ...(query === undefined ? [] : [`${' '.repeat(labelWidth)}${style.dim(escapeUnsafe(query))}`]),
    ]),
  ];
}

/** Returns the sentences of an investigation in their order, each with its label and its query. */
export function statementsOf(found: Investigation, zone: TimeZone): readonly Statement[] {
  return [
    { label: 'logs', text: logsText(found, zone) },
    ...(found.exportedOnly === undefined ? [] : [{ label: 'filter', text: `${found.exportedOnly}.` }]),
    ...mainStatements(found, zone),
    ...beforeStatements(found, zone),
    ...differenceStatements(found),
    ...found.latencies.slice(0, 2).map((each) => ({
      label: each.kind,
      text: latencyText(each, zone),
      query: each.logs?.query,
    })),
    ...hitStatements(found),
    gapStatement(found, zone),
  ];
}

function logsText({ logs, timeless, first, last, every, examined }: Investigation, zone: TimeZone): string {
  if (first === undefined || last === undefined)
    return `${formatCount(logs, 'log')}, none with a time: nothing to compare.`;
  const rest = timeless === 0 ? '' : `, ${formatNumber(timeless)} without a time`;
  return `${formatCount(logs, 'log')}${rest}, ${timeText(first, zone)} to ${timeText(last, zone)}${zoneNote(zone)}. Compared: ${formatNumber(examined)} codes, patterns and latencies, in intervals of ${intervalLength(every)}.`;
}

function mainStatements(found: Investigation, zone: TimeZone): readonly Statement[] {
  const { main, together, firstSign } = found;
  if (!main) return [{ label: 'changed', text: nothingText(found) }];
  const others = together.filter(({ subject }) => JSON.stringify(subject) !== JSON.stringify(main.subject));
  return [
    { label: 'main change', text: changeText(main, zone), query: main.logs?.query },
    ...others
      .slice(0, 1)
      .map((each) => ({ label: 'with it', text: changeText(each, zone), query: each.logs?.query })),
    ...(firstSign
      ? [{ label: 'first sign', text: changeText(firstSign, zone), query: firstSign.logs?.query }]
      : []),
  ];
}

function nothingText({ first, symptomLogs, changes }: Investigation): string {
  if (first === undefined) return 'Nothing is known.';
  if (symptomLogs === 0) return 'Nothing is known: no log matches the query of --search.';
  const eligible =
    symptomLogs === undefined ? changes : changes.filter(({ subject }) => subject.type === 'query');
  if (0 < eligible.length)
    return `Nothing since the time of --since. Without it there is more: ${formatCount(eligible.length, 'earlier change')}.`;
  if (symptomLogs !== undefined)
    return `Nothing: the share of the logs of --search (${formatCount(symptomLogs, 'log')}) changes no more than chance explains.`;
  return 'Nothing: no share of a code, a pattern or slow requests changes beyond what chance explains.';
}

/** Events that are shown: those nearest to the first change, besides upgrades. */
const shownEvents = 2;

function beforeStatements({ before, main, firstSign }: Investigation, zone: TimeZone): readonly Statement[] {
  if (!main) return [];
  const change = onsetOf(firstSign ?? main);
  const upgrades = before.filter(({ kind }) => kind === 'upgrade');
  const others = before.filter(({ kind }) => kind === 'administration');
  const shown = [...upgrades, ...others.slice(0, shownEvents)];
  if (shown.length === 0)
    return [
      { label: 'before', text: 'In the day before: no act of administration and no upgrade in these logs.' },
    ];
  return shown.map((event) => ({
    label: 'before',
    text: eventText(event, change, zone),
    query: event.query,
  }));
}

function hitStatements({ hit, since }: Investigation): readonly Statement[] {
  if (!hit || !since) return [];
  const { users, activeUsers, sources, activeSources, logs } = hit;
  const most = (values: typeof users) =>
    values
      .slice(0, 3)
      .map(({ value, count }) => `${shortenToWidth(value, 40)} ${formatNumber(count)}`)
      .join(', ');
  const failures = `${formatCount(logs.count, 'log')} of failures`;
  const ofUsers =
    users.length === 0
      ? 'none names a user'
      : `${users.length} of ${formatCount(activeUsers, 'active user')} (${most(users)})`;
  const ofSources = `${sources.length} of ${formatCount(activeSources, 'source')} (${most(sources)})`;
  return [{ label: 'hit', text: `${failures}: ${ofUsers}; ${ofSources}.`, query: logs.query }];
}

function gapStatement({ gaps, first }: Investigation, zone: TimeZone): Statement {
  const listed = gaps
    .slice(0, 3)
    .map(({ oldest, newest, state }) => `${formatRange({ oldest, newest }, zone)} ${state}`);
  if (gaps.length === 0)
    return {
      label: 'gaps',
      text: first === undefined ? 'Unknown.' : 'None in what was exported, as far as the case says.',
    };
  const more = gaps.length <= listed.length ? '' : `, and ${formatNumber(gaps.length - listed.length)} more`;
  return {
    label: 'gaps',
    text: `${formatCount(gaps.length, 'interval')} not exported as a whole: ${listed.join(', ')}${more}.`,
  };
}

/** A sentence with its label, and the query that shows its logs. */
interface Statement {
  readonly label: string;
  readonly text: string;
  readonly query?: string | undefined;
}

const labels = { new: 'new since', gone: 'gone since', more: 'more since', less: 'less since' } as const;

/** One sentence for each kind of difference: the strongest, and the number of others that are in the findings. */
function differenceStatements({ differences }: Investigation): readonly Statement[] {
  return (['new', 'gone', 'more', 'less'] as const).flatMap((kind) => {
    const [first, ...others] = differences.filter(({ difference }) => difference.kind === kind);
    if (!first) return [];
    const rest = others.map(nameOf);
    const more = rest.length === 0 ? '' : `; also ${rest.join('; ')}`;
    return [{ label: labels[kind], text: `${nameOf(first)}${more}.`, query: first.logs?.query }];
  });
}

function nameOf({ difference, logs }: QueriedDifference): string {
  const { kind, field, value, before, after, effect } = difference;
  const name = field === 'msg' ? `"${shortenToWidth(value, 60)}"` : `${field} ${shortenToWidth(value, 60)}`;
  const count = formatNumber(logs?.count ?? (kind === 'gone' ? before : after));
  const times = kind === 'more' || kind === 'less' ? ` (${timesText(effect)} the share)` : '';
  return `${name}: ${count}${times}`;
}

/** Widths of a message or a template within a sentence. */
const messageWidth = 70;

/** Formats a time to the minute. */
function timeText(time: number, zone: TimeZone): string {
  return formatStart(time, 60_000, zone);
}

/** Formats the length of an interval: `10 min` rather than `10 min 0 s`. */
function intervalLength(milliseconds: number): string {
  return formatDuration(milliseconds).replace(/ 0 (?:min|s)$/, '');
}

/** Says when logs became more or less frequent, and their number. */
function changeText(change: QueriedChange, zone: TimeZone): string {
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
function timesText(effect: number): string {
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
function latencyText(
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
function eventText(
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
