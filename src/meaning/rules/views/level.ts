import type { Clause, Group, Item, Part, Query, Span } from '../../../language/tree.ts';
import { type Occur, type Operators, occursOf, operatorsOf, type Unit, unitsOf } from '../../clauses.ts';

/** What stands between two parentheses, or at the top, as the server takes it. */
export interface Level extends Span {
  /** The list that it was made of. */
  readonly parts: readonly Part[];
  readonly members: readonly Member[];
  /** Those members that are several words side by side. */
  readonly runs: readonly Member[];
  /** Those members of which analysis might leave nothing; of all others it is plain that it does not. */
  readonly doubtful: readonly Member[];
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

/** So many levels are kept: they are asked about again soon, or not at all. */
const mostKept = 1000;

/** Tells of the levels of one query. */
export function levelsOf({ isSearched, isUnsettled }: Parts): (node: Query | Group) => Level {
  const levels = new Map<Query | Group, Level>();
  const isKept = keeping(isSearched);
  return (node) => {
    const known = levels.get(node);
    if (known) return known;
    if (levels.size === mostKept) levels.clear();
    const level = levelOf(node);
    levels.set(node, level);
    return level;
  };

  function levelOf({ from, to, parts }: Query | Group): Level {
    const members = unitsOf(parts, 'server').map((unit) => memberOf(unit, unit.some(isKept)));
    const { ands, ors, nots, pluses } = countsOf(members);
    return {
      from,
      to,
      parts,
      members,
      runs: those(members, isRun),
      doubtful: those(members, isDoubtful),
      taken: take(members),
      ands,
      ors,
      nots,
      pluses,
      sound: !parts.some(isUnsettled),
    };
  }
}

/** Tells whether analysis leaves something of a clause: of a group, if it does of anything in it. */
function keeping(isSearched: Parts['isSearched']): (clause: Clause) => boolean {
  const known = new Map<Group, boolean>();
  return isKept;

  function isKept(clause: Clause): boolean {
    const { item } = clause;
    if (item.kind === 'Group') return isGroupKept(item);
    // Looking a clause up takes long.
    return leavesToken(item) || isSearched(clause);
  }

  function isGroupKept(group: Group): boolean {
    const [first] = group.parts;
    if (first?.kind === 'Clause' && leavesToken(first.item)) return true;
    const kept = known.get(group) ?? group.parts.some((part) => part.kind === 'Clause' && isKept(part));
    known.set(group, kept);
    return kept;
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

/** Says of each member how the server takes it, and puts together those that it takes alike. */
function take(members: readonly NewMember[]): Level['taken'] {
  const occurs = occursOf(members, 'or');
  for (let index = 0; index < members.length; index += 1) {
    const member = members[index];
    if (member) member.occur = occurs[index];
  }
  return {
    must: those(members, ({ occur }) => occur === 'must'),
    should: those(members, ({ occur }) => occur === 'should'),
    mustNot: those(members, ({ occur }) => occur === 'mustNot'),
  };
}

/** Those members of which something is true: mostly all of them or none, for which no new list is made. */
function those(members: readonly Member[], isTrue: (member: Member) => boolean): readonly Member[] {
  let count = 0;
  for (const member of members) if (isTrue(member)) count += 1;
  if (count === 0) return noMembers;
  return count === members.length ? members : members.filter(isTrue);
}

const noMembers: readonly Member[] = [];

function isRun({ clauses }: Member): boolean {
  return 1 < clauses.length;
}

function isDoubtful({ clauses: [{ item }] }: Member): boolean {
  return item.kind !== 'Group' && !leavesToken(item);
}

/** Whether it is plain that analysis leaves something: of whatever begins with a letter or a digit. */
function leavesToken(item: Item): boolean {
  return 'term' in item && /^"?[A-Za-z0-9]/.test(item.term.text);
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
