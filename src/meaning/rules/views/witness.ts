import type { Clause, Group, Query } from '../../../language/tree.ts';
import type { Unit } from '../../clauses.ts';
import type { Level } from './level.ts';
import type { NeedReader } from './need.ts';
import type { Alternative } from './ordinary-view.ts';
import { always, and, never, not, or, type SomeLogs, someLogs, type Truths, unclear } from './some-logs.ts';

/** What there is to ask about a query. */
export interface LevelReader extends NeedReader {
  readonly level: (node: Query | Group) => Level;
}

/** Whether a log is found that the server and a person take otherwise because of the operators of a level. */
export type Witness = (level: Level, alternatives: readonly Alternative[]) => boolean;

/** So many lots of logs are tried; a level that needs more is left to a real comparison. */
const mostLots = 8;

/**
 * Looks for such logs among some with the words and the values of a query. On
 * nearly all levels one of the first lot will do. The groups on a level count
 * as the server takes them.
 */
export function witnessFor(reader: LevelReader): Witness {
  const { level } = reader;
  const lots: SomeLogs[] = [];
  return (asked, alternatives) => {
    for (let lot = 0; lot < mostLots; lot += 1) {
      lots[lot] ??= someLogs(lot, reader);
      const truthOf = lots[lot];
      if (truthOf && isOtherwise(asked, alternatives, truthOf)) return true;
    }
    return false;
  };

  function isOtherwise(asked: Level, alternatives: readonly Alternative[], truthOf: SomeLogs): boolean {
    const server = levelTruths(asked, truthOf);
    const person = alternativesTruths(alternatives, truthOf);
    return (and(server, not(person)) | and(person, not(server))) >>> 16 !== 0;
  }

  function levelTruths({ taken: { must, should, mustNot } }: Level, truthOf: SomeLogs): Truths {
    let excluded = never;
    for (const { clauses } of mustNot) excluded = or(excluded, unitTruths(clauses, truthOf));
    const isFilter = 0 < must.length || should.length === 0;
    let wanted = isFilter ? always : never;
    for (const { clauses } of isFilter ? must : should) {
      const truths = unitTruths(clauses, truthOf);
      wanted = isFilter ? and(wanted, truths) : or(wanted, truths);
    }
    return and(wanted, not(excluded));
  }

  function alternativesTruths(alternatives: readonly Alternative[], truthOf: SomeLogs): Truths {
    let any = never;
    for (const operands of alternatives) {
      let all: Truths | undefined;
      for (const { modifier, clauses } of operands) {
        if (isEmpty(clauses[0])) continue;
        const truths = unitTruths(clauses, truthOf);
        all = and(all ?? always, modifier === 'not' ? not(truths) : truths);
      }
      any = or(any, all ?? never);
    }
    return any;
  }

  /** Whether nothing is left of a group; then it is no clause to anybody. */
  function isEmpty({ item }: Clause): boolean {
    return item.kind === 'Group' && level(item).members.every(({ occur }) => occur === undefined);
  }

  function unitTruths(unit: Unit, truthOf: SomeLogs): Truths {
    const [first, second] = unit;
    if (first.item.kind === 'Group') return levelTruths(level(first.item), truthOf);
    // As a value several words side by side are one.
    if (second && !reader.targets(first).hasText) return unclear;
    let any = never;
    for (const clause of unit) {
      any = or(any, truthOf(clause));
    }
    return any;
  }
}
