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
  const change = onsetOf(firstSign ?? main);
  const event = before.find(({ last }) => last <= change);
  const by = event?.user === undefined ? '' : ` by ${event.user}`;
  return [
    ...(event ? [{ time: event.last, text: `${shortenWords(event.message, headlineWidth)}${by}` }] : []),
    ...[firstSign, main].flatMap((each) => (each ? [{ time: onsetOf(each), text: eventOf(each) }] : [])),
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

/** Events that are shown: those nearest to the first change, besides upgrades. */
const shownEvents = 2;

function beforeStatements(found: Investigation, zone: TimeZone): readonly Statement[] {
  const { before, main, firstSign } = found;
  if (!main) return [];
  const change = onsetOf(firstSign ?? main);
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
  const change = onsetOf(firstSign ?? main);
  return rare.kinds
    .slice(0, shownRare)
    .map(({ template, level, source, user, first, count, logs, isConfiguration }) => {
      const names = [level, source, user].filter((name) => name !== undefined).join(', ');
      const of = names === '' ? '' : ` (${names})`;
      const number = count === 1 ? 'the only log of its kind' : `${formatNumber(count)} such logs in all`;
      const rate = isConfiguration
        ? ''
        : `; ${formatCount(rare.inHour, 'kind')} of rare logs in the hour before, ${Number(rare.usual.toPrecision(2))} in an average hour`;
      return {
        label: 'rare before',
        text: `${formatSecond(first, zone)}${of}: "${shortenWords(template, messageWidth)}", ${number}; ${intervalLength(change - first)} before${rate}.`,
        query: logs?.query,
      };
    });
}

const day = 86_400_000;

/** Says that nothing was administered before, as far as the logs reach. */
function nothingBefore({ first = 0 }: Investigation, change: number, zone: TimeZone): string {
  if (first <= change - day)
    return 'In the day before: no act of administration and no upgrade in these logs.';
  const from = new Date(change - day).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
  return `No act of administration and no upgrade, but these logs begin at ${timeText(first, zone)}. For the day before: logquarry export --from ${from}.`;
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
  return [{ label: 'affected', text: `${failures}: ${ofUsers}; ${ofSources}.`, query: logs.query }];
}

function gapStatement(
  { gaps, first, changes, exportedOnly: only }: Investigation,
  zone: TimeZone,
): Statement {
  const silent = changes
    .filter(({ kind, count, subject }) => kind === 'gone' && count === 0 && subject.type !== 'latency')
    .filter(
      ({ subject }) => subject.type === 'total' || (subject.type === 'value' && subject.field === 'source'),
    )
    .map(
      ({ subject, start, end }) =>
        `${subjectText(subject)} ${formatRange({ oldest: start, newest: end }, zone)}`,
    );
  const others = silent.length <= 3 ? '' : ` and ${formatNumber(silent.length - 3)} more`;
  const silence = silent.length === 0 ? '' : ` Silent: ${silent.slice(0, 3).join('; ')}${others}.`;
  const listed = gaps
    .slice(0, 3)
    .map(({ oldest, newest, state }) => `${formatRange({ oldest, newest }, zone)} ${state}`);
  if (gaps.length === 0)
    return {
      label: 'gaps',
      text:
        first === undefined
          ? 'Unknown.'
          : silence === ''
            ? 'None in what was exported, as far as the case says.'
            : `${only === undefined ? 'All was exported' : 'All that was asked for was exported'}, as far as the case says.${silence}`,
    };
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
  const { kind, subject, logs, start, end, isOpen, effect, onset } = change;
  if (subject.type === 'latency') return latencyText(change, zone);
  const isExact = kind === 'new' && logs?.first !== undefined && logs.last !== undefined;
  const begin = isExact ? formatSecond(logs.first, zone) : `about ${timeText(onset ?? start, zone)}`;
  const until = isExact
    ? `until ${formatSecond(logs.last, zone)}`
    : isOpen
      ? 'to the end of the logs'
      : `until about ${timeText(end, zone)}`;
  const count = formatCount(logs?.count ?? change.count, 'log');
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
  return `${begin}: ${subjectText(subject)} ${verbs[kind]}: ${count} ${until}, ${compared}.`;
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
    return `${fieldNames[subject.field]} ${shortenWords(subject.value, messageWidth)}`;
  const template =
    subject.template === undefined ? '' : `, "${shortenWords(subject.template, messageWidth)}"`;
  if (subject.type === 'code') return `${subject.level} logs of code ${subject.code}${template}`;
  return `${subject.level === undefined ? '' : `${subject.level} `}logs${template}`;
}

/** Says which requests became slower or faster, by their medians. */
function latencyText(
  { kind, subject, start, end, isOpen, logs, count }: QueriedChange,
  zone: TimeZone,
): string {
  if (subject.type !== 'latency') return '';
  const { source, method, code, medianBefore, medianAfter, tail } = subject;
  const name = `${source}${code === '' ? '' : ` (code ${code})`}`;
  const until = isOpen ? 'to the end of the logs' : `until about ${timeText(end, zone)}`;
  const measure = tail ? '95th percentile' : 'median';
  const median = `${measure}${method === '' ? '' : ` of ${method}`}`;
  const [before, after] = tail ? [tail.before, tail.after] : [medianBefore, medianAfter];
  return `about ${timeText(start, zone)}: ${name} is ${kind} ${until}: ${median} ${secondsText(before)} otherwise, ${secondsText(after)} then; ${formatCount(logs?.count ?? count, 'log')}.`;
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
  const text = `"${shortenWords(message, messageWidth)}"`;
  const by = user === undefined ? '' : ` by ${user}`;
  const ago = last <= change ? `${intervalLength(change - last)} before` : 'after the first sign';
  if (kind === 'upgrade')
    return `${formatSecond(first, zone)} to ${formatSecond(last, zone)}: an upgrade${by}, ${formatCount(count, 'message')}, ${text}; its last message ${ago}.`;
  const times = count === 1 ? '' : `, ${formatNumber(count)} times since ${formatSecond(first, zone)}`;
  return `${formatSecond(last, zone)}${by}: ${text} (code ${code})${times}; ${ago}.`;
}
