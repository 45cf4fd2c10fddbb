/**
 * A regular expression in the engine's syntax, as a value. It is the same as
 * the text but for what has no meaning: parentheses, quotes and backslashes.
 */
export type RegexpTree =
  | Ranges
  | Text
  | Anything
  | Nothing
  | RegexpInterval
  | Union
  | Concatenation
  | Intersection
  | Complement
  | RegexpRepetition;

/** The least and the greatest of a range of code points. */
export type CodePointRange = readonly [min: number, max: number];

/** `a`, `a-z` in brackets, `.`, `[^a-z]`: one code point. The ranges are in order and do not meet. */
export interface Ranges {
  readonly kind: 'ranges';
  readonly ranges: readonly CodePointRange[];
}

/** `"a.b"`, `()`: this text. */
export interface Text {
  readonly kind: 'text';
  readonly text: string;
}

/** `@`: any text. */
export interface Anything {
  readonly kind: 'anything';
}

/** `#`: no text at all, not even the empty one. */
export interface Nothing {
  readonly kind: 'nothing';
}

/** `<1-15>`: a number in decimal digits. */
export interface RegexpInterval {
  readonly kind: 'interval';
  readonly min: number;
  readonly max: number;
  /** How many digits there must be; with 0, any number of zeros may stand in front. */
  readonly digits: number;
}

/** `a|b`, and `[ab]`: any of them. */
export interface Union {
  readonly kind: 'union';
  readonly parts: readonly RegexpTree[];
}

/** `ab`: one after the other. */
export interface Concatenation {
  readonly kind: 'concatenation';
  readonly parts: readonly RegexpTree[];
}

/** `a&b`: both of them. */
export interface Intersection {
  readonly kind: 'intersection';
  readonly left: RegexpTree;
  readonly right: RegexpTree;
}

/** `~a`: any text but this. */
export interface Complement {
  readonly kind: 'complement';
  readonly part: RegexpTree;
}

/** `a?`, `a*`, `a+`, `a{3}`, `a{3,}`, `a{3,5}`: so often, without an end where `max` is missing. */
export interface RegexpRepetition {
  readonly kind: 'repetition';
  readonly part: RegexpTree;
  readonly min: number;
  readonly max: number | undefined;
  /** Whether it is a `?`, which the engine builds otherwise than `{0,1}`. */
  readonly optional: boolean;
}
