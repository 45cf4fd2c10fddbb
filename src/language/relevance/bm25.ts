import { fromLengthByte, toLengthByte } from './length-byte.ts';

/**
 * BM25 in 32-bit floats, like the engine, so that both have the same ties (relevance in section 7
 * of the language specification).
 */

const { fround } = Math;

/** The saturation of the term frequency. */
const k1 = fround(1.2);

/** The weight of the field length. */
const b = fround(0.75);

/** The inverse document frequency of a term, from the documents with the term and those with its field. */
export function inverseFrequency(withTerm: number, withField: number): number {
  return fround(Math.log(1 + (withField - withTerm + 0.5) / (withTerm + 0.5)));
}

/**
 * The score of a term in a document. `weight` is its boost times its inverse frequency, `length`
 * the length of the field in tokens.
 */
export type TermScore = (weight: number, frequency: number, length: number) => number;

/** The scores in a field of a given average length in tokens. */
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
