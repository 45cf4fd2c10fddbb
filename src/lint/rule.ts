import type { Fix, Severity } from '../language/finding.ts';
import type { Clause, Item, Span } from '../language/tree.ts';
import type { Field } from '../meaning/fields.ts';
import type { Level } from './views/level.ts';
import type { Misread } from './views/misread.ts';
import type { QueryView } from './views/query-view.ts';

/** What a rule may look at, and how it says what it found. */
export interface RuleContext extends QueryView {
  readonly report: Report;
}

/**
 * Reports something at a place. A message that takes long to write, and the
 * fixes, the likeliest first, are worked out when somebody reads them.
 */
export type Report = (place: Span, message: string | (() => string), fixes?: () => readonly Fix[]) => void;

/** Where a clause stands: on which level, and at which place of its parts. */
export interface Place {
  readonly level: Level;
  readonly index: number;
  /** What it belongs to that is read part by part, against what was meant. */
  readonly misread: Misread | undefined;
}

/**
 * One thing that can be wrong with a query that the engine accepts. A rule
 * looks at levels, at clauses, or at both; levels come before what is on them,
 * all in the order of the text.
 *
 * Most clauses are plain, and a rule finds nothing about most of them. With
 * `items`, `fields` and `looksFor` it says about which ones it could, and is
 * asked about no others.
 */
export interface Rule {
  /** Stable: people search for it, silence it and link to it. */
  readonly code: string;
  /** The heading of its section in the manual. */
  readonly heading: string;
  /** How much its findings matter; `off` where they are made only when asked for. */
  readonly severity: Severity | 'off';
  readonly level?: (level: Level, context: RuleContext) => void;
  /** Whether it looks at how parts of a level go together, so that of one part alone it finds nothing. */
  readonly joins?: true;
  readonly clause?: (clause: Clause, context: RuleContext, place: Place) => void;
  /** What the items of the clauses are that it looks at, anything unless given. */
  readonly items?: readonly Item['kind'][];
  /** Whether it could find something about clauses that search these fields; about any unless given. */
  readonly fields?: (fields: readonly Field[]) => boolean;
  /**
   * What a clause has that it could find something about, where not any clause
   * could be: something `odd`, which a plain clause has not; or being a part of
   * something `misread`, which is odd as well.
   */
  readonly looksFor?: 'odd' | 'misread';
}
