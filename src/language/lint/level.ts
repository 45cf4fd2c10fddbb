import { type Occur, type Operators, occursOf, operatorsOf, type Unit, unitsOf } from '../meaning/resolve.ts';
import { parseDate, parseInteger, parseNumber } from '../meaning/values.ts';
import type { Clause, Group, Item, Part, Phrase, Query, Range, Span, Token, Word } from '../parse/tree.ts';
import { askedText, memoize, type SearchTargets } from './clause.ts';
import type { SplitConstruct } from './constructs.ts';

/** The list of clauses between two parentheses, or at the top, as the server reads it. */
export interface QueryLevel extends Span {
  readonly parts: readonly Part[];
  readonly members: readonly LevelMember[];
  /** The members that are several words side by side. */
  readonly runs: readonly LevelMember[];
  readonly counts: MemberCounts;
  /** The split constructs, at the indexes of their parts. */
  readonly constructs: readonly (SplitConstruct | undefined)[];
  /**
   * True if the parts keep their operators once the level is mended: nothing is
   * missing or out of place, and no construct of several parts is split.
   */
  readonly sound: boolean;
}

/** The number of members of a level by how the server takes them, and by their operators. */
export interface MemberCounts extends Readonly<Record<Occur, number>> {
  /** Joined to the member before by AND, and by OR. */
  readonly ands: number;
  readonly ors: number;
  /** Negated, and with a plus. */
  readonly nots: number;
  readonly pluses: number;
}

/** One clause of a level, or a run of plain words that the server reads as one. Its span begins behind the conjunction. */
export interface LevelMember extends Operators, Span {
  readonly clauses: Unit;
  /** The index of the first clause among the parts of the level. */
  readonly at: number;
  readonly searchTargets: SearchTargets;
  /** True if analysis leaves something of it. */
  readonly kept: boolean;
  /** Its role to the server; undefined if analysis leaves nothing of it. */
  readonly occur: Occur | undefined;
}

/** Lookups of the query that levels are made with. */
interface Lookups {
  readonly targets: (clause: Clause) => SearchTargets;
  /** True if analysis leaves something of a clause that is no group. */
  readonly isSearched: (clause: Clause) => boolean;
  readonly constructs: (parts: readonly Part[]) => QueryLevel['constructs'];
}

/** A lookup of the levels of one query. */
export function levelsOf({
  targets,
  isSearched,
  constructs: constructsOn,
}: Lookups): (node: Query | Group) => QueryLevel {
  const isGroupKept = memoize(({ parts }: Group): boolean =>
    parts.some((part) => part.kind === 'Clause' && isKept(part)),
  );
  return memoize(levelOf);

  function isKept(clause: Clause): boolean {
    return clause.item.kind === 'Group' ? isGroupKept(clause.item) : isSearched(clause);
  }

  function levelOf({ from, to, parts }: Query | Group): QueryLevel {
    const members = membersOf(parts);
    const constructs = constructsOn(parts);
    return {
      from,
      to,
      parts,
      members,
      runs: members.filter(({ clauses }) => 1 < clauses.length),
      counts: countsOf(members),
      constructs,
      sound: parts.every((part, index) => isSettled(part, constructs[index])),
    };
  }

  function membersOf(parts: readonly Part[]): readonly LevelMember[] {
    let at = 0;
    const members = unitsOf(parts, 'server').map((clauses) => {
      while (parts[at] !== clauses[0]) at += 1;
      const member = memberOf(clauses, at);
      at += clauses.length;
      return member;
    });
    for (const [index, occur] of occursOf(members, 'or').entries()) {
      const member = members[index];
      if (member) member.occur = occur;
    }
    return members;
  }

  function memberOf(clauses: Unit, at: number): NewMember {
    const [first] = clauses;
    const { conjunction, modifier } = operatorsOf(first);
    const { to } = clauses.at(-1) ?? first;
    const kept = clauses.some(isKept);
    const searchTargets = targets(first);
    return {
      conjunction,
      modifier,
      clauses,
      at,
      searchTargets,
      kept,
      occur: undefined,
      from: startOf(first),
      to,
    };
  }
}

/** A member before it is decided how the server takes it, which depends on all members. */
type NewMember = Omit<LevelMember, 'occur'> & { occur: Occur | undefined };

function countsOf(members: readonly LevelMember[]): MemberCounts {
  const counts = { ands: 0, ors: 0, nots: 0, pluses: 0, must: 0, should: 0, mustNot: 0 };
  for (const { conjunction, modifier, occur } of members) {
    if (conjunction === 'and') counts.ands += 1;
    if (conjunction === 'or') counts.ors += 1;
    if (modifier === 'not') counts.nots += 1;
    if (modifier === 'required') counts.pluses += 1;
    if (occur) counts[occur] += 1;
  }
  return counts;
}

/** The members of a level that the server takes in a certain way. */
export function membersTakenAs(occur: Occur, { members }: QueryLevel): LevelMember[] {
  return members.filter((member) => member.occur === occur);
}

/** Returns whether a part stays the part that it is once the level is mended. */
function isSettled(part: Part, construct: SplitConstruct | undefined): boolean {
  if (part.kind === 'Stray' || part.item.kind === 'Missing' || isEmpty(part.item)) return false;
  return construct === undefined || construct.parts.length === 1;
}

/** Returns whether an item is a group with nothing but empty groups inside: mending the level removes it. */
function isEmpty(item: Item): boolean {
  if (item.kind !== 'Group') return false;
  return item.parts.every((part) => part.kind === 'Clause' && isEmpty(part.item));
}

/** The offset where a clause begins behind its conjunction. */
export function startOf({ modifier, field, item }: Clause): number {
  return (modifier ?? field ?? item).from;
}

/** A member of a level as it is written in the query, without its operators. */
export function memberText({ clauses, to }: LevelMember, text: string): string {
  const [{ field, item }] = clauses;
  return text.slice((field ?? item).from, to);
}

/** A clause that repeats another one, and how the server takes it. */
interface RepeatedClause {
  readonly clause: Clause;
  readonly occur: Occur;
}

/** Clauses of one level that ask for the same, in the order of the text: two or more. */
export type RepeatedClauses = readonly RepeatedClause[];

/** A lookup of the clauses of a level that ask for the same, as far as their signatures show it. */
export function repetitionLookup(reader: SignatureReader): (level: QueryLevel) => readonly RepeatedClauses[] {
  return memoize(({ members }) => {
    const bySignature = new Map<string, RepeatedClause[]>();
    for (const { clauses, occur, searchTargets } of members) {
      if (!occur) continue;
      for (const clause of clauses) {
        const isPart = 1 < clauses.length && !standsAlone(clause, searchTargets);
        const signature = isPart ? '' : clauseSignature(clause, searchTargets, reader);
        if (signature === '') continue;
        const key = `${searchTargets.named ?? ''}:${signature}`;
        const alike = bySignature.get(key);
        if (alike) alike.push({ clause, occur });
        else bySignature.set(key, [{ clause, occur }]);
      }
    }
    return [...bySignature.values()].filter((alike) => 1 < alike.length);
  });
}

/**
 * Returns whether a word asks for the same in a run as alone. As text it does, but as a value it is only a part of
 * one.
 */
function standsAlone({ item }: Clause, { hasKeyword, hasNumbers }: SearchTargets): boolean {
  return !hasKeyword && (!hasNumbers || parseNumber(askedText(item) ?? '') === undefined);
}

/** Lookups of the query that signatures are made with. */
interface SignatureReader {
  readonly terms: (clause: Clause) => readonly string[];
  /** The text of the query. */
  readonly text: () => string;
}

/** The length of the longest group that is compared: nobody repeats longer ones by accident, and their texts add up. */
const longestGroup = 500;

/**
 * A text that two clauses on the same fields share only if they ask for the same.
 * Empty where the clause cannot be compared.
 */
export function clauseSignature(
  clause: Clause,
  searchTargets: SearchTargets,
  { terms, text }: SignatureReader,
): string {
  const { item } = clause;
  switch (item.kind) {
    case 'Word':
    case 'Phrase':
      return wordSignature(item, terms(clause), searchTargets);
    case 'Wildcard':
    case 'Regexp':
      return item.term.text + tildeOf(item.suffixes);
    case 'Range':
      return rangeSignature(item);
    case 'Group':
      return longestGroup < item.to - item.from ? '' : text().slice(item.from, item.to);
    case 'Missing':
      return '';
  }
}

function rangeSignature({ open, lower, upper, close }: Range): string {
  return `${open.text}${lower?.term.text} ${upper?.term.text}${close?.text}`;
}

/**
 * On text fields the tokens; a single token is the same as a word and as a
 * phrase. On others the value. Only a single token has no blank in it.
 */
function wordSignature(item: Word | Phrase, terms: readonly string[], searchTargets: SearchTargets): string {
  const tilde = tildeOf(item.suffixes);
  const isComparison = item.kind === 'Word' && searchTargets.fields.length === 1 && startsRange(item);
  if (isComparison || !searchTargets.hasText) {
    const value = askedText(item) ?? '';
    return `value ${numberSignature(value) ?? value}${tilde}`;
  }
  if (searchTargets.hasKeyword) return `${item.kind} ${askedText(item)}${tilde}`;
  const [term, second] = terms;
  if (term === undefined) return '';
  const termText = second === undefined ? term : `${item.kind} ${terms.join(' ')}`;
  return termText + valueIn(item, searchTargets) + tilde;
}

/** The value in a text where numbers or dates are searched too: `9003` and `"2024-01-01"` ask for more than their tokens. */
function valueIn(item: Word | Phrase, { hasNumbers, fields }: SearchTargets): string {
  if (!hasNumbers) return '';
  const text = askedText(item) ?? '';
  const isDate =
    fields.some(({ type }) => type === 'date') && parseDate(text, { roundUp: false, now: 0 }) !== undefined;
  const value = numberSignature(text) ?? (isDate ? text : undefined);
  return value === undefined ? '' : ` ${value}`;
}

/** The number of a text as decimal fields read it, and as integer fields do; undefined if it is none. */
function numberSignature(text: string): string | undefined {
  const number = parseNumber(text);
  if (number === undefined) return undefined;
  return Object.is(number, -0) ? '-0' : `${number} ${Number.isSafeInteger(number) ? '' : parseInteger(text)}`;
}

function startsRange(item: Word): boolean {
  return /^[\\<>]/.test(item.term.text) && /^[<>]/.test(askedText(item) ?? '');
}

function tildeOf(suffixes: readonly Token[]): string {
  return suffixes.find(({ kind }) => kind === 'Tilde')?.text ?? '';
}
