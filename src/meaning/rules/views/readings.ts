import { operatorsOf, type Reading, unitsOf } from '../../clauses.ts';
import { compare } from '../../compare/compare.ts';
import type { Field, Schema } from '../../fields.ts';
import { alternativesOf } from '../../ordinary.ts';
import { resolve } from '../../resolve.ts';
import { type Level, taken } from './level.ts';
import { queryOf } from './query-of.ts';

/** Decides of the levels of one query whether the server takes their operators otherwise than a person does. */
export type Difference = (level: Level) => boolean;

/** What small levels are compared under. */
interface Comparing {
  readonly schema: Schema;
  readonly now: number;
  /** The fields that a clause of the level searches when it names none. */
  readonly searched: (level: Level) => readonly Field[];
}

/**
 * Tells by the form of a level whether the two readings differ. Where its parts
 * say the same twice they may agree all the same: small levels, and of those
 * the first ones of a query, are decided by comparison.
 */
export function differenceIn(comparing: Comparing): Difference {
  const decided = new Map<Level, boolean>();
  return (level) => {
    const known = decided.get(level);
    if (known !== undefined) return known;
    const byForm = level.sound && differByForm(level);
    const differs = byForm && !(decided.size < mostCompared && agree(level, comparing));
    if (byForm) decided.set(level, differs);
    return differs;
  };
}

function differByForm(level: Level): boolean {
  const joined = level.members.slice(1);
  const ands = joined.filter(({ conjunction }) => conjunction === 'and').length;
  // A list of nothing but AND is read alike, and so is one without AND and NOT.
  if (ands === joined.length || (ands === 0 && level.members.every(({ modifier }) => !modifier)))
    return false;
  const [required, optional] = [taken(level, 'must').length, taken(level, 'should').length];
  const operands = unitsOf(level.parts, 'ordinary').map(([first]) => operatorsOf(first));
  const alternatives = alternativesOf(operands, 'or');
  // Of one alternative everything is meant to be required, of several anything is enough.
  if (alternatives.length === 1) return 0 < required ? 0 < optional : 1 < optional;
  return alternatives.some((members) => 1 < members.length || members[0]?.modifier !== undefined);
}

/** Comparing takes time that grows fast with the level; so many UTF-16 units are more than people write. */
const longestCompared = 1000;

/** So many levels of a query are compared; it takes about a millisecond each. */
const mostCompared = 100;

function agree(level: Level, { schema, now, searched }: Comparing): boolean {
  const { parts } = level;
  if (longestCompared < (parts.at(-1)?.to ?? 0) - (parts[0]?.from ?? 0)) return false;
  const alone = { fields: schema.fields, defaults: searched(level) };
  const filter = (reading: Reading) => resolve(queryOf(parts), { schema: alone, reading, now });
  return compare(filter('server'), filter('ordinary')).same === true;
}
