import { joinsByAnd } from '../meaning/ordinary-reading.ts';
import type { Group, Query } from '../parse/tree.ts';
import type { QueryLevel } from './level.ts';
import { memoize } from './memo.ts';
import type { NeedReader } from './need.ts';
import { type LevelOperand, operandsOn } from './ordinary-view.ts';
import {
  allLogs,
  andTruths,
  noLogs,
  notTruths,
  orTruths,
  type SampleLogs,
  sampleLogBatch,
  type Truths,
  unknownLogs,
} from './sample-logs.ts';

/** Lookups of a query that its levels are evaluated with. */
export interface LevelReader extends NeedReader {
  readonly level: (node: Query | Group) => QueryLevel;
}

/** Decides something about the operators of a level. */
export type LevelTest = (level: QueryLevel) => boolean;

/** Batches of sample logs that are tried; a level that needs more is left to `compare`. */
const mostBatches = 8;

/**
 * A search for a log that the server selects and a person would not, or the
 * reverse, because of the operators of a level. It tries sample logs with the
 * words and values of the query; on nearly all levels the first batch has one.
 */
export function counterexampleFinder(reader: LevelReader): LevelTest {
  const testOf = memoize((batch: number) => differsInBatch(sampleLogBatch(batch, reader), reader));
  return (level) => {
    for (let batch = 0; batch < mostBatches; batch += 1) if (testOf(batch)(level)) return true;
    return false;
  };
}

/** Compares the two readings of a level for one batch of logs. Groups on it count as the server reads them. */
function differsInBatch(truthsOfClause: SampleLogs, { level }: LevelReader): LevelTest {
  // A group is evaluated again for each level around it.
  const ofServer = memoize((asked: QueryLevel): Truths => serverTruths(asked, asked.members.map(truthsOf)));
  return (asked) => {
    const server = ofServer(asked);
    const operands = operandsOn(asked);
    const person = personTruths(operands, operands.map(truthsOf));
    return (andTruths(server, notTruths(person)) | andTruths(person, notTruths(server))) >>> 16 !== 0;
  };

  function truthsOf({ clauses, searchTargets }: LevelOperand): Truths {
    const [first, second] = clauses;
    if (first.item.kind === 'Group') return ofServer(level(first.item));
    if (!second) return truthsOfClause(first, searchTargets);
    // Several words side by side are one value.
    if (!searchTargets.hasText) return unknownLogs;
    return clauses.map((clause) => truthsOfClause(clause, searchTargets)).reduce(orTruths, noLogs);
  }
}

/** The truths of a level as a person reads it: the operands between two ORs must all match. */
function personTruths(operands: readonly LevelOperand[], truths: readonly Truths[]): Truths {
  let any = noLogs;
  let all: Truths | undefined;
  for (const [place, operand] of operands.entries()) {
    if (!joinsByAnd(operand, 'or')) {
      any = orTruths(any, all ?? noLogs);
      all = undefined;
    }
    if (isEmptyGroup(operand)) continue;
    const own = truths[place] ?? unknownLogs;
    all = andTruths(all ?? allLogs, operand.modifier === 'not' ? notTruths(own) : own);
  }
  return orTruths(any, all ?? noLogs);
}

/** Returns whether analysis leaves nothing of a group; neither reading has a clause for it. */
function isEmptyGroup({ clauses: [{ item }], kept }: LevelOperand): boolean {
  return item.kind === 'Group' && !kept;
}

/** The truths of a level as the server reads it. */
function serverTruths({ members, counts: { must, should } }: QueryLevel, truths: readonly Truths[]): Truths {
  const isFilter = 0 < must || should === 0;
  let [wanted, excluded] = [isFilter ? allLogs : noLogs, noLogs];
  for (const [place, { occur }] of members.entries()) {
    const own = truths[place] ?? unknownLogs;
    if (occur === 'mustNot') excluded = orTruths(excluded, own);
    else if (occur === 'must') wanted = andTruths(wanted, own);
    else if (occur === 'should' && !isFilter) wanted = orTruths(wanted, own);
  }
  return andTruths(wanted, notTruths(excluded));
}
