import type { Fix } from '../../language/finding.ts';
import type { Interval } from '../compare/interval.ts';
import type { Field } from '../fields.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { askedValues } from './views/asked-values.ts';
import { memberText } from './views/in-words.ts';
import { type Level, type Member, taken } from './views/level.ts';
import { intersection, isEmpty, numbersOf } from './views/number-interval.ts';
import { fieldNamed } from './views/one-field.ts';
import { isBare } from './views/plain-word.ts';
import { named } from './views/wording.ts';

/**
 * Two values that are required of one field, of which a log has one: a number,
 * a date, a keyword, or one of a list of known values. OR was meant.
 */
export const conflictingValues: Rule = {
  code: 'conflicting-values',
  heading: 'Two values are required of a field that has one',
  severity: 'warning',
  check: (context) => ({ Level: (level) => checkLevel(level, context) }),
};

type Value = string | Interval<number>;

/** What is left for the value of a field by the parts that require something of it. */
interface Left {
  readonly members: Member[];
  /** Undefined when nothing is left. */
  value: Value | undefined;
}

function checkLevel(level: Level, context: RuleContext): void {
  const lefts = new Map<string, Left>();
  for (const member of taken(level, 'must')) {
    const field = fieldNamed(member.clauses[0], context.targets);
    const value = field && requiredOf(field, member, context);
    if (!field || value === undefined) continue;
    const left = lefts.get(field.name);
    if (!left) lefts.set(field.name, { members: [member], value });
    // Of one field one finding is enough.
    if (left?.value === undefined) continue;
    left.members.push(member);
    left.value = common(left.value, value);
    if (left.value === undefined) report(level, { field, members: left.members, context });
  }
}

/** What a part requires of a field that has one value; undefined where that is nothing, or not possible. */
function requiredOf(field: Field, { clauses: [clause] }: Member, context: RuleContext): Value | undefined {
  const numbers = field.type === 'text' ? undefined : numbersOf(clause.item, field, context.now);
  if (numbers) return isEmpty(numbers) ? undefined : numbers;
  const [asked] = askedValues(clause);
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

interface Conflict {
  readonly field: Field;
  readonly members: readonly Member[];
  readonly context: RuleContext;
}

function report(level: Level, { field, members, context }: Conflict): void {
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last) return;
  const other = members.length === 2 ? named(memberText(first, context.text())) : 'the parts before it';
  context.report(last, `No log matches both this and ${other}: a log has one "${field.name}"`, () =>
    anyOf(level, [...members]),
  );
}

/** Joins neighbours by OR, in parentheses where there is something beside them. */
function anyOf(level: Level, members: readonly Member[]): Fix[] {
  const first = members[0] ? level.members.indexOf(members[0]) : -1;
  const areNeighbours = members.every((member, place) => level.members[first + place] === member);
  const joints = members.slice(1).map(({ clauses: [{ conjunction }] }) => conjunction);
  const hasPlus = members.some(({ modifier }) => modifier === 'required');
  if (!areNeighbours || hasPlus || joints.some((joint) => joint?.kind !== 'And')) return [];
  const [from, last] = [members[0]?.from ?? 0, members.at(-1)];
  const close = { from: last?.to ?? 0, to: last?.to ?? 0, insert: isBare(last?.clauses[0]) ? ' )' : ')' };
  const ors = joints.flatMap((joint) => (joint ? [{ from: joint.from, to: joint.to, insert: 'OR' }] : []));
  const isWhole = members.length === level.members.length;
  const edits = isWhole ? ors : [{ from, to: from, insert: '(' }, ...ors, close];
  return [{ title: 'Ask for any of them', edits }];
}
