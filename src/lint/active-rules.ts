import type { Severity } from '../language/finding.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules/index.ts';

/** A rule that is not off. */
export interface ActiveRule {
  readonly rule: Rule;
  readonly severity: Severity;
  /** Its index among all rules. */
  readonly order: number;
}

/** The rules that are not off, in their order. `severities` by code override those of the rules. */
export function activeRules(severities: ReadonlyMap<string, Severity | 'off'>): ActiveRule[] {
  return rules.flatMap((rule, order) => {
    const severity = severities.get(rule.code) ?? rule.severity;
    return severity === 'off' ? [] : [{ rule, severity, order }];
  });
}
