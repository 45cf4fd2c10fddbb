/** The reason why the engine refuses a pattern. A value: the pattern is input. */
export interface EngineRefusal {
  /** One sentence, no final stop. */
  readonly message: string;
  /** The position in the pattern in UTF-16 units, if there is one. */
  readonly at?: number;
}
