import { type Engine, engines } from '../../language/engine.ts';
import { print } from '../../language/print.ts';
import type { Clause, Group, Item, Query } from '../../language/tree.ts';
import type { Dialect } from '../../meaning/dialect.ts';
import type { Field, Schema } from '../../meaning/fields.ts';
import { fieldFilterOf } from './field-filter-of.ts';
import { type Level, levelsOf } from './level.ts';
import { misreadsOn } from './misread.ts';
import { type PatternRefusal, patternRefusals } from './pattern-refusal.ts';
import { type Difference, differenceIn } from './readings.ts';
import { type Repetition, repetitionLookup } from './repetitions.ts';
import { type Sought, targetLookup } from './target-lookup.ts';
import { termLookup } from './terms.ts';

/** What a query is looked at with. */
export interface Setting {
  readonly schema: Schema;
  readonly dialect: Dialect;
  readonly engine: Engine;
  /** What `now` means in a date, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * A query as the rules look at it. Everything is found out when it is first
 * asked for, and once.
 */
export interface QueryView extends Setting {
  readonly query: Query;
  /** The text that the tree was made of. */
  readonly text: () => string;
  /** What a clause searches. */
  readonly targets: (clause: Clause) => Sought;
  /** A list of clauses as the server takes it. */
  readonly level: (node: Query | Group) => Level;
  /** The fields that a clause of a level searches when it names none. */
  readonly searched: (level: Level) => readonly Field[];
  /** Whether the server takes the operators of a level otherwise than a person does. */
  readonly readingsDiffer: Difference;
  /** The tokens of a word or a phrase as text; none for anything else. */
  readonly terms: (clause: Clause) => readonly string[];
  /** Which clauses of a level ask for the same, as far as that can be told. */
  readonly repetitions: (level: Level) => readonly Repetition[];
  /** Why the engine refuses a pattern, or undefined when it runs it. */
  readonly patternRefusal: PatternRefusal;
}

/** A view of a query. */
export function viewOf(query: Query, setting: Setting): QueryView {
  const targets = targetLookup(query, setting.schema, setting.engine);
  const terms = termLookup();
  const level = levelsOf({
    targets,
    isSearched: (clause) => isSearched(clause.item, targets(clause).fields),
    misreads: (parts) => misreadsOn(parts, setting.schema),
  });
  const searched = ({ parts }: Level): readonly Field[] => {
    const bare = parts.find((part) => part.kind === 'Clause' && !part.field);
    return bare?.kind === 'Clause' ? targets(bare).fields : setting.schema.defaults;
  };
  const { schema, dialect, engine, now } = setting;
  const text = once(() => print(query));
  let readingsDiffer: Difference | undefined;
  let patternRefusal: PatternRefusal | undefined;
  // Each member is named: spreading an object here takes longer than most rules do. What few queries need is made when it is asked for.
  return {
    schema,
    dialect,
    engine,
    now,
    query,
    text,
    targets,
    level,
    searched,
    readingsDiffer: (asked) => {
      readingsDiffer ??= differenceIn({ schema, engine, now, searched, targets, terms, level });
      return readingsDiffer(asked);
    },
    terms,
    repetitions: repetitionLookup({ terms, text }),
    patternRefusal: (item, fields) => {
      patternRefusal ??= patternRefusals();
      return patternRefusal(item, fields);
    },
  };
}

/** Whether analysis leaves something of an item in one of the fields, or there is no field in which it could. */
function isSearched(item: Item, fields: readonly Field[]): boolean {
  if (fields.length === 0) return true;
  const filterFor = fieldFilterOf(item);
  const context = { defaultOperator: 'or', now: 0, engine: engines.deployment } as const;
  return fields.some((field) => filterFor?.(field, context) !== undefined);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
