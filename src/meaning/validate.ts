import { byPlace, type Finding, type Severity } from '../language/finding.ts';
import type { Query } from '../language/tree.ts';
import { together, walk } from '../language/walk.ts';
import { documentedSchema, type Schema } from './fields.ts';
import type { Dialect, Rule, RuleContext } from './rule.ts';
import { rules } from './rules/index.ts';
import { targetsOf } from './targets.ts';

/** What a query is held against. */
export interface ValidateOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `documented` unless given. */
  readonly dialect?: Dialect;
  /** What `now` means in a date, in milliseconds since the epoch; the epoch itself unless given. */
  readonly now?: number;
  /** Severities by code, where they are to differ from the rules' own; `off` silences a rule. */
  readonly severities?: ReadonlyMap<string, Severity | 'off'>;
}

/**
 * What is doubtful about a query that the engine accepts, in the order of the
 * text. Of broken text the sound parts are looked at; what is broken about it
 * `parse` has found already.
 */
export function validate(query: Query, options: ValidateOptions = {}): Finding[] {
  const schema = options.schema ?? documentedSchema;
  const targets = targetsOf(query, schema);
  const findings: Finding[] = [];
  const visitors = rules.map((rule) => {
    const severity = options.severities?.get(rule.code) ?? rule.severity;
    if (severity === 'off') return {};
    const context: RuleContext = {
      query,
      schema,
      dialect: options.dialect ?? 'documented',
      now: options.now ?? 0,
      targets: (clause) => targets.get(clause) ?? { named: undefined, fields: schema.defaults },
      report: ({ from, to }, message, fixes = []) => {
        findings.push({ code: rule.code, severity, from, to, message, fixes });
      },
    };
    return rule.check(context);
  });
  walk(query, together(visitors));
  return findings.sort(byPlace);
}

/** The headings of the manual's sections about the rules, by code. */
export const ruleHeadings: ReadonlyMap<string, string> = new Map(
  rules.map(({ code, heading }: Rule) => [code, heading]),
);
