import { print } from '../../../language/print.ts';
import type { Clause, Group, Part, Query } from '../../../language/tree.ts';
import type { Dialect } from '../../dialect.ts';
import type { Field, Schema } from '../../fields.ts';
import type { Filter } from '../../filter.ts';
import { type Targets, targetsOf } from '../../targets.ts';
import { type BareRange, bareRangesIn } from './bare-ranges.ts';
import { filterAlone } from './filter-alone.ts';
import { type Level, levelsOf } from './level.ts';
import { type Pasted, pastedIn } from './pasted.ts';
import { type QuotePair, quotePairsIn } from './quote-pairs.ts';
import { type Difference, differenceIn } from './readings.ts';
import { termsOf } from './terms.ts';
import { type Uncolonned, uncolonnedIn } from './uncolonned.ts';

/** What a query is looked at with. */
export interface Setting {
  readonly schema: Schema;
  readonly dialect: Dialect;
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
  readonly targets: (clause: Clause) => Targets;
  /** A list of clauses as the server takes it. */
  readonly level: (node: Query | Group) => Level;
  /** The fields that a clause of a level searches when it names none. */
  readonly searched: (level: Level) => readonly Field[];
  /** Whether the server takes the operators of a level otherwise than a person does. */
  readonly readingsDiffer: Difference;
  /** The tokens of a word or a phrase as text; none for anything else. */
  readonly terms: (clause: Clause) => readonly string[];
  /** What a clause alone stands for, whatever its operators; undefined when analysis leaves nothing of it. */
  readonly filter: (clause: Clause) => Filter | undefined;
  /** The unquoted value, cut apart by its own characters, that a part belongs to. */
  readonly pasted: (part: Part) => Pasted | undefined;
  /** The pair of quotes that do not quote around a part. */
  readonly quotePair: (part: Part) => QuotePair | undefined;
  /** The field without a colon, with its value, that a part belongs to. */
  readonly uncolonned: (part: Part) => Uncolonned | undefined;
  /** The range without brackets that a part belongs to. */
  readonly bareRange: (part: Part) => BareRange | undefined;
  /** Whether a part belongs to any of these: what the server makes of it alone is not the point. */
  readonly isMisread: (part: Part) => boolean;
}

/** A view of a query. */
export function viewOf(query: Query, setting: Setting): QueryView {
  const targets = once(() => targetsOf(query, setting.schema));
  const pasted = once(() => pastedIn(query, setting.schema));
  const quotePairs = once(() => quotePairsIn(query));
  const uncolonned = once(() => uncolonnedIn(query, setting.schema));
  const bareRanges = once(() => bareRangesIn(query));
  const misread = (part: Part) =>
    pasted().get(part) ?? quotePairs().get(part) ?? uncolonned().get(part) ?? bareRanges().get(part);
  const targetsFor = (clause: Clause): Targets =>
    targets().get(clause) ?? { named: undefined, fields: setting.schema.defaults };
  const filter = perNode((clause: Clause) => filterAlone(clause, targetsFor(clause).fields, setting));
  const searched = ({ node }: Level): readonly Field[] => {
    const bare = node.parts.find((part) => part.kind === 'Clause' && !part.field);
    return bare?.kind === 'Clause' ? targetsFor(bare).fields : setting.schema.defaults;
  };
  return {
    ...setting,
    query,
    text: once(() => print(query)),
    targets: targetsFor,
    level: levelsOf({
      isSearched: (clause) => filter(clause) !== undefined,
      isUnsettled: (part) =>
        part.kind === 'Stray' || part.item.kind === 'Missing' || 1 < (misread(part)?.parts.length ?? 0),
    }),
    searched,
    readingsDiffer: differenceIn({ ...setting, searched }),
    terms: perNode(({ item }: Clause) => termsOf(item)),
    filter,
    pasted: (part) => pasted().get(part),
    quotePair: (part) => quotePairs().get(part),
    uncolonned: (part) => uncolonned().get(part),
    bareRange: (part) => bareRanges().get(part),
    isMisread: (part) => misread(part) !== undefined,
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function perNode<N extends object, T>(make: (node: N) => T): (node: N) => T {
  const made = new Map<N, T>();
  return (node) => {
    const known = made.get(node);
    if (known !== undefined || made.has(node)) return known as T;
    const value = make(node);
    made.set(node, value);
    return value;
  };
}
