import type { Clause, Group, Item, Part, Query, Span } from '../../language/tree.ts';
import {
  type Occur,
  type Operators,
  occursOf,
  operatorsOf,
  type Unit,
  unitsOf,
} from '../../meaning/clauses.ts';
import type { Misread } from './misread.ts';
import { isPlainAt } from './plain-text.ts';
import { recentAnswers } from './recent-answers.ts';
import type { Sought } from './target-lookup.ts';

/** What stands between two parentheses, or at the top, as the server takes it. */
export interface Level extends Span {
  /** The list that it was made of. */
  readonly parts: readonly Part[];
  readonly members: readonly Member[];
  /** Those members that are several words side by side. */
  readonly runs: readonly Member[];
  /** Those members of which analysis might leave nothing; of all others it is plain that it does not. */
  readonly doubtful: readonly Member[];
  readonly counts: Counts;
  /** What of it is read part by part, against what was meant, at the places of the parts; of most levels nothing. */
  readonly misreads: readonly (Misread | undefined)[];
  /**
   * Whether nothing on it is missing or out of place, and no quotes that do not
   * quote stand around several parts: else it will be joined otherwise once it is mended.
   */
  readonly sound: boolean;
}

/** How many of the members of a level are so. */
export interface Counts extends Readonly<Record<Occur, number>> {
  /** Joined to the one before by AND, and by OR. */
  readonly ands: number;
  readonly ors: number;
  /** Negated, and with a plus. */
  readonly nots: number;
  readonly pluses: number;
}

/** One clause of a level, or a run of plain words that the server takes as one. Its place begins behind the conjunction. */
export interface Member extends Operators, Span {
  readonly clauses: Unit;
  /** The place of the first of them among the parts of the level. */
  readonly at: number;
  /** What all of them search. */
  readonly sought: Sought;
  /** Whether it is plain that analysis leaves something of it; of a group it never is. */
  readonly isPlain: boolean;
  /** Whether analysis leaves something of it. */
  readonly kept: boolean;
  /** How the server takes it; undefined where analysis leaves nothing of it. */
  readonly occur: Occur | undefined;
}

/** What is known about the parts of a query. */
interface Parts {
  readonly targets: (clause: Clause) => Sought;
  /** Whether analysis leaves something of a single clause. */
  readonly isSearched: (clause: Clause) => boolean;
  readonly misreads: (parts: readonly Part[]) => Level['misreads'];
}

/** Tells of the levels of one query. */
export function levelsOf({
  targets,
  isSearched,
  misreads: misreadsOn,
}: Parts): (node: Query | Group) => Level {
  const isKept = keeping(isSearched);
  return recentAnswers(levelOf);

  function levelOf({ from, to, parts }: Query | Group): Level {
    const members = membersOf(parts);
    const misreads = misreadsOn(parts);
    return {
      from,
      to,
      parts,
      members,
      runs: members.length === parts.length ? noMembers : those(members, isRun),
      doubtful: those(members, isDoubtful),
      counts: countsOf(members),
      misreads,
      sound: areSettled(parts, misreads),
    };
  }

  function membersOf(parts: readonly Part[]): readonly Member[] {
    let at = 0;
    const members = unitsOf(parts, 'server').map((clauses) => {
      while (parts[at] !== clauses[0]) at += 1;
      const member = memberOf(clauses, at);
      at += clauses.length;
      return member;
    });
    setOccurs(members);
    return members;
  }

  function memberOf(clauses: Unit, at: number): NewMember {
    const [first] = clauses;
    const { conjunction, modifier } = operatorsOf(first);
    const isPlain = leavesToken(first.item);
    const kept = isPlain || clauses.some(isKept);
    const { to } = clauses.at(-1) ?? first;
    const sought = targets(first);
    const from = startOf(first);
    return { conjunction, modifier, clauses, at, sought, isPlain, kept, occur: undefined, from, to };
  }
}

/** Tells whether analysis leaves something of a clause: of a group, if it does of anything in it. */
function keeping(isSearched: Parts['isSearched']): (clause: Clause) => boolean {
  let isGroupKept: ((group: Group) => boolean) | undefined;
  return isKept;

  function isKept(clause: Clause): boolean {
    const { item } = clause;
    if (item.kind !== 'Group') return leavesToken(item) || isSearched(clause);
    // Looking a group up takes longer than looking at the first clause in it that is none.
    const first = firstIn(item);
    if (first?.kind === 'Clause' && leavesToken(first.item)) return true;
    isGroupKept ??= recentAnswers(({ parts }) =>
      parts.some((part) => part.kind === 'Clause' && isKept(part)),
    );
    return isGroupKept(item);
  }
}

/** What a group begins with, but for the groups that it begins with. */
function firstIn({ parts: [first] }: Group): Part | undefined {
  return first?.kind === 'Clause' && first.item.kind === 'Group' ? firstIn(first.item) : first;
}

/** A member of which it is not known yet how it is taken. */
type NewMember = Omit<Member, 'occur'> & { occur: Occur | undefined };

/** Says of each member how the server takes it. */
function setOccurs(members: readonly NewMember[]): void {
  const occurs = occursOf(members, 'or');
  for (let index = 0; index < members.length; index += 1) {
    const member = members[index];
    if (member) member.occur = occurs[index];
  }
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

function isDoubtful({ isPlain, clauses: [{ item }] }: Member): boolean {
  return !isPlain && item.kind !== 'Group';
}

/** Whether it is plain that analysis leaves something: of a pattern, of a range, and of what begins with a letter or a digit. */
function leavesToken(item: Item): boolean {
  switch (item.kind) {
    case 'Word':
      return isPlainAt(item.term.text, 0);
    case 'Phrase':
      return isPlainAt(item.term.text, 1);
    case 'Wildcard':
    case 'Regexp':
      return true;
    case 'Range':
      return item.lower !== undefined && item.upper !== undefined;
    case 'Group':
    case 'Missing':
      return false;
  }
}

function countsOf(members: readonly Member[]): Counts {
  const counts = { ands: 0, ors: 0, nots: 0, pluses: 0, must: 0, should: 0, mustNot: 0 };
  for (const { conjunction, modifier, occur } of members) {
    if (conjunction === 'and') counts.ands += 1;
    else if (conjunction === 'or') counts.ors += 1;
    if (modifier === 'not') counts.nots += 1;
    else if (modifier === 'required') counts.pluses += 1;
    if (occur === 'must') counts.must += 1;
    else if (occur === 'should') counts.should += 1;
    else if (occur) counts.mustNot += 1;
  }
  return counts;
}

/** The members of a level that the server takes in a certain way. */
export function takenAs(occur: Occur, { members }: Level): Member[] {
  return members.filter((member) => member.occur === occur);
}

/** Whether all parts will stay the parts that they are. */
function areSettled(parts: readonly Part[], misreads: Level['misreads']): boolean {
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part && isUnsettled(part, misreads[at])) return false;
  }
  return true;
}

/** Whether a part will not stay the part that it is. */
function isUnsettled(part: Part, misread: Misread | undefined): boolean {
  if (part.kind === 'Stray' || part.item.kind === 'Missing') return true;
  return misread !== undefined && 1 < misread.parts.length;
}

/** Where a clause begins behind its conjunction. */
export function startOf({ modifier, field, item }: Clause): number {
  return (modifier ?? field ?? item).from;
}
