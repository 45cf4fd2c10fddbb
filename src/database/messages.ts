/** A message to a child process. The first one is its task. */
export type ToChild =
  | { readonly kind: 'task'; readonly task: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** Acknowledges the last item. */
  | { readonly kind: 'next' }
  /** Requests an orderly end, soon. */
  | { readonly kind: 'stop' };

/** A message from a child process. After each item it waits for a `next`. */
export type FromChild =
  | { readonly kind: 'item'; readonly item: unknown }
  | { readonly kind: 'question'; readonly question: unknown }
  /** Additional memory that the task may use beside the base limit. Bytes. */
  | { readonly kind: 'memory'; readonly bytes: number }
  /** Resident memory of the process, if the parent cannot read it. Bytes. */
  | { readonly kind: 'resident'; readonly bytes: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly failure: SerializedError };

/** An error as it is passed between processes. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}
