import type { Edits } from '../patterns/fuzzy.ts';
import { type CodePoints, fitsRe2, literalRe2, type Re2 } from './re2.ts';

/**
 * A regular expression for RE2 that matches what is at most so many edits away
 * from a term, a swap of two neighbours being one edit; undefined when it
 * would be too large. It grows with the square of the length of the term for
 * one edit, with the cube for two.
 */
export function fuzzyRe2(term: string, edits: Edits, codePoints: CodePoints): Re2 | undefined {
  const characters = [...term];
  const size = 2 * (characters.length + 1) ** (edits + 1);
  const depth = characters.length + edits + 1;
  if (!fitsRe2({ size, depth })) return undefined;
  return { text: near(characters, edits, codePoints), exact: true, size, depth, repeats: edits };
}

function near(characters: readonly string[], edits: number, codePoints: CodePoints): string {
  const [first, second = '', ...others] = characters;
  const { any } = codePoints;
  if (edits === 0) return literalRe2(characters.join(''), codePoints).text;
  if (first === undefined) return `${any}{0,${edits}}`;
  const rest = characters.slice(1);
  const ways = [
    literalRe2(first, codePoints).text + near(rest, edits, codePoints),
    // Either another code point stands here or none does.
    `${any}?${near(rest, edits - 1, codePoints)}`,
    any + near(characters, edits - 1, codePoints),
  ];
  if (second !== '')
    ways.push(literalRe2(second + first, codePoints).text + near(others, edits - 1, codePoints));
  return `(?:${ways.join('|')})`;
}
