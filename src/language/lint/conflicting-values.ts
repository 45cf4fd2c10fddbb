import type { Interval } from '../logic/theories.ts';
import type { Field } from '../meaning/schema.ts';
import type { NumberValue } from '../meaning/values.ts';
import type { Fix } from '../parse/finding.ts';
import type { Span } from '../parse/tree.ts';
import {
  askedValues,
  fieldOfTargets,
  intersectIntervals,
  isEmptyInterval,
  numberInterval,
} from './clause.ts';
import { isLoneSign } from './constructs.ts';
import { type LevelMember, memberText, type QueryLevel } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * Two values required of a field that has one value: a number, a date, a keyword,
 * or one of a list of known values. OR was meant.
 */
export const conflictingValues: LintRule = {
  code: 'conflicting-values',
  heading: 'Two values are required of a field that has one',
  severity: 'warning',
  level: checkLevel,
};

function checkLevel(level: QueryLevel, context: LintContext): void {
  if (level.counts.must < 2) return;
  const required = level.members.filter(isOfOneValue);
  const byField = new Map<Field, LevelMember[]>();
  for (const member of required) {
    const field = fieldOfTargets(member.searchTargets);
    if (!field) continue;
    const members = byField.get(field);
    if (members) members.push(member);
    else byField.set(field, [member]);
  }
  for (const [field, members] of byField)
    if (1 < members.length) checkField(level, { field, members, context });
}

/** Returns whether a member is required, and on a field that has one value in a log. */
function isOfOneValue({ occur, searchTargets }: LevelMember): boolean {
  const field = occur === 'must' ? fieldOfTargets(searchTargets) : undefined;
  return field !== undefined && (field.type !== 'text' || field.values !== undefined);
}

interface Checking {
  readonly field: Field;
  /** The members required of the field, in the order of the text. */
  readonly members: readonly LevelMember[];
  readonly context: LintContext;
}

type Value = string | Interval<NumberValue>;

/** Intersects the requirements on a field, and reports the first one that leaves no value. */
function checkField(level: QueryLevel, { field, members, context }: Checking): void {
  const narrowing: LevelMember[] = [];
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

/** The value that a member requires of a field; undefined if it is no single value, or impossible. */
function requiredOf(
  field: Field,
  { clauses: [clause] }: LevelMember,
  context: LintContext,
): Value | undefined {
  const numbers = numberInterval(clause.item, field, context);
  if (numbers) return isEmptyInterval(numbers) ? undefined : numbers;
  const [askedValue] = askedValues(clause, context);
  if (askedValue?.as !== 'exact') return undefined;
  if (field.type === 'keyword') return askedValue.text;
  return field.values?.find((value) => value.toLowerCase() === askedValue.text.toLowerCase());
}

/** The common part of two requirements; undefined if there is none. */
function common(a: Value, b: Value): Value | undefined {
  if (typeof a === 'string' || typeof b === 'string') return a === b ? a : undefined;
  const numbers = intersectIntervals(a, b);
  return isEmptyInterval(numbers) ? undefined : numbers;
}

function report(level: QueryLevel, { field, members, context }: Checking): void {
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last) return;
  const other = members.length === 2 ? quoteName(memberText(first, context.text())) : 'the parts before it';
  context.report(last, `No log matches both this and ${other}: a log has one "${field.name}"`, () =>
    anyOf(level, members, { from: first.from, to: last.to }),
  );
}

/** Joins neighbours by OR, in parentheses if the level has other parts. */
function anyOf(level: QueryLevel, members: readonly LevelMember[], { from, to }: Span): Fix[] {
  const positions = members.map((member) => level.members.indexOf(member));
  const areNeighbours = positions.every(
    (position, index) => index === 0 || position - 1 === positions[index - 1],
  );
  const joints = members.slice(1).map(({ clauses: [{ conjunction }] }) => conjunction);
  const hasPlus = members.some(({ modifier }) => modifier === 'required');
  if (!areNeighbours || hasPlus || joints.some((joint) => joint?.kind !== 'And')) return [];
  const close = { from: to, to, insert: isLoneSign(members.at(-1)?.clauses[0]) ? ' )' : ')' };
  const ors = joints.flatMap((joint) => (joint ? [{ from: joint.from, to: joint.to, insert: 'OR' }] : []));
  const isWhole = members.length === level.members.length;
  const edits = isWhole ? ors : [{ from, to: from, insert: '(' }, ...ors, close];
  return [{ title: 'Ask for any of them', edits }];
}
