import { fromLengthByte, toLengthByte } from './length-byte.ts';

/**
 * BM25 as the engine computes it: in 32-bit floats, so that what is a tie there
 * is one here (relevance in section 7 of the language specification).
 */

const { fround } = Math;

/** How soon a word that occurs again and again stops to count more. */
const k1 = fround(1.2);

/** How much the length of a field matters. */
const b = fround(0.75);

/** How much a term tells that so many of the documents have which have its field at all. */
export function inverseFrequency(withTerm: number, withField: number): number {
  return fround(Math.log(1 + (withField - withTerm + 0.5) / (withTerm + 0.5)));
}

/**
 * The score of a term of a certain weight, which is its boost times its inverse
 * frequency, by how often a document has it and how long the field is there.
 */
export type TermScore = (weight: number, frequency: number, length: number) => number;

/** The scores in a field of an average length, both in tokens. */
export function termScore(averageLength: number): TermScore {
  const average = fround(averageLength);
  const inverses = Float32Array.from({ length: 256 }, (_, byte) => {
    const relative = fround(fround(b * fround(fromLengthByte(byte))) / average);
    return fround(1 / fround(k1 * fround(fround(1 - b) + relative)));
  });
  return (weight, frequency, length) => {
    const saturation = fround(fround(frequency) * (inverses[toLengthByte(length)] ?? 0));
    return fround(weight - fround(weight / fround(1 + saturation)));
  };
}
