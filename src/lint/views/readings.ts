import type { Engine } from '../../language/engine.ts';
import type { Clause, Part } from '../../language/tree.ts';
import { areSame } from '../../logic/compare/compare.ts';
import type { Reading } from '../../meaning/clauses.ts';
import type { Field, Schema } from '../../meaning/fields.ts';
import { joinsByAnd } from '../../meaning/ordinary.ts';
import { resolve } from '../../meaning/resolve.ts';
import { lastAnswer } from './last-answer.ts';
import type { Level, Member } from './level.ts';
import { type Operand, operandsOn } from './ordinary-view.ts';
import { queryOf } from './query-of.ts';
import type { Sought } from './target-lookup.ts';
import { areAlikeAlways, type LevelReader, witnessFor } from './witness.ts';

/** Decides of the levels of one query whether the server takes their operators otherwise than a person does. */
export type Difference = (level: Level) => boolean;

/** What is known about the query. */
interface Context extends LevelReader {
  readonly targets: (clause: Clause) => Sought;
  readonly schema: Schema;
  readonly engine: Engine;
  /** The fields that a clause of the level searches when it names none. */
  readonly searched: (level: Level) => readonly Field[];
}

/**
 * Tells by the form of a level whether the two readings differ. They may agree
 * all the same, so a log is looked for that tells them apart; if none comes to
 * hand, small levels, and of those the first ones of a query, are compared.
 */
export function differenceIn(context: Context): Difference {
  const isToldApart = witnessFor(context);
  let compared = 0;
  return lastAnswer(differ);

  function differ(level: Level): boolean {
    if (!level.sound || isPure(level)) return false;
    if (!differByForm(level)) return false;
    if (longestCompared < lengthOf(level) || isToldApart(level)) return true;
    // Then the level as a whole is taken otherwise too, but for chance, which takes long to find out.
    if (level.members.some(differInside)) return true;
    compared += 1;
    return mostCompared < compared || !agree(level, context);
  }

  function differInside({ clauses: [{ item }] }: Member): boolean {
    if (item.kind !== 'Group') return false;
    const inner = context.level(item);
    return differ(inner) || inner.members.some(differInside);
  }
}

/** Whether a level is a list of nothing but AND, or one without AND and NOT, which are read alike. */
function isPure({ members, counts: { ands, nots, pluses } }: Level): boolean {
  return ands === members.length - 1 || ands + nots + pluses === 0;
}

function differByForm(level: Level): boolean {
  const operands = operandsOn(level);
  const joined = countJoined(operands);
  const { must: required, should: optional } = level.counts;
  // Of what AND joins everything is meant to be required, of alternatives anything is enough.
  if (joined === operands.length - 1) return 0 < required ? 0 < optional : 1 < optional;
  return 0 < joined || operands.some(({ modifier }) => modifier !== undefined);
}

/** How many operands a person takes together with the one before. */
function countJoined(operands: readonly Operand[]): number {
  let joined = 0;
  for (let place = 1; place < operands.length; place += 1) {
    const operand = operands[place];
    if (operand && joinsByAnd(operand, 'or')) joined += 1;
  }
  return joined;
}

/** Comparing takes time that grows fast with the level; so many UTF-16 units are more than people write. */
const longestCompared = 1000;

/** So many levels of a query are compared; it takes about a millisecond each. */
const mostCompared = 30;

function lengthOf({ parts }: Level): number {
  return (parts.at(-1)?.to ?? 0) - (parts[0]?.from ?? 0);
}

function agree(level: Level, context: Context): boolean {
  if (isWhollySound(level, context) && areAlikeAlways(level, context)) return true;
  const { schema, engine, now } = context;
  const alone = { fields: schema.fields, defaults: telling(level, context) };
  const filter = (reading: Reading) => resolve(queryOf(level.parts), { schema: alone, reading, now, engine });
  return areSame(filter('server'), filter('ordinary'));
}

/** Whether a level and all inside it is sound: else nobody looked whether what is inside is read alike. */
function isWhollySound(level: Level, context: Context): boolean {
  if (!level.sound) return false;
  return level.members.every(
    ({ clauses: [{ item }] }) => item.kind !== 'Group' || isWhollySound(context.level(item), context),
  );
}

/** Of text fields that no clause names one is as good as all of them, and comparing takes less. */
function telling(level: Level, { searched, targets }: Context): readonly Field[] {
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
