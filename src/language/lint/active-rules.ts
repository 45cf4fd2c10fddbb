import type { Severity } from '../parse/finding.ts';
import { lintRules } from './lint-rules.ts';
import type { LintRule } from './rule.ts';

/** A rule that is not off. */
export interface ActiveRule {
  readonly rule: LintRule;
  readonly severity: Severity;
  /** Its index among all rules. */
  readonly order: number;
}

/** The rules that are not off, in their order. `severities` by code override those of the rules. */
export function activeRules(severities: ReadonlyMap<string, Severity | 'off'>): ActiveRule[] {
  return lintRules.flatMap((rule, order) => {
    const severity = severities.get(rule.code) ?? rule.severity;
    return severity === 'off' ? [] : [{ rule, severity, order }];
  });
}
