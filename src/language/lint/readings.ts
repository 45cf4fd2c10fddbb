import { areSame } from '../logic/compare.ts';
import type { Reading } from '../meaning/clauses.ts';
import type { Field, Schema } from '../meaning/fields.ts';
import { joinsByAnd } from '../meaning/ordinary-reading.ts';
import { resolve } from '../meaning/resolve.ts';
import type { Engine } from '../parse/engine.ts';
import type { Clause, Part } from '../parse/tree.ts';
import { counterexampleFinder, type LevelReader } from './counterexample.ts';
import type { LevelMember, QueryLevel } from './level.ts';
import { memoize } from './memo.ts';
import { type LevelOperand, operandsOn } from './ordinary-view.ts';
import { queryOfParts } from './query-of-parts.ts';
import type { SearchTargets } from './target-lookup.ts';

/** Lookups of the query, and the circumstances in which it is checked. */
interface Context extends LevelReader {
  readonly targets: (clause: Clause) => SearchTargets;
  readonly schema: Schema;
  readonly engine: Engine;
  /** The fields that a clause of the level searches when it names none. */
  readonly searched: (level: QueryLevel) => readonly Field[];
}

/**
 * A test whether the server takes the operators of a level otherwise than a
 * person does. Where the form of the level allows it, sample logs are tried; if
 * none proves it, the first small levels of a query are compared.
 */
export function readingComparison(context: Context): (level: QueryLevel) => boolean {
  const hasCounterexample = counterexampleFinder(context);
  let compared = 0;
  return memoize(differ);

  function differ(level: QueryLevel): boolean {
    if (!level.sound || isUnambiguous(level) || !differByForm(level)) return false;
    if (longestCompared < lengthOf(level) || hasCounterexample(level)) return true;
    // A difference inside makes the level differ too, but for chance, which takes long to find out.
    if (level.members.some(differInside)) return true;
    compared += 1;
    return mostCompared < compared || !agree(level, context);
  }

  function differInside({ clauses: [{ item }] }: LevelMember): boolean {
    if (item.kind !== 'Group') return false;
    const inner = context.level(item);
    return differ(inner) || inner.members.some(differInside);
  }
}

/** Returns whether a level has AND alone, or neither AND, NOT nor plus. Both readings are then the same. */
function isUnambiguous({ members, counts: { ands, nots, pluses } }: QueryLevel): boolean {
  return ands === members.length - 1 || ands + nots + pluses === 0;
}

function differByForm(level: QueryLevel): boolean {
  const operands = operandsOn(level);
  const joined = countJoined(operands);
  const { must: required, should: optional } = level.counts;
  // A person requires all that AND joins, and any of alternatives.
  if (joined === operands.length - 1) return 0 < required ? 0 < optional : 1 < optional;
  return 0 < joined || operands.some(({ modifier }) => modifier !== undefined);
}

/** The number of operands that a person joins with the one before. */
function countJoined(operands: readonly LevelOperand[]): number {
  let joined = 0;
  for (let place = 1; place < operands.length; place += 1) {
    const operand = operands[place];
    if (operand && joinsByAnd(operand, 'or')) joined += 1;
  }
  return joined;
}

/** In UTF-16 units, more than people write: the time of a comparison grows fast with the level. */
const longestCompared = 1000;

/** The most levels of a query that are compared, at about a millisecond each. */
const mostCompared = 30;

function lengthOf({ parts }: QueryLevel): number {
  return (parts.at(-1)?.to ?? 0) - (parts[0]?.from ?? 0);
}

function agree(level: QueryLevel, context: Context): boolean {
  const { schema, engine, now } = context;
  const alone = { fields: schema.fields, defaults: fieldsToCompare(level, context) };
  const filter = (reading: Reading) =>
    resolve(queryOfParts(level.parts), { schema: alone, reading, now, engine });
  return areSame(filter('server'), filter('ordinary'));
}

/** The fields that a comparison needs: one stands for all text fields that no clause names, which takes less time. */
function fieldsToCompare(level: QueryLevel, { searched, targets }: Context): readonly Field[] {
  const fields = searched(level);
  const named = new Set<Field>();
  collect(level.parts);
  const unnamed = fields.find((field) => field.type === 'text' && !named.has(field));
  return fields.filter((field) => field === unnamed || field.type !== 'text' || named.has(field));

  function collect(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const own = part.field ? targets(part).fields : noFields;
      // A name that stands for no field may be `_exists_`, which asks about any.
      for (const field of part.field && own.length === 0 ? fields : own) named.add(field);
      if (part.item.kind === 'Group') collect(part.item.parts);
    }
  }
}

const noFields: readonly Field[] = [];
