import type { Reading } from '../../clauses.ts';
import { compare } from '../../compare/compare.ts';
import type { Field, Schema } from '../../fields.ts';
import { resolve } from '../../resolve.ts';
import { areIndependent } from './independent.ts';
import type { Level } from './level.ts';
import { type NeedReader, needLookup } from './need.ts';
import { type Alternative, alternativesOn } from './ordinary-view.ts';
import { queryOf } from './query-of.ts';
import { isToldApart, type LevelReader } from './witness.ts';

/** Decides of the levels of one query whether the server takes their operators otherwise than a person does. */
export type Difference = (level: Level) => boolean;

/** What is known about the query. */
interface Context extends NeedReader {
  readonly level: LevelReader['level'];
  readonly schema: Schema;
  /** The fields that a clause of the level searches when it names none. */
  readonly searched: (level: Level) => readonly Field[];
}

/**
 * Tells by the form of a level whether the two readings differ. Where its
 * clauses have something in common they may agree all the same, so a log is
 * looked for that tells them apart; if none comes to hand, small levels, and of
 * those the first ones of a query, are compared.
 */
export function differenceIn(context: Context): Difference {
  let decided: Map<Level, boolean> | undefined;
  const reader: LevelReader = { level: context.level, need: needLookup(context) };
  let compared = 0;
  return (level) => {
    if (!level.sound || isPure(level)) return false;
    const known = decided?.get(level);
    if (known !== undefined) return known;
    decided ??= new Map();
    const alternatives = alternativesOn(level);
    if (!differByForm(level, alternatives)) {
      decided.set(level, false);
      return false;
    }
    const isSmall = lengthOf(level) <= longestCompared;
    let differs = !isSmall || areIndependent(level.parts, reader) || isToldApart(level, alternatives, reader);
    if (!differs) {
      differs = mostCompared <= compared || !agree(level, context);
      compared += 1;
    }
    decided.set(level, differs);
    return differs;
  };
}

/** Whether a level is a list of nothing but AND, or one without AND and NOT, which are read alike. */
function isPure({ members, ands, nots, pluses }: Level): boolean {
  return ands === members.length - 1 || ands + nots + pluses === 0;
}

function differByForm({ taken }: Level, alternatives: readonly Alternative[]): boolean {
  const [required, optional] = [taken.must.length, taken.should.length];
  // Of one alternative everything is meant to be required, of several anything is enough.
  if (alternatives.length === 1) return 0 < required ? 0 < optional : 1 < optional;
  return alternatives.some((members) => 1 < members.length || members[0]?.modifier !== undefined);
}

/** Comparing takes time that grows fast with the level; so many UTF-16 units are more than people write. */
const longestCompared = 1000;

/** So many levels of a query are compared; it takes about a millisecond each. */
const mostCompared = 100;

function lengthOf({ parts }: Level): number {
  return (parts.at(-1)?.to ?? 0) - (parts[0]?.from ?? 0);
}

function agree(level: Level, { schema, now, searched }: Context): boolean {
  const alone = { fields: schema.fields, defaults: searched(level) };
  const filter = (reading: Reading) => resolve(queryOf(level.parts), { schema: alone, reading, now });
  return compare(filter('server'), filter('ordinary')).same === true;
}
