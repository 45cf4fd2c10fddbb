import type { Field } from '../meaning/schema.ts';
import { isNumberText, parseDate, parseFieldNumber, parseInteger, parseNumber } from '../meaning/values.ts';
import type { Fix } from '../parse/finding.ts';
import { quote } from '../parse/lex.ts';
import type { Clause } from '../parse/tree.ts';
import { type AskedValue, askedValues, namedField } from './clause.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A value that a number or date field cannot have. The server refuses it, or
 * finds nothing (section 7.5 of the language specification).
 */
export const valueType: LintRule = {
  code: 'value-type',
  heading: 'A field cannot have this value',
  severity: 'warning',
  clause: (clause, context, { construct }) => {
    const field = namedField(clause, context.targets);
    if (!field || !holdsNumbers(field) || construct) return;
    for (const value of askedValues(clause, context)) checkValue(value, { clause, field, context });
  },
};

/** Returns whether the values of a field are numbers or dates. */
function holdsNumbers({ type }: Field): boolean {
  return type !== 'text' && type !== 'keyword';
}

interface Checking {
  readonly clause: Clause;
  readonly field: Field;
  readonly context: LintContext;
}

function checkValue(value: AskedValue, { clause, field, context }: Checking): void {
  // `lone-comparison` reports a sign alone.
  if (clause.item.kind === 'Word' && /^[<>]=?$/.test(clause.item.term.text)) return;
  const problem =
    field.type === 'date' ? dateProblem(value, field, context.now) : numberProblem(value, field);
  if (!problem) return;
  context.report(value, problem, () => {
    // Of a comparison the value is only a part of the word.
    if (value.as !== 'exact' && clause.item.kind !== 'Range') return [];
    const replacement = field.type === 'date' ? dateMeant(value) : numberMeant(value, field);
    return replacement ? [changeFix(value, replacement)] : [];
  });
}

function numberProblem({ text, as }: AskedValue, { name, type }: Field): string | undefined {
  // The engine takes blanks around a decimal and a letter behind it.
  if (type === 'decimal' && parseFieldNumber(type, text) !== undefined) return undefined;
  if (!isNumberText(text)) return `${quoteName(text)} is no number, and "${name}" holds numbers`;
  const number = parseNumber(text);
  if (number === undefined || (type === 'integer' && parseInteger(text) === undefined))
    return `${quoteName(text)} is beyond ${type === 'integer' ? 'the 64 bits' : 'the doubles'} that "${name}" holds`;
  const isFraction = type === 'integer' && as === 'exact' && !Number.isInteger(number);
  return isFraction ? `"${name}" holds whole numbers, none of which is ${quoteName(text)}` : undefined;
}

function dateProblem({ text, as, inclusive }: AskedValue, { name }: Field, now: number): string | undefined {
  const roundUp = as === 'upper' ? inclusive : !inclusive;
  const time = parseDate(text, { roundUp, now });
  if (time === undefined) {
    const day = as !== 'exact' && roundUp ? lastDay(text) : undefined;
    if (day) return `${quoteName(text)} is no date; the engine reads it as ${day} here`;
    return `${quoteName(text)} is no date, and "${name}" holds dates, such as 2024-01-31 or 2024-01-31T10:30:00Z`;
  }
  return isSeconds(text)
    ? `"${name}" counts milliseconds, and ${quoteName(text)} of them are a day in ${new Date(time).getUTCFullYear()}`
    : undefined;
}

/** Returns whether a text is likely no time in milliseconds: ten digits are seconds, and a year and a month have a point. */
function isSeconds(text: string): boolean {
  return /^1\d{9}$|^\d{4}\.\d*$/.test(text);
}

/** The likely intended form of a number: with a point, without its unit, as a range or as alternatives. */
function numberMeant({ text, as }: AskedValue, { type, about }: Field): string | undefined {
  const [, from, to] = /^(\d+)(?:-|\.\.)(\d+)$/.exec(text) ?? [];
  if (from && to) return as === 'exact' ? `[${from} TO ${to}]` : undefined;
  if (/^\d+(,\d+)+$/.test(text)) {
    if (type === 'decimal') return text.split(',').length === 2 ? text.replace(',', '.') : undefined;
    return as === 'exact' ? `(${text.split(',').join(' OR ')})` : undefined;
  }
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|sec|min|m|h)$/.exec(text) ?? [];
  const seconds =
    number && about.includes('seconds') ? Number(number) * (unitSeconds.get(unit) ?? 1) : undefined;
  // Twelve digits keep all that was written, and drop the rounding error of the product.
  return seconds === undefined ? undefined : String(Number(seconds.toPrecision(12)));
}

/** The seconds of each unit but the second. */
const unitSeconds: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['m', 60],
  ['min', 60],
  ['h', 3600],
]);

/** The likely intended form of a date: with dashes and a "T", as today or yesterday, or in milliseconds. */
function dateMeant({ text, as }: AskedValue): string | undefined {
  const day = days.get(text.toLowerCase());
  if (day) return as === 'exact' ? `[${day} TO ${day}]` : day;
  if (isSeconds(text)) return text.includes('.') ? undefined : `${text}000`;
  const [, year, month, date, time] =
    /^(\d{4})[-/.](\d\d)[-/.](\d\d)(?:[ T](\d\d:\d\d.*))?$/.exec(text) ?? [];
  if (!year) return undefined;
  const dateText = `${year}-${month}-${date}${time ? `T${time}` : ''}`;
  if (parseDate(dateText, { roundUp: false, now: 0 }) === undefined) return lastDay(dateText);
  return as === 'exact' && time ? quote(dateText) : dateText;
}

/** The last day of a month, for a day that it does not have. */
function lastDay(text: string): string | undefined {
  const time = parseDate(text, { roundUp: true, now: 0, clampDays: true });
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

const days: ReadonlyMap<string, string> = new Map([
  ['today', 'now/d'],
  ['yesterday', 'now-1d/d'],
]);

function changeFix({ from, to }: AskedValue, replacement: string): Fix {
  return { title: `Change to ${replacement}`, edits: [{ from, to, insert: replacement }] };
}
