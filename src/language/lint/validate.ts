import { type Dialect, documentedSchema, type Schema } from '../meaning/schema.ts';
import { type Engine, engines } from '../parse/engine.ts';
import {
  compareFindings,
  type Finding,
  type Fix,
  moreLikeThis,
  mostFindings,
  type Severity,
} from '../parse/finding.ts';
import type { Group, Query, Span } from '../parse/tree.ts';
import { lintRules } from './lint-rules.ts';
import { type LintContext, type LintRule, type ReportFinding, viewOf } from './rule.ts';

/** The circumstances in which a query is checked. */
export interface ValidateOptions {
  /** The documented fields unless given. */
  readonly schema?: Schema;
  /** `documented` unless given. */
  readonly dialect?: Dialect;
  /** The engine that runs the query; that of the deployment unless given. */
  readonly engine?: Engine;
  /** The value of `now` in a date, in milliseconds since the epoch; that of the clock unless given. */
  readonly now?: number;
  /** Severities by code that override those of the rules; `off` silences a rule. */
  readonly severities?: ReadonlyMap<string, Severity | 'off'>;
}

/**
 * Finds the mistakes in a query that the engine accepts, in the order of the
 * text. Broken text is checked in its sound parts; `parse` reports the rest.
 *
 * ```ts
 * validate(parse('levle:SEVERE').query)[0]?.code; // 'unknown-field'
 * ```
 */
export function validate(query: Query, options: ValidateOptions = {}): Finding[] {
  const active = options.severities ? activeRules(options.severities) : activeByDefault;
  const [ofLevels, ofClauses] = [
    active.filter(({ rule }) => rule.level),
    active.filter(({ rule }) => rule.clause),
  ];
  const view = viewOf(query, {
    schema: options.schema ?? documentedSchema,
    dialect: options.dialect ?? 'documented',
    engine: options.engine ?? engines.deployment,
    now: options.now ?? Date.now(),
  });
  const found: Found[] = [];
  let counts: Map<ActiveRule, number> | undefined;
  // All rules share one report function: they run one after the other.
  let working: ActiveRule | undefined;
  const report: ReportFinding = ({ from, to }, message, fixes) => {
    if (!working) return;
    if (mostFindings <= found.length) {
      // No rule can have too many findings before this point.
      counts ??= countsOf(found);
      const count = (counts.get(working) ?? 0) + 1;
      counts.set(working, count);
      if (mostFindings < count) return;
    }
    found.push({ by: working, from, to, message, fixes });
  };
  const context: LintContext = Object.assign(view, { report });
  visit(query);
  found.sort((one, other) => compareFindings(one, other) || one.by.order - other.by.order);
  return toFindings(found, counts);

  function visit(node: Query | Group): void {
    const level = view.level(node);
    for (working of ofLevels) working.rule.level?.(level, context);
    for (const [index, part] of level.parts.entries()) {
      if (part.kind === 'Stray') continue;
      const position = { level, index, construct: level.constructs[index] };
      for (working of ofClauses) working.rule.clause?.(part, context, position);
      if (part.item.kind === 'Group') visit(innermost(part.item));
    }
  }
}

/** The innermost of groups that hold nothing but another group: no rule reports those. */
function innermost(group: Group): Group {
  const [only, second] = group.parts;
  if (second || only?.kind !== 'Clause' || only.item.kind !== 'Group') return group;
  const isBareGroup = !only.conjunction && !only.modifier && !only.field && !only.item.boost;
  return isBareGroup ? innermost(only.item) : group;
}

/** The headings of the manual's sections about the rules, by code. */
export const ruleHeadings: ReadonlyMap<string, string> = new Map(
  lintRules.map(({ code, heading }) => [code, heading]),
);

const activeByDefault = activeRules(new Map());

/** A report of a rule. */
interface Found extends Span {
  readonly by: ActiveRule;
  readonly message: string | (() => string);
  readonly fixes: (() => readonly Fix[]) | undefined;
}

/** The number of reports of each rule. */
function countsOf(found: readonly Found[]): Map<ActiveRule, number> {
  const counts = new Map<ActiveRule, number>();
  for (const { by } of found) counts.set(by, (counts.get(by) ?? 0) + 1);
  return counts;
}

/** The findings in the same order. The last one of a rule says how many more it has. */
function toFindings(found: readonly Found[], counts: ReadonlyMap<ActiveRule, number> | undefined): Finding[] {
  if (!counts) return found.map((finding) => toFinding(finding, 0));
  const last = new Map(found.map((finding) => [finding.by, finding]));
  return found.map((finding) => {
    const isLast = last.get(finding.by) === finding;
    return toFinding(finding, isLast ? (counts.get(finding.by) ?? 0) - mostFindings : 0);
  });
}

/** A finding that stands for `more` others of its rule. */
function toFinding({ by: { rule, severity }, from, to, message, fixes }: Found, more: number): Finding {
  return new LazyFinding({
    code: rule.code,
    severity,
    from,
    to,
    message:
      more <= 0 ? message : () => (typeof message === 'string' ? message : message()) + moreLikeThis(more),
    fixes,
  });
}

/** A rule that is not off. */
interface ActiveRule {
  readonly rule: LintRule;
  readonly severity: Severity;
  /** Its index among all rules. */
  readonly order: number;
}

/** The rules that are not off, in their order. `severities` by code override those of the rules. */
function activeRules(severities: ReadonlyMap<string, Severity | 'off'>): ActiveRule[] {
  return lintRules.flatMap((rule, order) => {
    const severity = severities.get(rule.code) ?? rule.severity;
    return severity === 'off' ? [] : [{ rule, severity, order }];
  });
}

/** The parts of a finding. A message given as a function, and fixes, are computed when they are first read. */
interface FindingParts {
  readonly code: string;
  readonly severity: Severity;
  readonly from: number;
  readonly to: number;
  readonly message: string | (() => string);
  readonly fixes: (() => readonly Fix[]) | undefined;
}

/**
 * A finding whose message and fixes are computed when they are first read, once:
 * they take longer than all the rest and are often not read.
 *
 * Both are own members, so that a finding can be spread, compared and serialised.
 * All findings share the getter functions. With functions of its own each finding
 * would have a hidden class, which keeps its parts alive until the next full
 * garbage collection.
 */
class LazyFinding implements Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly from: number;
  readonly to: number;
  declare readonly message: string;
  declare readonly fixes: readonly Fix[];
  #message: FindingParts['message'];
  #fixes: FindingParts['fixes'] | readonly Fix[];

  constructor({ code, severity, from, to, message, fixes }: FindingParts) {
    this.code = code;
    this.severity = severity;
    this.from = from;
    this.to = to;
    this.#message = message;
    this.#fixes = fixes;
    // Defining a getter is the slowest step here. Two calls take half as long as `defineProperties`.
    if (typeof message === 'string') this.message = message;
    else Object.defineProperty(this, 'message', LazyFinding.#lateMessage);
    Object.defineProperty(this, 'fixes', LazyFinding.#lateFixes);
  }

  static readonly #lateMessage: PropertyDescriptor & ThisType<LazyFinding> = {
    enumerable: true,
    get() {
      if (typeof this.#message === 'function') this.#message = this.#message();
      return this.#message;
    },
  };

  static readonly #lateFixes: PropertyDescriptor & ThisType<LazyFinding> = {
    enumerable: true,
    get() {
      if (typeof this.#fixes === 'function') this.#fixes = this.#fixes();
      return this.#fixes ?? noFixes;
    },
  };
}

const noFixes: readonly Fix[] = [];
