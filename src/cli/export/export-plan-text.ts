import type { ExportPlan } from '../../export/index.ts';
import { shownTime } from '../output/log-table.ts';
import { printable } from '../terminal/printable.ts';
import { amount, counted, duration, grouped } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';

/** So many windows are shown; the rest is counted. */
const shownWindows = 10;

/** What an export will take, for people. */
export function planText(plan: ExportPlan, { style }: Face): string {
  const { logs, calls, leastCalls, bytes, milliseconds, exact, samples, windows } = plan;
  const time = style.bold(`${shownTime(plan.oldest)} to ${shownTime(plan.newest)} (UTC)`);
  if (plan.asked.length === 0) return `${time}\nThe case has all of it already.\n`;
  const isKnown = plan.most <= 2 * plan.least;
  const about = exact ? '' : 'about ';
  const parameters = Object.entries(plan.parameters).map(([name, value]) => `  ${name}: ${printable(value)}`);
  return [
    time,
    ...(isKnown
      ? [
          `${about}${counted(logs, 'log')}`,
          `about ${counted(calls, 'call')} (${grouped(leastCalls)} at the least), about ${duration(milliseconds)}`,
          `about ${amount(bytes, 'B')} on the disk`,
        ]
      : [`between ${grouped(plan.least)} and ${counted(plan.most, 'log')}: the samples differ widely`]),
    '',
    style.bold('Every call asks for'),
    ...parameters,
    plan.residual ? 'What comes is filtered here by the whole query.' : '',
    ...plan.reasons.map(({ parameter, reason }) => `  ${parameter}: ${printable(reason)}`),
    '',
    style.bold('Windows, the newest first'),
    ...windows
      .slice(0, shownWindows)
      .map((each) => `  ${shownTime(each.oldest)} to ${shownTime(each.newest)}`),
    ...(shownWindows < windows.length ? [`  … ${grouped(windows.length - shownWindows)} more`] : []),
    '',
    `Estimated by ${counted(samples.calls, 'call')} for at most ${samples.logs} logs each; nothing was exported.`,
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}
