import type { Realised } from './field-theory.ts';
import { holdsTerm, type Interval } from './interval.ts';
import { hasMatch } from './leaf-match.ts';
import type { Assignment, Leaf, Variable } from './logic.ts';
import { textsFitting } from './pattern-samples.ts';
import { isToken, textsIn } from './samples.ts';
import type { TextParts } from './text-parts.ts';

/**
 * A text with what is to hold and without what is not. Only texts of a simple
 * shape are tried: everything that is needed side by side, with other tokens
 * between where that is not enough.
 */
export function realiseTokens(parts: TextParts, assignment: Assignment): Realised {
  const supply = supplyOf(parts, assignment);
  const pieces = piecesOf(parts, assignment, supply);
  if (!pieces) return { kind: 'unknown' };
  if (pieces.length === 0) return { kind: 'value', value: undefined };
  const text = arrangements(pieces, supply.anything())
    .filter((tokens) => isAsAssigned(parts, assignment, tokens))
    .find((tokens) => tokens.every(isToken))
    ?.join(' ');
  return text === undefined ? { kind: 'unknown' } : { kind: 'value', value: text };
}

/** Tokens that may stand in the text: those that nothing assigned forbids. */
interface Supply {
  readonly isAllowed: (token: string) => boolean;
  /** A token of an interval that is not named. */
  readonly other: (interval: Interval<string>) => string | undefined;
  /** A token that belongs to nothing that is asked for. */
  readonly anything: () => string | undefined;
}

function supplyOf({ terms, phrases, patterns, rests }: TextParts, assignment: Assignment): Supply {
  const forbidden = patterns.filter(({ variable }) => assignment(variable) === false);
  const inPhrases = new Set(phrases.flatMap(({ leaf }) => leaf.terms));
  const isAllowed = (token: string) => {
    const variable = terms.get(token) ?? rests.find(({ interval }) => holdsTerm(interval, token))?.variable;
    if (variable && assignment(variable) === false) return false;
    return isToken(token) && !forbidden.some(({ leaf }) => hasMatch(leaf, [token]));
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

/** The tokens that each part that is to hold needs side by side; undefined when there are none for one. */
function piecesOf(parts: TextParts, assignment: Assignment, supply: Supply): Pieces | undefined {
  const holds = ({ variable }: { readonly variable: Variable }) => assignment(variable) === true;
  const pieces: (readonly string[])[] = parts.phrases.filter(holds).map(({ leaf }) => leaf.terms);
  for (const [term, variable] of parts.terms) if (holds({ variable })) pieces.push([term]);
  for (const { interval } of parts.rests.filter(holds)) {
    if (pieces.flat().some((token) => isRest(token, interval, parts))) continue;
    const token = supply.other(interval);
    if (token === undefined) return undefined;
    pieces.push([token]);
  }
  for (const { leaf } of parts.patterns.filter(holds)) {
    if (pieces.some((piece) => hasMatch(leaf, piece))) continue;
    const token = candidatesFor(leaf, parts).find((text) => supply.isAllowed(text) && hasMatch(leaf, [text]));
    if (token === undefined) return undefined;
    pieces.push([token]);
  }
  return pieces;
}

/** Tokens that stand side by side, several times over. */
type Pieces = readonly (readonly string[])[];

/** Whether a token is one of an interval that is not named. */
function isRest(token: string, interval: Interval<string>, { terms }: TextParts): boolean {
  return !terms.has(token) && holdsTerm(interval, token);
}

/** Tokens that a pattern may match. */
function candidatesFor(leaf: Leaf, { terms, phrases }: TextParts): string[] {
  const named = [...terms.keys(), ...phrases.flatMap((phrase) => phrase.leaf.terms)];
  return [...textsFitting(leaf), ...named, ...textsIn({ from: undefined, to: undefined })];
}

/** So many tokens between others are tried: a slop sees across a few, and people write no larger ones than the last. */
const gaps = [1, 2, 12];

/** The pieces in a few shapes: side by side, then apart, then with others inside of them. */
function arrangements(pieces: Pieces, filler: string | undefined): string[][] {
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

/** Whether another piece has this one in it; of equal ones the first stays. */
function isHeld(piece: readonly string[], place: number, pieces: Pieces): boolean {
  return pieces.some(
    (other, at) => at !== place && contains(other, piece) && (piece.length < other.length || at < place),
  );
}

function contains(tokens: readonly string[], piece: readonly string[]): boolean {
  return tokens.some((_, start) => piece.every((token, offset) => tokens[start + offset] === token));
}

function spread(pieces: Pieces, gap: readonly string[]): string[] {
  return pieces.flatMap((piece, place) => (place === 0 ? piece : [...gap, ...piece]));
}

/** Whether tokens have what is to hold and have not what is not to. */
function isAsAssigned(parts: TextParts, assignment: Assignment, tokens: readonly string[]): boolean {
  const agrees = (variable: Variable, holds: boolean) => (assignment(variable) ?? holds) === holds;
  const hasRest = (interval: Interval<string>) => tokens.some((token) => isRest(token, interval, parts));
  return (
    [...parts.terms].every(([term, variable]) => agrees(variable, tokens.includes(term))) &&
    parts.rests.every(({ interval, variable }) => agrees(variable, hasRest(interval))) &&
    [...parts.phrases, ...parts.patterns].every(({ leaf, variable }) =>
      agrees(variable, hasMatch(leaf, tokens)),
    )
  );
}
