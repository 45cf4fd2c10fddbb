import type { Case } from '../../store/index.ts';

/** The cases that the page shows, with the names to show. */
export interface OpenedCases {
  readonly cases: readonly Case[];
  readonly names: readonly string[];
  /** The words of a command line that name the same sources. */
  readonly paths: readonly string[];
}

/** Answers one call of the page. The signal aborts when the page is gone or asks something else. */
export interface CallContext {
  readonly opened: OpenedCases;
  readonly signal: AbortSignal;
}
