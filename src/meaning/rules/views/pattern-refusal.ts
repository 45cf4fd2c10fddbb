import type { Item, Regexp, Wildcard } from '../../../language/tree.ts';
import type { Field } from '../../fields.ts';
import type { Filter } from '../../filter.ts';
import { checkPrefix, checkRegexp, checkWildcard } from '../../pattern/check.ts';
import { type Effort, newEffort } from '../../pattern/effort.ts';
import type { Refusal } from '../../pattern/refusal.ts';
import { fieldFilterOf } from './field-filter-of.ts';
import { lastAnswer } from './last-answer.ts';

/** So many different patterns are looked at, more than anybody writes. */
const mostCompiled = 200;

/**
 * The patterns of a query share the effort that one may take; when it is
 * spent, each of them still gets so much, a millisecond or two. Most patterns
 * that people write need no more, so costly ones decide nothing about them.
 */
const assuredSteps = 50_000;

/** Why the engine refuses a pattern on these fields. */
export type PatternRefusal = (item: Regexp | Wildcard, fields: readonly Field[]) => Refusal | undefined;

/** Tells why the engine refuses the patterns of a query: as they are on keyword fields, in lower case on text fields. */
export function patternRefusals(): PatternRefusal {
  let known: Map<string, Refusal | undefined> | undefined;
  const shared = newEffort();
  // Nearly all clauses search the same fields.
  const typesOf = lastAnswer((fields: readonly Field[]) =>
    String([...new Set(fields.map(({ type }) => type))]),
  );
  return (item, fields) => {
    const key = `${typesOf(fields)} ${item.term.text}`;
    known ??= new Map();
    if (!known.has(key) && known.size < mostCompiled) known.set(key, firstRefusal(item, fields, shared));
    return known.get(key);
  };
}

function firstRefusal(item: Item, fields: readonly Field[], shared: Effort): Refusal | undefined {
  const ofTypes = (['text', 'keyword'] as const).map((type) => fields.find((field) => field.type === type));
  for (const field of ofTypes) {
    const pattern = field && fieldFilterOf(item)?.(field, { defaultOperator: 'or', now: 0 });
    const refusal = pattern && refusalOf(pattern, shared);
    if (refusal) return refusal;
  }
  return undefined;
}

function refusalOf(filter: Filter, shared: Effort): Refusal | undefined {
  switch (filter.kind) {
    case 'prefix':
      return checkPrefix(filter.prefix);
    case 'wildcard':
      return withShare(shared, (effort) => checkWildcard(filter.pattern, effort));
    case 'regexp':
      return withShare(shared, (effort) => checkRegexp(filter.pattern, effort));
    default:
      return undefined;
  }
}

/** Makes a check with what it may take of the effort, and takes off what it took. */
function withShare<T>(shared: Effort, check: (effort: Effort) => T): T {
  const effort = newEffort(Math.max(shared.left, assuredSteps));
  const before = effort.left;
  const result = check(effort);
  shared.left -= before - effort.left;
  return result;
}
