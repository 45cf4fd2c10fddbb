import { type Effort, spendEffort } from '../automata/effort.ts';
import { hasSequence } from '../automata/token-sequence.ts';
import type { Assignment, LeafFilter, Variable } from './boolean-logic.ts';
import type { Realised } from './field-theory.ts';
import { holdsTerm, type Interval } from './interval.ts';
import { hasMatch } from './leaf-match.ts';
import { textsFitting } from './pattern-samples.ts';
import { isToken, textsIn } from './term-samples.ts';
import type { TextParts } from './text-parts.ts';

/**
 * Finds a text that fulfils an assignment. Only simple shapes are tried: all required tokens side
 * by side, or with other tokens between them.
 */
export function realiseTokens(parts: TextParts, assignment: Assignment, effort: Effort): Realised {
  const wanted: Wanted = { parts, assignment, effort };
  const supply = supplyOf(wanted);
  const pieces = piecesOf(wanted, supply);
  if (!pieces) return { kind: 'unknown' };
  if (pieces.length === 0) {
    const isPresent = parts.present && assignment(parts.present) === true;
    return { kind: 'value', value: isPresent ? withoutTokens : undefined };
  }
  const text = arrangements(pieces, supply.anything(), effort)
    .filter((tokens) => isAsAssigned(wanted, tokens))
    .find((tokens) => tokens.every(isToken))
    ?.join(' ');
  return text === undefined ? { kind: 'unknown' } : { kind: 'value', value: text };
}

/** The assignment that a text must fulfil, and the effort for finding one. */
interface Wanted {
  readonly parts: TextParts;
  readonly assignment: Assignment;
  readonly effort: Effort;
}

/** A text that analyses to nothing. */
const withoutTokens = '---';

/** Tokens that the assignment allows. */
interface Supply {
  readonly isAllowed: (token: string) => boolean;
  /** A token of an interval without its own variable. */
  readonly other: (interval: Interval<string>) => string | undefined;
  /** A token that matches no condition. */
  readonly anything: () => string | undefined;
}

function supplyOf({ parts, assignment, effort }: Wanted): Supply {
  const { terms, phrases, patterns, rests } = parts;
  const forbidden = patterns.filter(({ variable }) => assignment(variable) === false);
  const inPhrases = new Set(phrases.flatMap(({ leaf }) => leaf.terms));
  const isAllowed = (token: string) => {
    spendEffort(effort, costOfToken + rests.length + token.length);
    const variable = terms.get(token) ?? rests.find(({ interval }) => holdsTerm(interval, token))?.variable;
    if (variable && assignment(variable) === false) return false;
    return isToken(token) && !forbidden.some(({ leaf }) => hasMatch(leaf, [token], effort));
  };
  const find = (interval: Interval<string>, fits: (token: string) => boolean) => {
    for (const text of textsIn(interval)) {
      if (!terms.has(text) && fits(text) && isAllowed(text)) return text;
    }
    return undefined;
  };
  const everything = { from: undefined, to: undefined };
  const isForeign = (token: string) => !inPhrases.has(token);
  return {
    isAllowed,
    other: (interval) => find(interval, isForeign) ?? find(interval, () => true),
    anything: () => {
      for (const { interval, variable } of rests) {
        const token = assignment(variable) === false ? undefined : find(interval, isForeign);
        if (token !== undefined) return token;
      }
      return find(everything, isForeign);
    },
  };
}

/** The tokens side by side that each required part needs; undefined if there are none for one part. */
function piecesOf({ parts, assignment, effort }: Wanted, supply: Supply): Pieces | undefined {
  const holds = ({ variable }: { readonly variable: Variable }) => assignment(variable) === true;
  const pieces: (readonly string[])[] = parts.phrases.filter(holds).map(({ leaf }) => leaf.terms);
  for (const [term, variable] of parts.terms) if (holds({ variable })) pieces.push([term]);
  for (const { interval } of parts.rests.filter(holds)) {
    spendEffort(effort, sizeOf(pieces));
    if (pieces.some((piece) => piece.some((token) => isRest(token, interval, parts)))) continue;
    const token = supply.other(interval);
    if (token === undefined) return undefined;
    pieces.push([token]);
  }
  for (const { leaf } of parts.patterns.filter(holds)) {
    if (pieces.some((piece) => hasMatch(leaf, piece, effort))) continue;
    const token = candidatesFor(leaf, parts, effort).find(
      (text) => supply.isAllowed(text) && hasMatch(leaf, [text], effort),
    );
    if (token === undefined) return undefined;
    pieces.push([token]);
  }
  return pieces;
}

/** Sequences of tokens that stand side by side. */
type Pieces = readonly (readonly string[])[];

/** Returns whether a token lies in an interval and has no variable of its own. */
function isRest(token: string, interval: Interval<string>, { terms }: TextParts): boolean {
  return !terms.has(token) && holdsTerm(interval, token);
}

/** Tokens that a pattern may match. */
function candidatesFor(leaf: LeafFilter, { terms, phrases }: TextParts, effort: Effort): string[] {
  const named = [...terms.keys(), ...phrases.flatMap((phrase) => phrase.leaf.terms)];
  return [...textsFitting(leaf, effort), ...named, ...textsIn({ from: undefined, to: undefined })];
}

/**
 * The numbers of filler tokens that are tried: a small slop spans a few, and people rarely write
 * one above 12.
 */
const gaps = [1, 2, 12];

/** The pieces in a few shapes: side by side, then apart, then with fillers inside. */
function arrangements(pieces: Pieces, filler: string | undefined, effort: Effort): string[][] {
  spendEffort(effort, pieces.length * sizeOf(pieces) + (costOfToken + Math.max(...gaps)) * sizeOf(pieces));
  const needed = pieces.filter((piece, place) => !isHeld(piece, place, pieces));
  const together = [needed.flat(), needed.toReversed().flat()];
  if (filler === undefined) return together;
  const apart = gaps.map((count) => spread(needed, new Array<string>(count).fill(filler)));
  const loose = gaps.map((count) => {
    const gap = new Array<string>(count).fill(filler);
    return spread(
      needed.map((piece) =>
        spread(
          [...piece].map((token) => [token]),
          gap,
        ),
      ),
      gap,
    );
  });
  return [...together, ...apart, ...loose];
}

/** Returns whether another piece contains this one; of equal pieces the first stays. */
function isHeld(piece: readonly string[], place: number, pieces: Pieces): boolean {
  return pieces.some(
    (other, at) =>
      at !== place &&
      piece.length <= other.length &&
      (piece.length < other.length || at < place) &&
      hasSequence(piece, other),
  );
}

function spread(pieces: Pieces, gap: readonly string[]): string[] {
  return pieces.flatMap((piece, place) => (place === 0 ? piece : [...gap, ...piece]));
}

/** The steps for analysing one token. */
const costOfToken = 32;

function sizeOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Returns whether tokens fulfil an assignment. */
function isAsAssigned({ parts, assignment, effort }: Wanted, tokens: readonly string[]): boolean {
  spendEffort(effort, parts.terms.size + tokens.length * (costOfToken + parts.rests.length));
  const held = new Set(tokens);
  const agrees = (variable: Variable, holds: boolean) => (assignment(variable) ?? holds) === holds;
  const hasRest = (interval: Interval<string>) => tokens.some((token) => isRest(token, interval, parts));
  return (
    [...parts.terms].every(([term, variable]) => agrees(variable, held.has(term))) &&
    parts.rests.every(({ interval, variable }) => agrees(variable, hasRest(interval))) &&
    [...parts.phrases, ...parts.patterns].every(({ leaf, variable }) =>
      agrees(variable, hasMatch(leaf, tokens, effort)),
    )
  );
}
