import type { Automaton, Move } from '../automata/automaton.ts';
import { compileRegexp } from '../automata/compile-regexp.ts';
import { assuredSteps, type Effort, shareEffort } from '../automata/effort.ts';
import { compileWildcard } from '../automata/wildcard.ts';
import type { LeafFilter } from './boolean-logic.ts';

const known = new WeakMap<LeafFilter, readonly string[]>();

/** Returns some texts that a pattern matches, the shortest first; none for a few patterns. */
export function textsFitting(leaf: LeafFilter, effort: Effort): readonly string[] {
  const texts = known.get(leaf) ?? findTexts(leaf, effort);
  known.set(leaf, texts);
  return texts;
}

function findTexts(leaf: LeafFilter, effort: Effort): readonly string[] {
  switch (leaf.kind) {
    case 'prefix':
      return [leaf.prefix, `${leaf.prefix}x`];
    case 'fuzzy':
      return neighbours(leaf.term);
    case 'wildcard':
      return accepted(shareEffort(effort, assuredSteps, (own) => compileWildcard(leaf.pattern, own)));
    case 'regexp':
      return accepted(compileRegexp(leaf.pattern));
    default:
      return [];
  }
}

/** The maximum number of texts: enough for one that other conditions do not exclude. */
const enough = 40;

/** A term and some texts one edit away: all edits of a long term would take the square of its length. */
function neighbours(term: string): string[] {
  const letters = [...term];
  const edited = letters.slice(0, enough);
  const without = edited.map((_, place) => letters.toSpliced(place, 1).join(''));
  const replaced = edited.map((_, place) => letters.toSpliced(place, 1, 'x').join(''));
  return [term, `${term}x`, ...without, ...replaced];
}

/** The maximum number of prefixes that are followed. */
const maxSteps = 2000;

function accepted(compiled: ReturnType<typeof compileRegexp>): readonly string[] {
  return 'refusal' in compiled ? [] : acceptedTexts(compiled.automaton);
}

function acceptedTexts({ accepts, moves }: Automaton): string[] {
  const texts: string[] = [];
  const begun = accepts.length === 0 ? [] : [{ state: 0, text: '' }];
  for (let step = 0; step < Math.min(begun.length, maxSteps) && texts.length < enough; step += 1) {
    const { state, text } = begun[step] ?? { state: 0, text: '' };
    if (accepts[state] && text !== '') texts.push(text);
    for (const move of moves[state] ?? []) {
      if (maxSteps < begun.length) break;
      for (const letter of lettersOf(move)) begun.push({ state: move.to, text: text + letter });
    }
  }
  return texts;
}

/** Letters that are likely in a log, from all over the order of code points. */
const plain = ['a', 'x', '0', 'A', '_', 'é', '中'];

/** One or two letters of a move, likely ones where it has some. */
function lettersOf({ min, max }: Move): string[] {
  const found = plain.filter((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return min <= code && code <= max;
  });
  const isSurrogate = 0xd800 <= min && min <= 0xdfff;
  return found.length === 0 && !isSurrogate ? [String.fromCodePoint(min)] : found.slice(0, 2);
}
