import { byPlace, type Finding, type Fix, type Severity } from '../language/finding.ts';
import type { Group, Query, Span } from '../language/tree.ts';
import type { Dialect } from './dialect.ts';
import { documentedSchema, type Schema } from './fields.ts';
import type { Rule, RuleVisitor } from './rule.ts';
import { rules } from './rules/index.ts';
import { type QueryView, viewOf } from './rules/views/query-view.ts';

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
 * Of one rule so many findings are given back, the first ones of the text; the
 * last of them says how many more there are. Nobody reads on, and a text of a
 * megabyte could have a hundred thousand.
 */
export const mostFindings = 50;

/**
 * What is doubtful about a query that the engine accepts, in the order of the
 * text. Of broken text the sound parts are looked at; what is broken about it
 * `parse` has found already.
 *
 * ```ts
 * validate(parse('levle:SEVERE').query)[0]?.code; // 'unknown-field'
 * ```
 */
export function validate(query: Query, options: ValidateOptions = {}): Finding[] {
  const view = viewOf(query, {
    schema: options.schema ?? documentedSchema,
    dialect: options.dialect ?? 'documented',
    now: options.now ?? 0,
  });
  const runs = rules.flatMap((rule) => {
    const severity = options.severities?.get(rule.code) ?? rule.severity;
    return severity === 'off' ? [] : [runOf(rule, severity, view)];
  });
  visitLevel(query, runs, view);
  return runs.flatMap(({ findings }) => findings()).sort(byPlace);
}

/** The headings of the manual's sections about the rules, by code. */
export const ruleHeadings: ReadonlyMap<string, string> = new Map(
  rules.map(({ code, heading }) => [code, heading]),
);

/** Shows a list of clauses, and those within it, to all rules. */
function visitLevel(node: Query | Group, runs: readonly Run[], view: QueryView): void {
  const level = view.level(node);
  for (const { visitor } of runs) visitor.Level?.(level);
  for (const part of node.parts) {
    if (part.kind === 'Stray') continue;
    for (const { visitor } of runs) visitor.Clause?.(part);
    if (part.item.kind === 'Group') visitLevel(part.item, runs, view);
  }
}

interface Run {
  readonly visitor: RuleVisitor;
  /** What was found in the walk. */
  readonly findings: () => Finding[];
}

interface Reported extends Span {
  readonly message: string;
  readonly fixes: (() => readonly Fix[]) | undefined;
}

/** A rule at work on one query. */
function runOf(rule: Rule, severity: Severity, view: QueryView): Run {
  const reported: Reported[] = [];
  const visitor = rule.check({
    ...view,
    report: ({ from, to }, message, fixes) => reported.push({ from, to, message, fixes }),
  });
  const findings = () => {
    const more = reported.length - mostFindings;
    const kept = reported.sort(byPlace).slice(0, mostFindings);
    return kept.map(({ from, to, message, fixes }, index): Finding => {
      const isLast = 0 < more && index === mostFindings - 1;
      return {
        code: rule.code,
        severity,
        from,
        to,
        message: isLast ? `${message} (and ${more} more like this)` : message,
        fixes: fixes?.() ?? [],
      };
    });
  };
  return { visitor, findings };
}
