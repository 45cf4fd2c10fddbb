import type { Group, Query } from '../../language/tree.ts';
import { joinsByAnd } from '../../meaning/ordinary.ts';
import { everyCase } from './every-case.ts';
import type { Level } from './level.ts';
import type { NeedReader } from './need.ts';
import { type Operand, operandsOn } from './ordinary-view.ts';
import { recentAnswers } from './recent-answers.ts';
import { always, and, never, not, or, type SomeLogs, someLogs, type Truths, unclear } from './some-logs.ts';

/** What there is to ask about a query. */
export interface LevelReader extends NeedReader {
  readonly level: (node: Query | Group) => Level;
}

/** Decides something about the operators of a level. */
export type Decision = (level: Level) => boolean;

/** So many lots of logs are tried; a level that needs more is left to a real comparison. */
const mostLots = 8;

/**
 * Looks for a log that the server and a person take otherwise because of the
 * operators of a level, among some with the words and the values of a query. On
 * nearly all levels one of the first lot will do.
 */
export function witnessFor(reader: LevelReader): Decision {
  const lots: Decision[] = [];
  return (level) => {
    for (let lot = 0; lot < mostLots; lot += 1) {
      lots[lot] ??= readingsOf(someLogs(lot, reader), reader, isAnyApart);
      if (lots[lot]?.(level)) return true;
    }
    return false;
  };
}

/**
 * Looks at every case that there can be of what the clauses of a level match.
 * Where the server and a person always take it alike, they read the same. A
 * level with more than a few different clauses is left to a real comparison.
 */
export function areAlikeAlways(level: Level, reader: LevelReader): boolean {
  const cases = everyCase(reader);
  for (let lot = 0; lot < cases.lots(); lot += 1) {
    if (mostLots < cases.lots()) return false;
    if (!readingsOf(cases.inLot(lot), reader, areAllAlike)(level)) return false;
  }
  return true;
}

/** Whether a log is surely taken otherwise by one than by the other. */
function isAnyApart(server: Truths, person: Truths): boolean {
  return (and(server, not(person)) | and(person, not(server))) >>> 16 !== 0;
}

/** Whether every log is surely taken alike. */
function areAllAlike(server: Truths, person: Truths): boolean {
  return (and(server, person) | and(not(server), not(person))) >>> 16 === 0xffff;
}

/** Holds the two readings of a level against each other, for some logs. The groups on it count as the server takes them. */
function readingsOf(
  truthsOfClause: SomeLogs,
  reader: LevelReader,
  decide: (server: Truths, person: Truths) => boolean,
): Decision {
  const { level } = reader;
  // Of a level inside another one they are asked for again.
  const truthsOn = recentAnswers(({ members }: Level) => members.map(truthsOf));
  return (asked) => {
    const truths = truthsOn(asked);
    const operands = operandsOn(asked);
    const truthsOfOperands = operands === asked.members ? truths : operands.map(truthsOf);
    return decide(serverTruths(asked, truths), personTruths(operands, truthsOfOperands));
  };

  function truthsOf({ clauses, sought }: Operand): Truths {
    const [first, second] = clauses;
    if (first.item.kind === 'Group') {
      const inner = level(first.item);
      return serverTruths(inner, truthsOn(inner));
    }
    if (!second) return truthsOfClause(first, sought);
    // As a value several words side by side are one.
    if (!sought.hasText) return unclear;
    return clauses.reduce((any, clause) => or(any, truthsOfClause(clause, sought)), never);
  }
}

/** What a person takes a level to be: the operands between two ORs must all match. */
function personTruths(operands: readonly Operand[], truths: readonly Truths[]): Truths {
  let any = never;
  let all: Truths | undefined;
  for (let place = 0; place < operands.length; place += 1) {
    const operand = operands[place];
    if (!operand) continue;
    if (!joinsByAnd(operand, 'or')) {
      any = or(any, all ?? never);
      all = undefined;
    }
    if (isEmpty(operand)) continue;
    const own = truths[place] ?? unclear;
    all = and(all ?? always, operand.modifier === 'not' ? not(own) : own);
  }
  return or(any, all ?? never);
}

/** Whether nothing is left of a group; then it is no clause to anybody. */
function isEmpty({ clauses: [{ item }], kept }: Operand): boolean {
  return item.kind === 'Group' && !kept;
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
