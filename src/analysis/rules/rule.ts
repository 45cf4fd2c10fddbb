import type { Filter } from '../../language/index.ts';
import type { MappedField } from './mapping.ts';

/** The levels of rules, the least critical first (Sigma rules specification 2.0). */
export const ruleLevels = ['informational', 'low', 'medium', 'high', 'critical'] as const;

/** The level of a rule. */
export type RuleLevel = (typeof ruleLevels)[number];

/** File and names of a rule. */
export interface RuleHead {
  /** Name of the file. */
  readonly file: string;
  /** Number of the document in the file, from 1. */
  readonly document: number;
  readonly title: string;
  readonly id?: string;
  readonly name?: string;
  readonly level?: RuleLevel;
  readonly description?: string;
}

/** A rule that selects single logs. */
export interface DetectionRule extends RuleHead {
  readonly kind: 'detection';
  readonly filter: Filter;
  /** A query for exactly these logs in the documented language, where it can express them. */
  readonly query?: string;
  /** A SELECT for exactly these logs on the views of a case. */
  readonly sql?: string;
}

/** The kind of a correlation. */
export type CorrelationType =
  | 'event_count'
  | 'value_count'
  | 'value_sum'
  | 'value_avg'
  | 'value_percentile'
  | 'value_median'
  | 'temporal'
  | 'temporal_ordered';

/** Limits of a count; all that are given hold. */
export interface CountLimits {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly eq?: number;
}

/** A rule on several logs near each other in time (Sigma correlation rules specification 2.0). */
export interface CorrelationRule extends RuleHead {
  readonly kind: 'correlation';
  readonly type: CorrelationType;
  /** The rules that it correlates, in their order. */
  readonly rules: readonly Rule[];
  /** For each correlated rule the fields that logs of one group share; in the order of `groupNames`. */
  readonly groupBy: readonly (readonly MappedField[])[];
  readonly groupNames: readonly string[];
  /** Milliseconds. */
  readonly timespan: number;
  /** For counts and for what is computed of values; for `temporal` the number of different rules, all of them without limits. */
  readonly limits?: CountLimits;
  /** For types of values: the field of each correlated rule. */
  readonly counted?: readonly MappedField[];
  /** For `value_percentile`: from 0 to 100. */
  readonly percentile?: number;
}

/** A rule that can be evaluated. */
export type Rule = DetectionRule | CorrelationRule;

/** A rule that cannot be evaluated, and the reason. */
export interface UnsupportedRule extends Partial<Omit<RuleHead, 'file'>> {
  readonly file: string;
  readonly reason: string;
}

/** Compiled rules. */
export interface RuleSet {
  /** Rules with results of their own: one that is only correlated has none unless it says `generate`. */
  readonly rules: readonly Rule[];
  readonly unsupported: readonly UnsupportedRule[];
}
