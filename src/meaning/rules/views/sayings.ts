import type { Token } from '../../../language/token.ts';
import type { Clause, Phrase, Word } from '../../../language/tree.ts';
import { parseNumber } from '../../bounds.ts';
import type { Occur } from '../../clauses.ts';
import type { FieldType } from '../../fields.ts';
import type { Targets } from '../../targets.ts';
import type { Level } from './level.ts';
import { askedText } from './terms.ts';

/** A clause of a level, how the server takes it, and a text that it has in common with clauses that ask for the same. */
export interface Saying {
  readonly clause: Clause;
  readonly occur: Occur;
  readonly saying: string;
}

/** What is known about the query. */
interface Reader {
  readonly targets: (clause: Clause) => Targets;
  readonly terms: (clause: Clause) => readonly string[];
  readonly text: () => string;
}

/**
 * Tells what the clauses of a level ask for, as far as it can be compared. The
 * texts of two clauses are the same only if they ask for the same. A level is
 * looked at once.
 */
export function sayingLookup(reader: Reader): (level: Level) => readonly Saying[] {
  let known: Map<Level, readonly Saying[]> | undefined;
  return (level) => {
    known ??= new Map();
    const sayings = known.get(level) ?? sayingsOf(level, reader);
    known.set(level, sayings);
    return sayings;
  };
}

function sayingsOf({ members }: Level, view: Reader): Saying[] {
  const sayings: Saying[] = [];
  for (const { clauses, occur } of members) {
    if (!occur) continue;
    for (const clause of clauses) {
      const targets = view.targets(clause);
      if (1 < clauses.length && !standsAlone(clause, targets)) continue;
      const said = itemSaying(clause, targets, view);
      if (said !== undefined) sayings.push({ clause, occur, saying: `${targets.named ?? ''}:${said}` });
    }
  }
  return sayings;
}

/** Whether a word asks for the same in a run as alone: as text it does, but as a value it is only a part of one. */
function standsAlone({ item }: Clause, { fields }: Targets): boolean {
  return fields.every(
    ({ type }) => type === 'text' || (type !== 'keyword' && parseNumber(askedText(item) ?? '') === undefined),
  );
}

/** Longer groups are not compared: nobody repeats them by accident, and their texts add up. */
const longestGroup = 500;

function itemSaying(clause: Clause, targets: Targets, { terms, text }: Reader): string | undefined {
  const { item } = clause;
  switch (item.kind) {
    case 'Word':
    case 'Phrase':
      return wordSaying(item, terms(clause), targets);
    case 'Wildcard':
    case 'Regexp':
      return item.term.text + tildeOf(item.suffixes);
    case 'Range':
      return `${item.open.text}${item.lower?.term.text} ${item.upper?.term.text}${item.close?.text}`;
    case 'Group':
      return item.to - item.from <= longestGroup ? text().slice(item.from, item.to) : undefined;
    case 'Missing':
      return undefined;
  }
}

/** On text fields the tokens, of which one says the same as a word and as a phrase; on others the value. */
function wordSaying(item: Word | Phrase, terms: readonly string[], { fields }: Targets): string | undefined {
  const value = askedText(item) ?? '';
  const tilde = tildeOf(item.suffixes);
  const has = (type: FieldType) => fields.some((field) => field.type === type);
  const isComparison = item.kind === 'Word' && fields.length === 1 && /^[<>]/.test(value);
  if (isComparison || !has('text')) return `value ${parseNumber(value) ?? value}${tilde}`;
  if (has('keyword')) return `${item.kind} ${value}${tilde}`;
  if (terms.length === 0) return undefined;
  // Where numbers are searched as well, `9003` asks for more than its token.
  const number = fields.every(({ type }) => type === 'text') ? '' : (parseNumber(value) ?? '');
  return `${terms.length === 1 ? 'term' : item.kind} ${terms.join(' ')} ${number}${tilde}`;
}

function tildeOf(suffixes: readonly Token[]): string {
  return suffixes.find(({ kind }) => kind === 'Tilde')?.text ?? '';
}
