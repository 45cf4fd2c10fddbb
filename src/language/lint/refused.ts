import type { EngineRefusal } from '../automata/automaton.ts';
import { checkSimilarity } from '../automata/fuzzy.ts';
import { checkSlop, phraseSlop } from '../automata/phrase.ts';
import { tooRepetitive } from '../meaning/match.ts';
import { hasUnescaped, withoutEscapes } from '../parse/lex.ts';
import {
  type Clause,
  type Query,
  type Span,
  type Token,
  type TokenKind,
  type Wildcard,
  walk,
} from '../parse/tree.ts';
import { type QueryContext, type QueryView, viewOf } from './rule.ts';

/** A pattern or a distance that the engine refuses, and why. */
export interface RefusedPattern extends Span {
  /** One sentence, no final stop. */
  readonly message: string;
}

/** The part of a query view that decides about patterns. */
type PatternView = Pick<QueryView, 'targets' | 'terms' | 'engine' | 'patternRefusal'>;

/** The patterns and distances of a query that the engine refuses, in the order of the text. */
export function refusedPatternsIn(query: Query, setting: QueryContext): readonly RefusedPattern[] {
  const view = viewOf(query, setting);
  const refused: RefusedPattern[] = [];
  walk(query, { Clause: (clause) => refused.push(...refusedPatternsOf(clause, view)) });
  return refused;
}

/** The pattern and the distance of one clause, where the engine refuses them (section 6 of the language specification). */
export function refusedPatternsOf(clause: Clause, view: PatternView): readonly RefusedPattern[] {
  const { item } = clause;
  if (item.kind === 'Word' || item.kind === 'Phrase') {
    const tilde = item.suffixes.find(({ kind }) => kind === 'Tilde');
    const refusal = tilde && distanceRefusal(tilde, clause, view);
    if (refusal) return [{ from: tilde.from, to: tilde.to, message: refusal.message }];
    // A comparison needs a field, its own or that of its group: without one it is a word.
    const mayBeLong = shortestLongBound <= item.term.text.length && view.targets(clause).named !== undefined;
    if (item.kind === 'Phrase' || (!tilde && !mayBeLong)) return [];
    const tooLong = view.patternRefusal(item, view.targets(clause).fields);
    return tooLong ? [{ from: item.term.from, to: (tilde ?? item.term).to, message: tooLong.message }] : [];
  }
  if (item.kind === 'Range') {
    const { from, to } = item.lower ?? item;
    const tooLong = shortestLongBound <= to - from && view.patternRefusal(item, view.targets(clause).fields);
    return tooLong ? [{ from, to, message: tooLong.message }] : [];
  }
  if (item.kind !== 'Regexp' && item.kind !== 'Wildcard') return [];
  const start = item.kind === 'Wildcard' ? startRefusal(item, clause, view) : [];
  const refusal = view.patternRefusal(item, view.targets(clause).fields);
  return refusal ? [...start, { ...placeOf(refusal, item.term), message: refusal.message }] : start;
}

/** The UTF-16 units from which on a bound may have more than 1,000 bytes: each has three at most. */
const shortestLongBound = 333;

/** The refusal of a wildcard that begins with `*` or `?`, by engines that take none but `*:*`. */
function startRefusal(
  { term }: Wildcard,
  clause: Clause,
  { engine, targets }: PatternView,
): readonly RefusedPattern[] {
  if (engine.leadingWildcard || (term.kind === 'Star' && targets(clause).named === '*')) return [];
  const text = term.kind === 'Wildcard' ? term.text : withoutEscapes(term.text).text;
  // The engine checks a prefix without its backslashes.
  const isRefused = /^[*?]/.test(text) && (term.kind !== 'Prefix' || text.startsWith('*'));
  if (!isRefused) return [];
  return [
    { from: term.from, to: term.to, message: 'The engine takes no pattern that begins with "*" or "?"' },
  ];
}

/** The span of the mistake in the pattern, or of all of it. `at` does not count the slash in front. */
function placeOf({ at }: EngineRefusal, { from, to }: Token): Span {
  const position = at === undefined ? from : Math.min(from + 1 + at, to - 1);
  return { from: position, to: at === undefined ? to : position + 1 };
}

function distanceRefusal(
  tilde: Token,
  clause: Clause,
  { targets, terms, engine }: PatternView,
): EngineRefusal | undefined {
  const distanceText = tilde.text.slice(1);
  if (clause.item.kind === 'Word') return checkSimilarity(distanceText, engine);
  // One token, or any other field, makes no phrase of it, and the engine then ignores the slop.
  const isPhrase = 1 < terms(clause).length && targets(clause).fields.some(({ type }) => type === 'text');
  if (!isPhrase) return undefined;
  const complexity = tooRepetitive({ terms: terms(clause), slop: phraseSlop(distanceText) });
  return (
    checkSlop(distanceText) ??
    (complexity === undefined ? undefined : { message: `The phrase is too complex: ${complexity}` })
  );
}

/** The characters that the deployment refuses without quotes and without a backslash (section 3 of the language specification). */
export const refusedCharacters = /[?*^+]/;

/** In quotes every character is harmless, and the star of an open range is no wildcard. */
const harmless: ReadonlySet<TokenKind> = new Set(['Quoted', 'UnclosedQuoted', 'RangeBound', 'RangeQuoted']);

/** Returns whether the deployment refuses a search for the characters of this token. */
export function isRefusedToken({ kind, text }: Token): boolean {
  return !harmless.has(kind) && hasUnescaped(text, refusedCharacters);
}
