/**
 * The character classes of the analyzer, as small numbers.
 *
 * Each character is in exactly one class, although the underlying properties overlap: a Thai vowel
 * sign, for example, both extends a word (Word_Break=Extend) and starts one (Line_Break=SA).
 */
export const characterClass = {
  /** Never in a token: spaces, most punctuation, everything unassigned in Unicode 9.0. */
  other: 0,
  letter: 1,
  hebrewLetter: 2,
  number: 3,
  katakana: 4,
  /** `_` and similar characters (Word_Break=ExtendNumLet). */
  joiner: 5,
  /** `:` and similar characters. */
  midLetter: 6,
  /** `,` `;` and similar characters. */
  midNumber: 7,
  /** `.` and similar characters: between letters and between numbers. */
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
  /** An emoji that is a letter as well, for example Ⓜ. */
  emojiLetter: 15,
  /** A skin tone. */
  emojiModifier: 16,
  /** One of the letters that make a flag in pairs. */
  regionalIndicator: 17,
  /** `#` and `*`. The digits, which make keycaps too, are numbers. */
  keycapBase: 18,
  /** A combining mark or format character. This class and all later ones extend the preceding character. */
  extend: 19,
  complexExtend: 20,
  zeroWidthJoiner: 21,
  /** U+20E3, the keycap around a digit. */
  keycap: 22,
  /** U+FE0E, which selects the text style. */
  textStyle: 23,
  /** U+FE0F, which selects the emoji style. */
  emojiStyle: 24,
  /** The letters of a tag sequence, for example in the flag of Wales. */
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

/** Returns whether a set contains a class, given by its number. */
export function isInClassSet(set: ClassSet, found: number): boolean {
  return ((set >>> found) & 1) === 1;
}

/**
 * The classes that are never separated from the preceding character (rule WB4 of Unicode Standard
 * Annex 29).
 */
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
