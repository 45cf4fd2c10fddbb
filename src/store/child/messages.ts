/** A message to a child process. The first one is its task. */
export type ToChild =
  | { readonly kind: 'task'; readonly task: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** The last item was taken. */
  | { readonly kind: 'next' }
  /** Nobody wants more: the work is to end in order, and soon. */
  | { readonly kind: 'stop' };

/** A message of a child process. Each item waits for a `next` before another one is sent. */
export type FromChild =
  | { readonly kind: 'item'; readonly item: unknown }
  | { readonly kind: 'question'; readonly question: unknown }
  /** The memory that the work may take besides what any process takes. Bytes. */
  | { readonly kind: 'memory'; readonly bytes: number }
  /** The resident memory of the process, where nobody else can see it. Bytes. */
  | { readonly kind: 'resident'; readonly bytes: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** An error that crosses from one process into another. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}
