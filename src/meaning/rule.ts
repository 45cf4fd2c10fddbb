import type { Fix, Severity } from '../language/finding.ts';
import type { Clause, Query, Span } from '../language/tree.ts';
import type { Visitor } from '../language/walk.ts';
import type { Schema } from './fields.ts';
import type { Targets } from './targets.ts';

/**
 * Which texts are in order: those of section 4.2.1 of the interface document,
 * or everything that the engine understands.
 */
export type Dialect = 'documented' | 'lucene';

/** What a rule may look at, and how it says what it found. */
export interface RuleContext {
  readonly query: Query;
  readonly schema: Schema;
  readonly dialect: Dialect;
  /** What `now` means in a date, in milliseconds since the epoch. */
  readonly now: number;
  /** What a clause searches. */
  readonly targets: (clause: Clause) => Targets;
  readonly report: Report;
}

/** Reports something at a place; the likeliest fix first. */
export type Report = (place: Span, message: string, fixes?: readonly Fix[]) => void;

/** One thing that can be wrong with a query that the engine accepts. */
export interface Rule {
  /** Stable: people search for it, silence it and link to it. */
  readonly code: string;
  /** The heading of its section in the manual. */
  readonly heading: string;
  readonly severity: Severity;
  /** The functions that look at the nodes of one query. */
  readonly check: (context: RuleContext) => Visitor;
}
