/** A problem with a message of the interface, described for its sender. A value: never thrown. */
export interface MessageFinding {
  /** The parameter or key that is wrong. */
  readonly parameter: string;
  /** One sentence without a final stop. Never quotes a password or a token. */
  readonly message: string;
}
