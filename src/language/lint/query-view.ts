import type { Dialect } from '../meaning/dialect.ts';
import type { Field, Schema } from '../meaning/fields.ts';
import { type Engine, engines } from '../parse/engine.ts';
import { print } from '../parse/print.ts';
import type { Clause, Group, Item, Query } from '../parse/tree.ts';
import { itemFilter } from './item-filter.ts';
import { levelsOf, type QueryLevel } from './level.ts';
import { memoize } from './memo.ts';
import { type PatternRefusal, patternRefusals } from './pattern-refusal.ts';
import { readingComparison } from './readings.ts';
import { type RepeatedClauses, repetitionLookup } from './repetitions.ts';
import { splitConstructsOn } from './split-construct.ts';
import { type SearchTargets, targetLookup } from './target-lookup.ts';
import { isOneToken, termLookup } from './terms.ts';

/** The circumstances in which a query is checked. */
export interface QueryContext {
  readonly schema: Schema;
  readonly dialect: Dialect;
  readonly engine: Engine;
  /** The value of `now` in a date, in milliseconds since the epoch. */
  readonly now: number;
}

/** A query as the rules inspect it. Each answer is computed when it is first asked for, and once. */
export interface QueryView extends QueryContext {
  readonly query: Query;
  /** The text of the query. */
  readonly text: () => string;
  /** The fields that a clause searches. */
  readonly targets: (clause: Clause) => SearchTargets;
  /** A list of clauses as the server reads it. */
  readonly level: (node: Query | Group) => QueryLevel;
  /** The fields that a clause of a level searches when it names none. */
  readonly searched: (level: QueryLevel) => readonly Field[];
  /** True if the server takes the operators of a level otherwise than a person does. */
  readonly readingsDiffer: (level: QueryLevel) => boolean;
  /** The tokens of a word or a phrase as text; none for any other item. */
  readonly terms: (clause: Clause) => readonly string[];
  /** The clauses of a level that ask for the same, as far as their signatures show it. */
  readonly repetitions: (level: QueryLevel) => readonly RepeatedClauses[];
  /** The reason why the engine refuses a pattern, or undefined when it runs it. */
  readonly patternRefusal: PatternRefusal;
}

/** A view of a query. */
export function viewOf(query: Query, setting: QueryContext): QueryView {
  const { schema, engine, now } = setting;
  const printed = memoize(print);
  const text = () => printed(query);
  const targets = targetLookup(query, schema, engine);
  const terms = termLookup();
  const level = levelsOf({
    targets,
    isSearched: (clause) => isSearched(clause.item, targets(clause).fields),
    constructs: (parts) => splitConstructsOn(parts, schema),
  });
  const searched = ({ parts }: QueryLevel): readonly Field[] => {
    const bare = parts.find((part) => part.kind === 'Clause' && !part.field);
    return bare?.kind === 'Clause' ? targets(bare).fields : schema.defaults;
  };
  return {
    ...setting,
    query,
    text,
    targets,
    level,
    searched,
    readingsDiffer: readingComparison({ schema, engine, now, searched, targets, terms, level }),
    terms,
    repetitions: repetitionLookup({ terms, text }),
    patternRefusal: patternRefusals(),
  };
}

/** Returns whether analysis leaves something of an item in one of the fields, or there is no field in which it could. */
function isSearched(item: Item, fields: readonly Field[]): boolean {
  if (fields.length === 0 || (item.kind === 'Word' && isOneToken(item.term.text))) return true;
  // Analysing a long phrase for each field takes long, and its first letter is enough.
  if (item.kind === 'Phrase' && /^"[A-Za-z0-9]/.test(item.term.text)) return true;
  const filterFor = itemFilter(item);
  const context = { defaultOperator: 'or', now: 0, engine: engines.deployment } as const;
  return fields.some((field) => filterFor?.(field, context) !== undefined);
}
