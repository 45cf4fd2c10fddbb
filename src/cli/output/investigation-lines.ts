import {
  type Change,
  type Investigation,
  type PrecedingEvent,
  type QueriedChange,
  type QueriedDifference,
  trueFirstOf,
  trueLastOf,
  trueOnsetOf,
} from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { escapeUnsafe, shortenToWidth, wrapToWidth } from '../terminal/text.ts';
import { formatRange, formatSecond, formatStart, zoneNote } from '../terminal/time-format.ts';

/** Widths of the labels and of a page without a terminal. */
const [labelWidth, pageWidth] = [13, 100];

/** Formats an investigation as about ten sentences, each with its query below it. */
export function investigationLines(
  found: Investigation,
  { name, face, zone }: { readonly name: string; readonly face: OutputStyle; readonly zone: TimeZone },
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
    ...headline(found, zone),
    { label: 'logs', text: logsText(found, zone) },
    ...(found.exportedOnly === undefined ? [] : [{ label: 'filter', text: `${found.exportedOnly}.` }]),
    ...mainStatements(found, zone),
    ...clockStatements(found),
    ...recurringStatements(found, zone),
    ...beforeStatements(found, zone),
    ...rareStatements(found, zone),
    ...differenceStatements(found),
    ...found.latencies.slice(0, 2).map((latency) => ({
      label: latency.kind,
      text: latencyText(latency, zone),
      query: latency.logs?.query,
    })),
    ...hitStatements(found),
    gapStatement(found, zone),
  ];
}

/** Says in one sentence what happened when, and who is affected. Empty where nothing changed. */
function headline(found: Investigation, zone: TimeZone): readonly Statement[] {
  const { main, hit } = found;
  if (!main) return [];
  const steps = stepsOf(found, zone).map(({ text }) => text);
  const users =
    hit && 0 < hit.users.length ? `${hit.users.length} of ${formatCount(hit.activeUsers, 'user')}, ` : '';
  const affected = hit
    ? `; ${users}${hit.sources.length} of ${formatCount(hit.activeSources, 'source')}`
    : '';
  return [{ label: 'in short', text: `${steps.join(' → ')}${affected}.` }];
}

/**
 * The event before, the first sign and the main change, with the time of each in milliseconds since the epoch. Empty
 * where nothing changed.
 */
export function stepsOf(
  { main, firstSign, before }: Investigation,
  zone: TimeZone,
): readonly { readonly time: number; readonly text: string }[] {
  if (!main) return [];
  const change = trueOnsetOf(firstSign ?? main);
  const event = before.find((queriedChange) => trueLastOf(queriedChange) <= change);
  const by = event?.user === undefined ? '' : ` by ${event.user}`;
  return [
    ...(event
      ? [{ time: trueLastOf(event), text: `${shortenWords(event.message, headlineWidth)}${by}` }]
      : []),
    ...[firstSign, main].flatMap((each) => (each ? [{ time: trueOnsetOf(each), text: eventOf(each) }] : [])),
  ].map(({ time, text }) => ({ time, text: `${timeText(time, zone)} ${text}` }));
}

/** Widths of a message in the first sentence. */
const headlineWidth = 50;

/** Shortens a text of one line to a width without a cut within a word, where a word ends early enough. */
function shortenWords(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const cut = shortenToWidth(line, width);
  if (cut === line) return line.replace(/\.$/, '');
  const end = cut.lastIndexOf(' ');
  return end < width / 2 ? cut : `${cut.slice(0, end).replace(/[\s,;:.–-]+$/, '')}…`;
}

/** Names a change as an event: what it says, or what is silent, slower or more. */
function eventOf({ kind, subject }: Change): string {
  if (subject.type === 'latency') return `${subject.source} is ${kind}`;
  const isSilent = kind === 'gone';
  if (subject.type === 'total')
    return isSilent ? 'all logs stop' : kind === 'less' ? 'far fewer logs' : 'far more logs';
  const name = subject.type === 'value' ? subjectText(subject) : nameOfSubject(subject);
  return isSilent
    ? `${name}: no more logs`
    : kind === 'less'
      ? `${name} less often`
      : kind === 'more'
        ? `${name} more often`
        : name;
}

function nameOfSubject(subject: Exclude<Change['subject'], { type: 'latency' | 'total' | 'value' }>): string {
  if (subject.type === 'query') return 'the logs of --search';
  const { template } = subject;
  return template === undefined ? subjectText(subject) : `"${shortenWords(template, headlineWidth)}"`;
}

function logsText({ logs, timeless, first, last, every, examined }: Investigation, zone: TimeZone): string {
  if (first === undefined || last === undefined)
    return `${formatCount(logs, 'log')}, none with a time: nothing to compare.`;
  const rest = timeless === 0 ? '' : `, ${formatNumber(timeless)} without a time`;
  return `${formatCount(logs, 'log')}${rest}, ${timeText(first, zone)} to ${timeText(last, zone)}${zoneNote(zone)}. Compared: ${formatNumber(examined)} series (codes, patterns, levels, sources, users, hosts, latencies), in intervals of ${intervalLength(every)}.`;
}

function mainStatements(found: Investigation, zone: TimeZone): readonly Statement[] {
  const { main, together, firstSign } = found;
  if (!main) return [{ label: 'changed', text: nothingText(found) }];
  const others = together.filter(({ subject }) => JSON.stringify(subject) !== JSON.stringify(main.subject));
  return [
    { label: 'main change', text: changeText(main, zone), query: main.logs?.query },
    ...others
      .slice(0, 1)
      .map((change) => ({ label: 'with it', text: changeText(change, zone), query: change.logs?.query })),
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
    return `Nothing: the rate of the logs of --search (${formatCount(symptomLogs, 'log')}) changes no more than chance explains.`;
  return 'Nothing: no code, pattern, source, user or time of requests changes beyond what chance and the rhythm of the day explain.';
}

/** Clocks that are shown. */
const shownClocks = 3;

/** Names the sources or hosts whose clocks differ, by how much, and the requests that show it. */
function clockStatements({ clocks, main }: Investigation): readonly Statement[] {
  const rest = clocks.length - shownClocks;
  return clocks
    .slice(0, shownClocks)
    .map(({ field, value, ahead, requests, of, against, isMutual }, index) => {
      const name = `${fieldNames[field]} ${shortenWords(value, messageWidth)}`;
      const [other = '', ...others] = against;
      const compared = `${shortenWords(other, messageWidth)}${others.length === 0 ? '' : ` and ${formatNumber(others.length)} more`}`;
      const direction = ahead < 0 ? 'behind' : 'ahead of';
      const mutual = isMutual ? ' Which of the two is wrong cannot be said.' : '';
      const more = index === shownClocks - 1 && 0 < rest ? ` So are ${formatNumber(rest)} more.` : '';
      return {
        label: 'clock off',
        text: `The clock of ${name} is ${intervalLength(Math.abs(ahead))} ${direction} that of ${compared}, by ${formatNumber(requests)} of ${formatCount(of, 'common request')}.${mutual}${main ? ' Lead times are corrected by it.' : ''}${more}`,
      };
    });
}

/** Recurrences that are shown. */
const shownRecurring = 2;

/** Names what comes at the same time of most days or weeks. */
function recurringStatements({ recurring }: Investigation, zone: TimeZone): readonly Statement[] {
  return recurring.slice(0, shownRecurring).map(({ subject, every, times, of, count, last, begin, logs }) => {
    const time = begin ?? last.from;
    const [, at = ''] = timeText(time, zone).split(' ');
    const hour = Number(at.slice(0, 2));
    const often = every === 'week' ? 'weekly' : hour < 6 || 21 <= hour ? 'nightly' : 'daily';
    const on = every === 'week' ? `${weekdayOf(time, zone)} ` : '';
    return {
      label: 'recurs',
      text: `${often} at ${on}${at}: ${subjectText(subject)}, ${times} of ${formatCount(of, every)}, ${formatCount(meantOf(logs) ?? count, 'log')}: no change${othersText(logs)}.`,
      query: logs?.query,
    };
  });
}

function weekdayOf(time: number, zone: TimeZone): string {
  const date = new Date(`${timeText(time, zone).slice(0, 10)}T00:00:00Z`);
  return date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
}

/** The time by the clock of most sources, where that of a log differs. */
function clockNote(time: number, ahead: number | undefined, zone: TimeZone): string {
  if (ahead === undefined) return '';
  const direction = ahead < 0 ? 'behind' : 'ahead';
  return `; that clock is ${intervalLength(Math.abs(ahead))} ${direction}: ${formatSecond(time - ahead, zone)} by the others`;
}

/** Events that are shown: those nearest to the first change, besides upgrades. */
const shownEvents = 2;

function beforeStatements(found: Investigation, zone: TimeZone): readonly Statement[] {
  const { before, main, firstSign } = found;
  if (!main) return [];
  const change = trueOnsetOf(firstSign ?? main);
  const upgrades = before.filter(({ kind }) => kind === 'upgrade');
  const others = before.filter(({ kind }) => kind === 'administration');
  const shown = [...upgrades, ...others.slice(0, shownEvents)];
  if (shown.length === 0) return [{ label: 'before', text: nothingBefore(found, change, zone) }];
  return shown.map((event) => ({
    label: 'before',
    text: eventText(event, change, zone),
    query: event.query,
  }));
}

/** Kinds of rare logs that are shown. */
const shownRare = 2;

/** Logs that hardly occur otherwise, of any code and level, and how unusual they are. */
function rareStatements({ rare, main, firstSign }: Investigation, zone: TimeZone): readonly Statement[] {
  if (!rare || !main) return [];
  const change = trueOnsetOf(firstSign ?? main);
  return rare.kinds.slice(0, shownRare).map((kind) => {
    const { template, level, source, user, first, ahead, count, logs, isConfiguration } = kind;
    const names = [level, source, user].filter((name) => name !== undefined).join(', ');
    const of = names === '' ? '' : ` (${names})`;
    const number = count === 1 ? 'the only log of its kind' : `${formatNumber(count)} such logs in all`;
    const rate = isConfiguration
      ? ''
      : `; ${formatCount(rare.inHour, 'kind')} of rare logs in the hour before, ${Number(rare.usual.toPrecision(2))} in an average hour`;
    return {
      label: 'rare before',
      text: `${formatSecond(first, zone)}${of}: "${shortenWords(template, messageWidth)}", ${number}; ${intervalLength(change - trueFirstOf(kind))} before${rate}${clockNote(first, ahead, zone)}${othersText(logs)}.`,
      query: logs?.query,
    };
  });
}

const day = 86_400_000;

/** Says that nothing was administered before, as far as the logs reach and could hold it. */
function nothingBefore(found: Investigation, change: number, zone: TimeZone): string {
  const { first = 0, hasAdministration, exportedOnly: only, gaps } = found;
  const none = 'no act of administration and no upgrade';
  if (only !== undefined) return `In these logs ${none}, but ${only}.`;
  if (!hasAdministration)
    return `In these logs ${none}, at no time: a filter or an export may have left them out.`;
  const isHole = ({ oldest, newest }: (typeof gaps)[number]) => oldest < change && change - day < newest;
  if (change - day < first) {
    const from = new Date(change - day).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
    return `${upperFirst(none)}, but these logs begin at ${timeText(first, zone)}. For the day before: logquarry export --from ${from}.`;
  }
  return gaps.some(isHole)
    ? `In the day before: ${none} in these logs, but a part of that day was not exported.`
    : `In the day before: ${none} in these logs.`;
}

function upperFirst(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function hitStatements({ hit, since }: Investigation): readonly Statement[] {
  if (!hit || !since) return [];
  const { users, activeUsers, sources, activeSources, logs } = hit;
  const topValues = (values: typeof users) =>
    values
      .slice(0, 3)
      .map(({ value, count }) => `${shortenToWidth(value, 40)} ${formatNumber(count)}`)
      .join(', ');
  const failures = `${formatCount(logs.count, 'log')} of failures`;
  const ofUsers =
    users.length === 0
      ? 'none names a user'
      : `${users.length} of ${formatCount(activeUsers, 'active user')} (${topValues(users)})`;
  const ofSources = `${sources.length} of ${formatCount(activeSources, 'source')} (${topValues(sources)})`;
  return [{ label: 'affected', text: `${failures}: ${ofUsers}; ${ofSources}.`, query: logs.query }];
}

/** Says what is known of logs that are missing, where no time lacks an export. */
function coveredText({ first, isExported, exportedOnly: only, changes }: Investigation): string {
  if (first === undefined) return 'Unknown.';
  const isQuiet = !changes.some(isSilence);
  if (!isExported)
    return `${isQuiet ? 'No source is silent. ' : ''}Unknown is what these files lack: no export requested their time.`;
  if (isQuiet && only === undefined) return 'None in what was exported, as far as the case says.';
  return `${only === undefined ? 'All was exported' : 'All that was asked for was exported'}, as far as the case says.`;
}

/** True for a time without logs of all or of one source. */
function isSilence({ kind, count, subject }: Change): boolean {
  const isNamed = subject.type === 'total' || (subject.type === 'value' && subject.field === 'source');
  return kind === 'gone' && count === 0 && isNamed;
}

function gapStatement(found: Investigation, zone: TimeZone): Statement {
  const { gaps, changes } = found;
  const silent = changes
    .filter(isSilence)
    .map(
      ({ subject, start, end }) =>
        `${subjectText(subject)} ${formatRange({ oldest: start, newest: end }, zone)}`,
    );
  const others = silent.length <= 3 ? '' : ` and ${formatNumber(silent.length - 3)} more`;
  const silence = silent.length === 0 ? '' : ` Silent: ${silent.slice(0, 3).join('; ')}${others}.`;
  const listed = gaps
    .slice(0, 3)
    .map(({ oldest, newest, state }) => `${formatRange({ oldest, newest }, zone)} ${state}`);
  if (gaps.length === 0) return { label: 'gaps', text: `${coveredText(found)}${silence}` };
  const more = gaps.length <= listed.length ? '' : `, and ${formatNumber(gaps.length - listed.length)} more`;
  return {
    label: 'gaps',
    text: `${formatCount(gaps.length, 'interval')} not exported as a whole: ${listed.join(', ')}${more}.${silence}`,
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
    return [
      {
        label: labels[kind],
        text: `${nameOf(first)}${more}${othersText(first.logs)}.`,
        query: first.logs?.query,
      },
    ];
  });
}

function nameOf({ difference, logs }: QueriedDifference): string {
  const { kind, field, value, before, after, effect } = difference;
  const name = field === 'msg' ? `"${shortenToWidth(value, 60)}"` : `${field} ${shortenToWidth(value, 60)}`;
  const count = formatNumber(meantOf(logs) ?? (kind === 'gone' ? before : after));
  const times = kind === 'more' || kind === 'less' ? ` (${timesText(effect)} the share)` : '';
  return `${name}: ${count}${times}`;
}

/** The logs of a query less those that it selects besides. */
function meantOf(logs: QueriedChange['logs']): number | undefined {
  return logs && logs.count - (logs.others ?? 0);
}

/** Says how many logs a query selects besides those that a sentence counts. */
function othersText(logs: QueriedChange['logs']): string {
  return logs?.others === undefined ? '' : `; the query selects ${formatNumber(logs.others)} more`;
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
  const { kind, subject, logs, start, end, isOpen, effect, onset } = change;
  if (subject.type === 'latency') return latencyText(change, zone);
  const isExact = kind === 'new' && logs?.first !== undefined && logs.last !== undefined;
  const begin = isExact ? formatSecond(logs.first, zone) : `about ${timeText(onset ?? start, zone)}`;
  const until = isExact
    ? `until ${formatSecond(logs.last, zone)}`
    : isOpen
      ? 'to the end of the logs'
      : `until about ${timeText(end, zone)}`;
  const count = formatCount(meantOf(logs) ?? change.count, 'log');
  const clock = clockNote(isExact ? logs.first : (onset ?? start), change.ahead, zone);
  if (change.isGradual)
    return `from ${begin} on: ${subjectText(subject)} ${0 < effect ? 'grow' : 'fall'} over days, ${timesText(effect)} as many on the last day as on the first: ${count} ${until}${clock}${othersText(logs)}.`;
  // A level, a user or a source is one; logs are many.
  const verbs =
    subject.type === 'value'
      ? { new: 'begins', gone: 'ends', more: 'has more logs', less: 'has fewer logs', slower: '', faster: '' }
      : { new: 'begin', gone: 'end', more: 'become more', less: 'become fewer', slower: '', faster: '' };
  const compared =
    kind === 'new'
      ? 'none at other times'
      : kind === 'gone'
        ? 'none in that time'
        : `${timesText(effect)} as many as expected from other times`;
  return `${begin}: ${subjectText(subject)} ${verbs[kind]}: ${count} ${until}, ${compared}${clock}${othersText(logs)}.`;
}

/** Formats the ratio of two rates, whose binary logarithm is given: `0.4 times`, `730 times`. */
function timesText(effect: number): string {
  const ratio = 2 ** effect;
  return `${ratio < 10 ? Number(ratio.toPrecision(2)) : formatNumber(Math.round(ratio))} times`;
}

const fieldNames = { logLevel: 'level', source: 'source', username: 'user', machine: 'host' } as const;

function subjectText(subject: Change['subject']): string {
  if (subject.type === 'query') return 'the logs of the query';
  if (subject.type === 'latency') return subject.source;
  if (subject.type === 'total') return 'all logs';
  if (subject.type === 'value')
    return subject.value === ''
      ? `logs without a ${fieldNames[subject.field]}`
      : `${fieldNames[subject.field]} ${shortenWords(subject.value, messageWidth)}`;
  const template =
    subject.template === undefined ? '' : `, "${shortenWords(subject.template, messageWidth)}"`;
  if (subject.type === 'code') return `${subject.level} logs of code ${subject.code}${template}`;
  return `${subject.level === undefined ? '' : `${subject.level} `}logs${template}`;
}

/** Says which requests became slower or faster, by their medians. */
function latencyText(
  { kind, subject, start, end, isOpen, logs, count, ahead }: QueriedChange,
  zone: TimeZone,
): string {
  if (subject.type !== 'latency') return '';
  const { source, method, code, medianBefore, medianAfter, tail } = subject;
  const name = `${source}${code === '' ? '' : ` (code ${code})`}`;
  const until = isOpen ? 'to the end of the logs' : `until about ${timeText(end, zone)}`;
  const measure = tail ? '95th percentile' : 'median';
  const median = `${measure}${method === '' ? '' : ` of ${method}`}`;
  const [before, after] = tail ? [tail.before, tail.after] : [medianBefore, medianAfter];
  return `about ${timeText(start, zone)}: ${name} is ${kind} ${until}: ${median} ${secondsText(before)} otherwise, ${secondsText(after)} then; ${formatCount(logs?.count ?? count, 'log')}${clockNote(start, ahead, zone)}.`;
}

function secondsText(seconds: number): string {
  return `${Number(seconds.toPrecision(3))} s`;
}

/** Says what was administered before a change, and how long before. */
function eventText(event: PrecedingEvent, change: number, zone: TimeZone): string {
  const { kind, first, last, ahead, user, message, code, count } = event;
  const text = `"${shortenWords(message, messageWidth)}"`;
  const by = user === undefined ? '' : ` by ${user}`;
  const time = trueLastOf(event);
  const clock = clockNote(last, ahead, zone);
  const ago = `${time <= change ? `${intervalLength(change - time)} before` : 'after the first sign'}${clock}`;
  if (kind === 'upgrade')
    return `${formatSecond(first, zone)} to ${formatSecond(last, zone)}: an upgrade${by}, ${formatCount(count, 'message')}, ${text}; its last message ${ago}.`;
  const times = count === 1 ? '' : `, ${formatNumber(count)} times since ${formatSecond(first, zone)}`;
  return `${formatSecond(last, zone)}${by}: ${text} (code ${code})${times}; ${ago}.`;
}
