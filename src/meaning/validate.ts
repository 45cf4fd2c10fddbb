import {
  andMore,
  byPlace,
  type Finding,
  type Fix,
  mostFindings,
  type Severity,
} from '../language/finding.ts';
import type { Group, Query, Span } from '../language/tree.ts';
import { type ActiveRule, activeRules } from './active-rules.ts';
import type { Dialect } from './dialect.ts';
import { documentedSchema, type Schema } from './fields.ts';
import { LateFinding } from './late-finding.ts';
import type { Report, RuleContext } from './rule.ts';
import { rules } from './rules/index.ts';
import { viewOf } from './rules/views/query-view.ts';

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
 *
 * ```ts
 * validate(parse('levle:SEVERE').query)[0]?.code; // 'unknown-field'
 * ```
 */
export function validate(query: Query, options: ValidateOptions = {}): Finding[] {
  const active = options.severities ? activeRules(options.severities) : activeByDefault;
  const view = viewOf(query, {
    schema: options.schema ?? documentedSchema,
    dialect: options.dialect ?? 'documented',
    now: options.now ?? 0,
  });
  const found: Found[] = [];
  const counts: number[] = [];
  // There is one report for all rules, which work one after the other: many are asked about every clause.
  let working: ActiveRule | undefined;
  const report: Report = ({ from, to }, message, fixes) => {
    if (!working) return;
    const count = (counts[working.order] ?? 0) + 1;
    counts[working.order] = count;
    if (count <= mostFindings) found.push({ by: working, from, to, message, fixes });
  };
  const context: RuleContext = Object.assign(view, { report });
  visit(query);
  return toFindings(found, counts);

  function visit(node: Query | Group): void {
    const level = view.level(node);
    for (working of active.ofLevel(level)) working.rule.level?.(level, context);
    for (const { clauses, at, sought } of level.members) {
      for (let place = 0; place < clauses.length; place += 1) {
        const clause = clauses[place];
        if (!clause) continue;
        const index = at + place;
        const misread = level.misreads[index];
        const asking = active.ofClause(clause, sought, misread);
        if (0 < asking.length) {
          const place = { level, index, misread };
          for (working of asking) working.rule.clause?.(clause, context, place);
        }
        if (clause.item.kind === 'Group') visit(clause.item);
      }
    }
  }
}

/** The headings of the manual's sections about the rules, by code. */
export const ruleHeadings: ReadonlyMap<string, string> = new Map(
  rules.map(({ code, heading }) => [code, heading]),
);

const activeByDefault = activeRules(new Map());

/** What a rule reported. */
interface Found extends Span {
  readonly by: ActiveRule;
  readonly message: string | (() => string);
  readonly fixes: (() => readonly Fix[]) | undefined;
}

/** The findings in the order of the text, the last one of a rule with how many more it has. */
function toFindings(found: Found[], counts: readonly number[]): Finding[] {
  if (1 < found.length) found.sort((a, b) => byPlace(a, b) || a.by.order - b.by.order);
  if (found.length < mostFindings) return found.map((each) => toFinding(each, 0));
  const last = new Map(found.map((each) => [each.by, each]));
  return found.map((each) => {
    const isLast = last.get(each.by) === each;
    return toFinding(each, isLast ? (counts[each.by.order] ?? 0) - mostFindings : 0);
  });
}

/** One finding, which may stand for `more` of its kind. */
function toFinding({ by: { rule, severity }, from, to, message, fixes }: Found, more: number): Finding {
  return new LateFinding({
    code: rule.code,
    severity,
    from,
    to,
    message: more <= 0 ? message : () => (typeof message === 'string' ? message : message()) + andMore(more),
    fixes,
  });
}
