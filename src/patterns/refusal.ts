/** Why the engine refuses a pattern. A value: the pattern is input. */
export interface Refusal {
  /** One sentence, no final stop. */
  readonly message: string;
  /** Where in the pattern, in UTF-16 units, if it is at one place. */
  readonly at?: number;
}
