import type { Fix, Severity } from '../language/finding.ts';
import type { Clause, Item, Span } from '../language/tree.ts';
import type { Level } from './rules/views/level.ts';
import type { QueryView } from './rules/views/query-view.ts';

/** What a rule may look at, and how it says what it found. */
export interface RuleContext extends QueryView {
  readonly report: Report;
}

/**
 * Reports something at a place. A message that takes long to write, and the
 * fixes, the likeliest first, are worked out when somebody reads them.
 */
export type Report = (place: Span, message: string | (() => string), fixes?: () => readonly Fix[]) => void;

/**
 * One thing that can be wrong with a query that the engine accepts. A rule
 * looks at levels, at clauses, or at both; levels come before what is on them,
 * all in the order of the text.
 */
export interface Rule {
  /** Stable: people search for it, silence it and link to it. */
  readonly code: string;
  /** The heading of its section in the manual. */
  readonly heading: string;
  /** How much its findings matter; `off` where they are made only when asked for. */
  readonly severity: Severity | 'off';
  readonly level?: (level: Level, context: RuleContext) => void;
  /** What the items of the clauses are that it looks at, anything unless given. */
  readonly items?: readonly Item['kind'][];
  /**
   * What a clause has that it could find something about, where not any clause
   * could be: a `field` of its own; an `odd` item, no plain word or phrase; or a
   * part in something `misread`. Where anything is misread it is asked of all.
   */
  readonly looksFor?: 'field' | 'odd' | 'misread';
  readonly clause?: (clause: Clause, context: RuleContext) => void;
}
