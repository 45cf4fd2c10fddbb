import type { Fix, Severity } from '../parse/finding.ts';
import type { Clause, Span } from '../parse/tree.ts';
import type { QueryLevel } from './level.ts';
import type { QueryView } from './query-view.ts';
import type { SplitConstruct } from './split-construct.ts';

/** The view of a query that a rule inspects, and the function that takes its findings. */
export interface LintContext extends QueryView {
  readonly report: ReportFinding;
}

/**
 * Reports a finding at a span. Fixes come with the likeliest first. They, and a
 * message given as a function, are computed when they are first read.
 */
export type ReportFinding = (
  span: Span,
  message: string | (() => string),
  fixes?: () => readonly Fix[],
) => void;

/** The position of a clause: its level, and its index among the parts of that level. */
export interface ClausePosition {
  readonly level: QueryLevel;
  readonly index: number;
  /** The split construct that the clause belongs to, if any. */
  readonly construct: SplitConstruct | undefined;
}

/**
 * One mistake in a query that the engine accepts. A rule checks levels, clauses,
 * or both; a level is checked before the clauses on it, in the order of the text.
 */
export interface LintRule {
  /** Stable: people search for it, silence it and link to it. */
  readonly code: string;
  /** The heading of its section in the manual. */
  readonly heading: string;
  /** The default severity; a rule that is `off` runs only when it is given another one. */
  readonly severity: Severity | 'off';
  readonly level?: (level: QueryLevel, context: LintContext) => void;
  readonly clause?: (clause: Clause, context: LintContext, place: ClausePosition) => void;
}
