/**
 * What the analyzer needs to know of a character, as small numbers.
 *
 * The classes are cut so that each character is in one only, although the
 * properties they come from overlap: a Thai vowel sign, for example, both
 * extends a word (Word_Break=Extend) and starts one (Line_Break=SA).
 */
export const characterClass = {
  /** Never in a token: spaces, most punctuation, everything that Unicode 9.0 does not know. */
  other: 0,
  letter: 1,
  hebrewLetter: 2,
  number: 3,
  katakana: 4,
  /** `_` and its like (Word_Break=ExtendNumLet). */
  joiner: 5,
  /** `:` and its like. */
  midLetter: 6,
  /** `,` `;` and their like. */
  midNumber: 7,
  /** `.` and its like: between letters and between numbers. */
  midBoth: 8,
  singleQuote: 9,
  doubleQuote: 10,
  /** A character of a script without spaces between words: Thai, Lao, Myanmar, Khmer, … */
  complex: 11,
  /** A Han or Hiragana character, a token by itself. */
  ideograph: 12,
  emoji: 13,
  /** An emoji that takes a skin tone. */
  emojiBase: 14,
  /** An emoji that is a letter as well, as Ⓜ is. */
  emojiLetter: 15,
  /** A skin tone. */
  emojiModifier: 16,
  /** One of the letters that make a flag, two at a time. */
  regionalIndicator: 17,
  /** `#` and `*`. The digits, which make keys too, are numbers already. */
  keycapBase: 18,
  /** A combining mark or format character. From here on the classes extend what is before them. */
  extend: 19,
  complexExtend: 20,
  zeroWidthJoiner: 21,
  /** U+20E3, the key around a digit. */
  keycap: 22,
  /** U+FE0E, which asks for the look of text. */
  textStyle: 23,
  /** U+FE0F, which asks for the look of an emoji. */
  emojiStyle: 24,
  /** The letters of a tag sequence, as in the flag of Wales. */
  tag: 25,
  tagEnd: 26,
} as const;

export type ClassName = keyof typeof characterClass;

/** The names of the classes. The object above has no other keys. */
export const classNames = Object.keys(characterClass) as readonly ClassName[];

/** A set of classes, one bit for each. */
export type ClassSet = number;

/** Makes a set of classes. */
export function classSet(...names: readonly ClassName[]): ClassSet {
  return names.reduce((set, name) => set | (1 << characterClass[name]), 0);
}

/** Whether a class, given by its number, is in a set. */
export function isInClassSet(set: ClassSet, found: number): boolean {
  return ((set >>> found) & 1) === 1;
}

/** The characters that never part from the one before them (rule WB4 of Unicode Standard Annex 29). */
export const extendingClasses: ClassSet = classSet(
  'extend',
  'complexExtend',
  'zeroWidthJoiner',
  'keycap',
  'textStyle',
  'emojiStyle',
  'tag',
  'tagEnd',
);
