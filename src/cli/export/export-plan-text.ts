import type { ExportPlan } from '../../export/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatAmount, formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';
import { formatRange, formatTime } from '../terminal/time-format.ts';

/** Number of windows shown; the rest is counted. */
const shownWindows = 10;

/** Formats the plan of an export. */
export function exportPlanText(plan: ExportPlan, { style }: Face, zone?: TimeZone): string {
  const { logs, calls, leastCalls, bytes, milliseconds, exact, samples, windows } = plan;
  const time = style.bold(formatRange(plan, zone));
  if (plan.asked.length === 0) return `${time}\nThe case already has all of it.\n`;
  const isKnown = plan.most <= 2 * plan.least;
  const about = exact ? '' : 'about ';
  const parameters = Object.entries(plan.parameters).map(
    ([name, value]) => `  ${name}: ${escapeUnsafe(value)}`,
  );
  return [
    time,
    ...(isKnown
      ? [
          `${about}${formatCount(logs, 'log')}`,
          `about ${formatCount(calls, 'call')} (at least ${formatNumber(leastCalls)}), about ${formatDuration(milliseconds)}`,
          `about ${formatAmount(bytes, 'B')} on disk`,
        ]
      : [
          `between ${formatNumber(plan.least)} and ${formatCount(plan.most, 'log')}: the samples differ widely`,
        ]),
    '',
    style.bold('Parameters of every call'),
    ...parameters,
    plan.residual ? 'The returned logs are filtered here by the whole query.' : '',
    ...plan.reasons.map(({ parameter, reason }) => `  ${parameter}: ${escapeUnsafe(reason)}`),
    '',
    style.bold('Windows, newest first'),
    ...windows
      .slice(0, shownWindows)
      .map((each) => `  ${formatTime(each.oldest, zone)} to ${formatTime(each.newest, zone)}`),
    ...(shownWindows < windows.length ? [`  … ${formatNumber(windows.length - shownWindows)} more`] : []),
    '',
    `Estimated from ${formatCount(samples.calls, 'call')} of at most ${samples.logs} logs each; nothing was exported.`,
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}
