import type { Clause } from '../../../language/tree.ts';
import { parseNumber } from '../../bounds.ts';
import type { Occur } from '../../clauses.ts';
import { lastAnswer } from './last-answer.ts';
import type { Level, Member } from './level.ts';
import { type SayingReader, sayingOf } from './sayings.ts';
import { askedText } from './terms.ts';

/** A clause of a level, how the server takes it, and what it asks for. */
export interface Asked {
  readonly clause: Clause;
  readonly occur: Occur;
  readonly saying: string;
}

/** Clauses of one level that ask for the same, in the order of the text: two or more. */
export type Repetition = readonly Asked[];

const none: readonly Repetition[] = [];

/** Tells which clauses of a level ask for the same, as far as that can be told. */
export function repetitionLookup(reader: SayingReader): (level: Level) => readonly Repetition[] {
  return lastAnswer((level) => {
    if (level.parts.length < 2) return none;
    const asked = askedOn(level, reader);
    return areDistinct(asked) ? none : repetitionsAmong(asked);
  });
}

function askedOn({ members }: Level, reader: SayingReader): Asked[] {
  const asked: Asked[] = [];
  const hasGroups = 1 < members.filter(isGroup).length;
  for (const member of members) {
    if (!member.occur || (isGroup(member) && !hasGroups)) continue;
    for (const clause of member.clauses) {
      const isPart = 1 < member.clauses.length && !standsAlone(clause, reader);
      const saying = isPart ? '' : sayingOf(clause, reader);
      if (saying !== '') asked.push({ clause, occur: member.occur, saying });
    }
  }
  return asked;
}

function isGroup({ clauses: [{ item }] }: Member): boolean {
  return item.kind === 'Group';
}

/** Whether a word asks for the same in a run as alone: as text it does, but as a value it is only a part of one. */
function standsAlone(clause: Clause, { targets }: SayingReader): boolean {
  const { hasKeyword, hasNumbers } = targets(clause);
  return !hasKeyword && (!hasNumbers || parseNumber(askedText(clause.item) ?? '') === undefined);
}

/** Whether no two say the same, as on nearly all levels. Comparing a few with each other takes less than a set of them. */
function areDistinct(asked: readonly Asked[]): boolean {
  if (8 < asked.length) return new Set(asked.map(({ saying }) => saying)).size === asked.length;
  return asked.every(({ saying }, place) => {
    for (let before = 0; before < place; before += 1) if (asked[before]?.saying === saying) return false;
    return true;
  });
}

function repetitionsAmong(asked: readonly Asked[]): Repetition[] {
  const bySaying = new Map<string, Asked[]>();
  for (const each of asked) {
    const alike = bySaying.get(each.saying);
    if (alike) alike.push(each);
    else bySaying.set(each.saying, [each]);
  }
  return [...bySaying.values()].filter((alike) => 1 < alike.length);
}
