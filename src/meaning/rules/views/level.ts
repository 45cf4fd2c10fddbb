import type { Clause, Group, Part, Query, Span } from '../../../language/tree.ts';
import { type Occur, type Operators, occursOf, operatorsOf, type Unit, unitsOf } from '../../clauses.ts';

/** What stands between two parentheses, or at the top, as the server takes it. */
export interface Level {
  /** The list that it was made of. */
  readonly parts: readonly Part[];
  readonly members: readonly Member[];
  /** Those members that are several words side by side. */
  readonly runs: readonly Member[];
  /** How many of the members are joined by AND and by OR to the one before, and how many are negated or have a plus. */
  readonly ands: number;
  readonly ors: number;
  readonly nots: number;
  readonly pluses: number;
  /** Those members that the server takes in a certain way. */
  readonly taken: Readonly<Record<Occur, readonly Member[]>>;
  /**
   * Whether nothing on it is missing or out of place, and no quotes that do not
   * quote stand around several parts: else it will be joined otherwise once it is mended.
   */
  readonly sound: boolean;
}

/** One clause of a level, or a run of plain words that the server takes as one. Its place begins behind the conjunction. */
export interface Member extends Operators, Span {
  readonly clauses: Unit;
  /** How the server takes it; undefined where analysis leaves nothing of it. */
  readonly occur: Occur | undefined;
}

/** What is known about the parts of a query. */
interface Parts {
  /** Whether analysis leaves something of a single clause. */
  readonly isSearched: (clause: Clause) => boolean;
  /** Whether it will not stay the part that it is. */
  readonly isUnsettled: (part: Part) => boolean;
}

/** The levels of one query, each looked at once. */
export function levelsOf({ isSearched, isUnsettled }: Parts): (node: Query | Group) => Level {
  let levels: Map<Query | Group, Level> | undefined;
  return levelOf;

  function levelOf(node: Query | Group): Level {
    const known = levels?.get(node);
    if (known) return known;
    const members = unitsOf(node.parts, 'server').map((unit) => memberOf(unit, isKept(unit)));
    const taken: Record<Occur, Member[]> = { must: [], should: [], mustNot: [] };
    for (const [index, occur] of occursOf(members, 'or').entries()) {
      const member = members[index];
      if (!member || !occur) continue;
      member.occur = occur;
      taken[occur].push(member);
    }
    const counts = countsOf(members);
    const level: Level = {
      parts: node.parts,
      members,
      runs: members.some(isRun) ? members.filter(isRun) : noRuns,
      taken,
      ands: counts.ands,
      ors: counts.ors,
      nots: counts.nots,
      pluses: counts.pluses,
      sound: !node.parts.some((part) => isUnsettled(part)),
    };
    levels ??= new Map();
    levels.set(node, level);
    return level;
  }

  function isKept(unit: Unit): boolean {
    return unit.some((clause) => {
      const { item } = clause;
      if (item.kind === 'Group') return levelOf(item).members.some(({ occur }) => occur !== undefined);
      // Looking a clause up takes long, and whatever begins with a letter or a digit leaves a token.
      return ('term' in item && /^"?[A-Za-z0-9]/.test(item.term.text)) || isSearched(clause);
    });
  }
}

/** A member of which it is not known yet how it is taken. */
type NewMember = Omit<Member, 'occur'> & { readonly kept: boolean; occur: Occur | undefined };

function memberOf(clauses: Unit, kept: boolean): NewMember {
  const [first] = clauses;
  const { conjunction, modifier } = operatorsOf(first);
  const [from, to] = [startOf(first), (clauses.at(-1) ?? first).to];
  return { conjunction, modifier, clauses, kept, occur: undefined, from, to };
}

const noRuns: readonly Member[] = [];

function isRun({ clauses }: Member): boolean {
  return 1 < clauses.length;
}

function countsOf(members: readonly Operators[]): Pick<Level, 'ands' | 'ors' | 'nots' | 'pluses'> {
  let [ands, ors, nots, pluses] = [0, 0, 0, 0];
  for (const { conjunction, modifier } of members) {
    if (conjunction === 'and') ands += 1;
    else if (conjunction === 'or') ors += 1;
    if (modifier === 'not') nots += 1;
    else if (modifier === 'required') pluses += 1;
  }
  return { ands, ors, nots, pluses };
}

/** Where a clause begins behind its conjunction. */
export function startOf({ modifier, field, item }: Clause): number {
  return (modifier ?? field ?? item).from;
}
