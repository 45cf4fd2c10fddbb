import { type Investigation, onsetOf } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { formatRange, zoneNote } from '../terminal/time-format.ts';
import { shortenToWidth, wrapToWidth } from '../terminal/width.ts';
import { changeText, eventText, intervalLength, latencyText, timeText } from './change-text.ts';
import { differenceStatements } from './difference-statements.ts';
import type { Statement } from './statement.ts';

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
