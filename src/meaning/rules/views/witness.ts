import type { Clause, Group, Query } from '../../../language/tree.ts';
import type { Unit } from '../../clauses.ts';
import { joinsByAnd } from '../../ordinary.ts';
import type { Level } from './level.ts';
import type { NeedReader } from './need.ts';
import { type Operand, operandsOn } from './ordinary-view.ts';
import { recentAnswers } from './recent-answers.ts';
import { always, and, never, not, or, someLogs, type Truths, unclear } from './some-logs.ts';
import type { Sought } from './target-lookup.ts';

/** What there is to ask about a query. */
export interface LevelReader extends NeedReader {
  readonly targets: (clause: Clause) => Sought;
  readonly level: (node: Query | Group) => Level;
}

/** Whether a log is found that the server and a person take otherwise because of the operators of a level. */
export type Witness = (level: Level) => boolean;

/** So many lots of logs are tried; a level that needs more is left to a real comparison. */
const mostLots = 8;

/**
 * Looks for such logs among some with the words and the values of a query. On
 * nearly all levels one of the first lot will do.
 */
export function witnessFor(reader: LevelReader): Witness {
  const lots: Witness[] = [];
  return (level) => {
    for (let lot = 0; lot < mostLots; lot += 1) {
      lots[lot] ??= witnessAmong(lot, reader);
      if (lots[lot]?.(level)) return true;
    }
    return false;
  };
}

/** Looks for such logs in one lot. The groups on a level count as the server takes them. */
function witnessAmong(lot: number, reader: LevelReader): Witness {
  const { level } = reader;
  const truthsOfClause = someLogs(lot, reader);
  // Of a level inside another one they are asked for again.
  const truthsOn = recentAnswers(({ members }: Level) => members.map(truthsOf));
  return (asked) => {
    const truths = truthsOn(asked);
    const server = serverTruths(asked, truths);
    const operands = operandsOn(asked);
    const person = personTruths(operands, operands === asked.members ? truths : operands.map(truthsOf));
    return (and(server, not(person)) | and(person, not(server))) >>> 16 !== 0;
  };

  function truthsOf({ clauses }: { readonly clauses: Unit }): Truths {
    const [first, second] = clauses;
    if (first.item.kind === 'Group') {
      const inner = level(first.item);
      return serverTruths(inner, truthsOn(inner));
    }
    const sought = reader.targets(first);
    if (!second) return truthsOfClause(first, sought);
    // As a value several words side by side are one.
    if (!sought.hasText) return unclear;
    return clauses.reduce((any, clause) => or(any, truthsOfClause(clause, sought)), never);
  }

  /** What a person takes a level to be: the operands between two ORs must all match. */
  function personTruths(operands: readonly Operand[], truths: readonly Truths[]): Truths {
    let any = never;
    let all: Truths | undefined;
    let place = -1;
    for (const operand of operands) {
      place += 1;
      if (!joinsByAnd(operand, 'or')) {
        any = or(any, all ?? never);
        all = undefined;
      }
      if (isEmpty(operand.clauses[0])) continue;
      const own = truths[place] ?? unclear;
      all = and(all ?? always, operand.modifier === 'not' ? not(own) : own);
    }
    return or(any, all ?? never);
  }

  /** Whether nothing is left of a group; then it is no clause to anybody. */
  function isEmpty({ item }: Clause): boolean {
    return item.kind === 'Group' && level(item).members.every(({ occur }) => occur === undefined);
  }
}

/** What the server takes a level to be. */
function serverTruths({ members, counts: { must, should } }: Level, truths: readonly Truths[]): Truths {
  const isFilter = 0 < must || should === 0;
  let [wanted, excluded] = [isFilter ? always : never, never];
  for (let place = 0; place < members.length; place += 1) {
    const own = truths[place] ?? unclear;
    const occur = members[place]?.occur;
    if (occur === 'mustNot') excluded = or(excluded, own);
    else if (occur === 'must') wanted = and(wanted, own);
    else if (occur === 'should' && !isFilter) wanted = or(wanted, own);
  }
  return and(wanted, not(excluded));
}
