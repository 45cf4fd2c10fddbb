import type { Fix } from '../../language/finding.ts';
import type { Span } from '../../language/tree.ts';
import type { Interval } from '../../logic/compare/interval.ts';
import type { Field } from '../../meaning/fields.ts';
import type { NumberValue } from '../../meaning/number-value.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { askedValues } from '../views/asked-values.ts';
import { memberText } from '../views/in-words.ts';
import type { Level, Member } from '../views/level.ts';
import { intersection, isEmpty, numbersOf } from '../views/number-interval.ts';
import { fieldOf } from '../views/one-field.ts';
import { isBare } from '../views/plain-word.ts';
import { named } from '../views/wording.ts';

/**
 * Two values that are required of one field, of which a log has one: a number,
 * a date, a keyword, or one of a list of known values. OR was meant.
 */
export const conflictingValues: Rule = {
  code: 'conflicting-values',
  heading: 'Two values are required of a field that has one',
  severity: 'warning',
  joins: true,
  level: checkLevel,
};

function checkLevel(level: Level, context: RuleContext): void {
  if (level.counts.must < 2) return;
  const required = level.members.filter(isOfOneValue);
  // Of most levels nothing or one thing is left, for which no map is worth making.
  if (required.length < 2) return;
  const byField = new Map<Field, Member[]>();
  for (const member of required) {
    const field = fieldOf(member.sought);
    if (!field) continue;
    const members = byField.get(field);
    if (members) members.push(member);
    else byField.set(field, [member]);
  }
  for (const [field, members] of byField)
    if (1 < members.length) checkField(level, { field, members, context });
}

/** Whether something is required of a field of which a log has one value. */
function isOfOneValue({ occur, sought }: Member): boolean {
  const field = occur === 'must' ? fieldOf(sought) : undefined;
  return field !== undefined && (field.type !== 'text' || field.values !== undefined);
}

interface Checking {
  readonly field: Field;
  /** What is required of it, in the order of the text. */
  readonly members: readonly Member[];
  readonly context: RuleContext;
}

type Value = string | Interval<NumberValue>;

/** Narrows down what the parts leave for the value of a field. Of one field one finding is enough. */
function checkField(level: Level, { field, members, context }: Checking): void {
  const narrowing: Member[] = [];
  let left: Value | undefined;
  for (const member of members) {
    const value = requiredOf(field, member, context);
    if (value === undefined) continue;
    narrowing.push(member);
    left = left === undefined ? value : common(left, value);
    if (left === undefined) {
      report(level, { field, members: narrowing, context });
      return;
    }
  }
}

/** What a part requires of a field that has one value; undefined where that is nothing, or not possible. */
function requiredOf(field: Field, { clauses: [clause] }: Member, context: RuleContext): Value | undefined {
  const numbers = numbersOf(clause.item, field, context);
  if (numbers) return isEmpty(numbers) ? undefined : numbers;
  const [asked] = askedValues(clause, context);
  if (asked?.as !== 'exact') return undefined;
  if (field.type === 'keyword') return asked.text;
  return field.values?.find((value) => value.toLowerCase() === asked.text.toLowerCase());
}

/** What two requirements leave, undefined when nothing. */
function common(a: Value, b: Value): Value | undefined {
  if (typeof a === 'string' || typeof b === 'string') return a === b ? a : undefined;
  const numbers = intersection(a, b);
  return isEmpty(numbers) ? undefined : numbers;
}

function report(level: Level, { field, members, context }: Checking): void {
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last) return;
  const other = members.length === 2 ? named(memberText(first, context.text())) : 'the parts before it';
  context.report(last, `No log matches both this and ${other}: a log has one "${field.name}"`, () =>
    anyOf(level, members, { from: first.from, to: last.to }),
  );
}

/** Joins neighbours by OR, in parentheses where there is something beside them. */
function anyOf(level: Level, members: readonly Member[], { from, to }: Span): Fix[] {
  const places = members.map((member) => level.members.indexOf(member));
  const areNeighbours = places.every((place, index) => index === 0 || place - 1 === places[index - 1]);
  const joints = members.slice(1).map(({ clauses: [{ conjunction }] }) => conjunction);
  const hasPlus = members.some(({ modifier }) => modifier === 'required');
  if (!areNeighbours || hasPlus || joints.some((joint) => joint?.kind !== 'And')) return [];
  const close = { from: to, to, insert: isBare(members.at(-1)?.clauses[0]) ? ' )' : ')' };
  const ors = joints.flatMap((joint) => (joint ? [{ from: joint.from, to: joint.to, insert: 'OR' }] : []));
  const isWhole = members.length === level.members.length;
  const edits = isWhole ? ors : [{ from, to: from, insert: '(' }, ...ors, close];
  return [{ title: 'Ask for any of them', edits }];
}
