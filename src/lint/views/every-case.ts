import type { Clause } from '../../language/tree.ts';
import { type NeedReader, needOf } from './need.ts';
import { sayingOf } from './sayings.ts';
import {
  always,
  and,
  combinations,
  hasOrNot,
  never,
  type SomeLogs,
  type Truths,
  unclear,
} from './some-logs.ts';
import type { Sought } from './target-lookup.ts';

/** A lot has every choice of so many things. */
const inOneLot = combinations.length;

/** What clauses are to all logs that there can be, in lots of 16. */
export interface EveryCase {
  /** What they are to the logs of one lot. */
  readonly inLot: (lot: number) => SomeLogs;
  /** How many lots there are, for all that has been asked for. */
  readonly lots: () => number;
}

/**
 * Every choice of what asks for different things; what asks for the same
 * matches the same logs. Of two things that are alike in all of these cases it
 * is proved that they are. Not every case can be a log, so of two that are not
 * alike nothing is known.
 */
export function everyCase(reader: NeedReader): EveryCase {
  const known = new Map<string, number>();
  return {
    inLot: (lot) => (clause, sought) => truthsOf(clause, sought, lot),
    lots: () => 2 ** Math.max(0, known.size - inOneLot),
  };

  function truthsOf(clause: Clause, sought: Sought, lot: number): Truths {
    const need = needOf(clause, sought, reader);
    // A word that may be a value too asks for less beside other words.
    if ('values' in need && 0 < need.values.length) return unclear;
    const saying = sayingOf(clause, sought, reader.terms);
    if (saying === '') return unclear;
    const whole = logsThat(sought, saying, lot);
    // A text with a phrase has its words.
    return need.kind === 'all'
      ? need.terms.reduce((all, term) => and(all, logsThat(sought, term, lot)), whole)
      : whole;
  }

  function logsThat({ named }: Sought, saying: string | number, lot: number): Truths {
    const key = JSON.stringify([named, saying]);
    const place = known.get(key) ?? known.size;
    known.set(key, place);
    const logs = combinations[place];
    if (logs !== undefined) return hasOrNot(logs);
    return (lot >>> (place - inOneLot)) & 1 ? always : never;
  }
}
