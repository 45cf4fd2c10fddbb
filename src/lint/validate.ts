import { type Engine, engines } from '../language/engine.ts';
import {
  andMore,
  byPlace,
  type Finding,
  type Fix,
  mostFindings,
  type Severity,
} from '../language/finding.ts';
import type { Group, Query, Span } from '../language/tree.ts';
import type { Dialect } from '../meaning/dialect.ts';
import { documentedSchema, type Schema } from '../meaning/fields.ts';
import { type ActiveRule, activeRules } from './active-rules.ts';
import { LateFinding } from './late-finding.ts';
import type { Report, RuleContext } from './rule.ts';
import { rules } from './rules/index.ts';
import { viewOf } from './views/query-view.ts';

/** What a query is held against. */
export interface ValidateOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `documented` unless given. */
  readonly dialect?: Dialect;
  /** The engine that runs the query; that of the deployment unless given. */
  readonly engine?: Engine;
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
    engine: options.engine ?? engines.deployment,
    now: options.now ?? 0,
  });
  const found: Found[] = [];
  let counts: Map<ActiveRule, number> | undefined;
  // There is one report for all rules, which work one after the other: many are asked about every clause.
  let working: ActiveRule | undefined;
  const report: Report = ({ from, to }, message, fixes) => {
    if (!working) return;
    if (mostFindings <= found.length) {
      // Until now there could not be too many of a kind, so nobody counted.
      counts ??= countsOf(found);
      const count = (counts.get(working) ?? 0) + 1;
      counts.set(working, count);
      if (mostFindings < count) return;
    }
    insert(found, { by: working, from, to, message, fixes });
  };
  const context: RuleContext = Object.assign(view, { report });
  visit(query);
  return toFindings(found, counts);

  function visit(node: Query | Group): void {
    const level = view.level(node);
    for (working of active.ofLevel(level)) working.rule.level?.(level, context);
    for (const { clauses, at, sought } of level.members) {
      let index = at;
      for (const clause of clauses) {
        const misread = level.misreads[index];
        const asking = active.ofClause(clause, sought, misread);
        if (0 < asking.length) {
          const place = { level, index, misread };
          for (working of asking) working.rule.clause?.(clause, context, place);
        }
        if (clause.item.kind === 'Group') visit(innermost(clause.item));
        index += 1;
      }
    }
  }
}

/** The group in a group, where that is all there is in it: no rule has anything to say about either of the two. */
function innermost(group: Group): Group {
  const [only, second] = group.parts;
  if (second || only?.kind !== 'Clause' || only.item.kind !== 'Group') return group;
  const isBare = !only.conjunction && !only.modifier && !only.field && !only.item.boost;
  return isBare ? innermost(only.item) : group;
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

/** Puts something where it belongs in the order of the text. Most of it comes in that order, or nearly so. */
function insert(found: Found[], one: Found): void {
  let at = found.length;
  for (; 0 < at; at -= 1) {
    const before = found[at - 1];
    if (!before || !isBefore(one, before)) break;
    found[at] = before;
  }
  found[at] = one;
}

function isBefore(one: Found, other: Found): boolean {
  return (byPlace(one, other) || one.by.order - other.by.order) < 0;
}

/** How often each rule reported something. */
function countsOf(found: readonly Found[]): Map<ActiveRule, number> {
  const counts = new Map<ActiveRule, number>();
  for (const { by } of found) counts.set(by, (counts.get(by) ?? 0) + 1);
  return counts;
}

/** The findings in the order of the text, the last one of a rule with how many more it has. */
function toFindings(found: readonly Found[], counts: ReadonlyMap<ActiveRule, number> | undefined): Finding[] {
  if (!counts) return found.map((each) => toFinding(each, 0));
  const last = new Map(found.map((each) => [each.by, each]));
  return found.map((each) => {
    const isLast = last.get(each.by) === each;
    return toFinding(each, isLast ? (counts.get(each.by) ?? 0) - mostFindings : 0);
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
