import type { Fix } from '../parse/finding.ts';
import { type AskedValue, askedValues, namedField } from './clause.ts';
import type { LintContext, LintRule } from './rule.ts';

/**
 * A date without its day at the end of an interval. A missing month or day is the
 * first one, and only the time of day is rounded up: `[* TO 2024-01]` ends on
 * 1 January (section 5 of the language specification).
 */
export const halfRoundedDate: LintRule = {
  code: 'half-rounded-date',
  heading: 'A date without its day is the first of the month',
  severity: 'warning',
  clause: (clause, context, { construct }) => {
    if (namedField(clause, context.targets)?.type !== 'date' || construct) return;
    for (const value of askedValues(clause, context)) checkValue(value, context);
  },
};

function checkValue(value: AskedValue, { text, report }: LintContext): void {
  const isRounded = value.as === 'exact' || value.inclusive === (value.as === 'upper');
  if (!isRounded || !/^\d{4}(-\d\d)?$/.test(value.text)) return;
  const first = value.text.length === 4 ? `${value.text}-01-01` : `${value.text}-01`;
  const effects = {
    exact: 'asks for that day alone',
    upper: 'ends with that day',
    lower: 'begins after that day',
  };
  report(value, `"${value.text}" is ${first}, so this ${effects[value.as]}`, () => [
    lastDayFix(value, first, text().slice(value.from, value.to)),
  ]);
}

function lastDayFix({ from, to, text, as }: AskedValue, first: string, original: string): Fix {
  const last = `${first.slice(0, 5)}${lastDayOf(text)}`;
  return as === 'exact'
    ? { title: 'Ask for all of its days', edits: [{ from, to, insert: `[${first} TO ${last}]` }] }
    : { title: 'Name its last day', edits: [{ from, to, insert: original.replace(text, last) }] };
}

/** Month and day on which a year, or a month of one, ends. */
function lastDayOf(text: string): string {
  const [year, month] = [text.slice(0, 4), text.slice(5) || '12'];
  // The calendar repeats every 400 years, and `Date.UTC` adds 1900 to years below 100.
  const day = new Date(Date.UTC(Number(year) + 400, Number(month), 0)).getUTCDate();
  return `${month}-${day}`;
}
