/** A regular expression in the engine's syntax, as a value, without parentheses, quotes and backslashes. */
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

/** The least and the greatest code point of a range. */
export type CodePointRange = readonly [min: number, max: number];

/** `a`, `a-z` in brackets, `.`, `[^a-z]`: one code point. The ranges are in order and do not touch. */
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
  /** The required number of digits; with 0, any number of leading zeros. */
  readonly digits: number;
}

/** `a|b` and `[ab]`: any of the parts. */
export interface Union {
  readonly kind: 'union';
  readonly parts: readonly RegexpTree[];
}

/** `ab`: the parts one after the other. */
export interface Concatenation {
  readonly kind: 'concatenation';
  readonly parts: readonly RegexpTree[];
}

/** `a&b`: both parts. */
export interface Intersection {
  readonly kind: 'intersection';
  readonly left: RegexpTree;
  readonly right: RegexpTree;
}

/** `~a`: any other text. */
export interface Complement {
  readonly kind: 'complement';
  readonly part: RegexpTree;
}

/** `a?`, `a*`, `a+`, `a{3}`, `a{3,}`, `a{3,5}`: a repetition, unlimited where `max` is undefined. */
export interface RegexpRepetition {
  readonly kind: 'repetition';
  readonly part: RegexpTree;
  readonly min: number;
  readonly max: number | undefined;
  /** True for a `?`, for which the engine builds another automaton than for `{0,1}`. */
  readonly optional: boolean;
}
