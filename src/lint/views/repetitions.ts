import type { Clause } from '../../language/tree.ts';
import { parseNumber } from '../../meaning/bounds.ts';
import type { Occur } from '../../meaning/clauses.ts';
import { lastAnswer } from './last-answer.ts';
import type { Level, Member } from './level.ts';
import { sayingOf } from './sayings.ts';
import type { Sought } from './target-lookup.ts';
import { askedText } from './terms.ts';

/** A clause of a level, how the server takes it, and what it asks for of which fields. */
export interface Asked {
  readonly clause: Clause;
  readonly occur: Occur;
  readonly named: string | undefined;
  readonly saying: string | number;
}

/** Clauses of one level that ask for the same, in the order of the text: two or more. */
export type Repetition = readonly Asked[];

/** What is known about the query. */
interface Reader {
  readonly terms: (clause: Clause) => readonly string[];
  readonly text: () => string;
}

const none: readonly Repetition[] = [];

/** Tells which clauses of a level ask for the same, as far as that can be told. */
export function repetitionLookup({ terms, text }: Reader): (level: Level) => readonly Repetition[] {
  return lastAnswer((level) => {
    if (!mayRepeat(level.members)) return none;
    const asked = askedOn(level, terms);
    return areFewDistinct(asked) ? none : repetitionsAmong(asked, text);
  });
}

/** Whether two clauses could ask for the same: they search the same, and both are groups or neither is. */
function mayRepeat(members: readonly Member[]): boolean {
  // To hold many against each other takes longer than to find out what they ask for.
  if (8 < members.length) return true;
  for (let place = 0; place < members.length; place += 1) {
    const one = members[place];
    if (!one || 1 < one.clauses.length) return true;
    for (let before = 0; before < place; before += 1) if (areOfAKind(one, members[before])) return true;
  }
  return false;
}

function areOfAKind({ clauses: [one], sought }: Member, other: Member | undefined): boolean {
  if (sought.named !== other?.sought.named) return false;
  return (one.item.kind === 'Group') === (other?.clauses[0].item.kind === 'Group');
}

function askedOn({ members }: Level, terms: Reader['terms']): Asked[] {
  const asked: Asked[] = [];
  for (const { clauses, occur, sought } of members) {
    if (!occur) continue;
    const { named } = sought;
    for (const clause of clauses) {
      const isPart = 1 < clauses.length && !standsAlone(clause, sought);
      const saying = isPart ? '' : sayingOf(clause, sought, terms);
      if (saying !== '') asked.push({ clause, occur, named, saying });
    }
  }
  return asked;
}

/** Whether a word asks for the same in a run as alone: as text it does, but as a value it is only a part of one. */
function standsAlone({ item }: Clause, { hasKeyword, hasNumbers }: Sought): boolean {
  return !hasKeyword && (!hasNumbers || parseNumber(askedText(item) ?? '') === undefined);
}

/** Whether they are few and no two say the same, as on nearly all levels: to compare a few takes less than to sort them. */
function areFewDistinct(asked: readonly Asked[]): boolean {
  if (8 < asked.length) return false;
  for (let place = 1; place < asked.length; place += 1) {
    for (let before = 0; before < place; before += 1) {
      if (isSaidAgain(asked[before], asked[place])) return false;
    }
  }
  return true;
}

function isSaidAgain(before: Asked | undefined, again: Asked | undefined): boolean {
  return before?.named === again?.named && before?.saying === again?.saying;
}

function repetitionsAmong(asked: readonly Asked[], text: Reader['text']): readonly Repetition[] {
  const wholeSaying = ({ clause: { item }, named, saying }: Asked): string =>
    `${named ?? ''}:${item.kind === 'Group' ? text().slice(item.from, item.to) : saying}`;
  const sayings = asked.map(wholeSaying);
  if (new Set(sayings).size === asked.length) return none;
  const bySaying = new Map<string, Asked[]>();
  for (const [place, each] of asked.entries()) {
    const saying = sayings[place] ?? '';
    const alike = bySaying.get(saying);
    if (alike) alike.push(each);
    else bySaying.set(saying, [each]);
  }
  return [...bySaying.values()].filter((alike) => 1 < alike.length);
}
