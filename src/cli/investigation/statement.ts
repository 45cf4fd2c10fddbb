/** A sentence with its label, and the query that shows its logs. */
export interface Statement {
  readonly label: string;
  readonly text: string;
  readonly query?: string | undefined;
}
