import type { RuleSet } from '../../rules/index.ts';
import type { Case } from '../../store/index.ts';
import type { Turns } from './turns.ts';

/** The cases that the page shows, with the names to show. */
export interface OpenedCases extends AsyncDisposable {
  readonly cases: readonly Case[];
  readonly names: readonly string[];
  /** The words of a command line that name the same sources. */
  readonly paths: readonly string[];
}

/** What all calls of the page share. */
export interface SharedContext {
  readonly opened: OpenedCases;
  readonly turns: Turns;
  /** Rules that are evaluated. */
  readonly rules: RuleSet;
  /** Author of notes and saved searches. */
  readonly author: string;
}

/** Context of one call of the page. The signal aborts when the page is gone or asks something else. */
export interface CallContext extends SharedContext {
  readonly signal: AbortSignal;
}
