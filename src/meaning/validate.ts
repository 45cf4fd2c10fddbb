import { byPlace, type Finding, type Fix, type Severity } from '../language/finding.ts';
import type { Clause, Group, Item, Query, Span } from '../language/tree.ts';
import type { Dialect } from './dialect.ts';
import { documentedSchema, type Schema } from './fields.ts';
import { LateFinding } from './late-finding.ts';
import type { Report, Rule, RuleContext } from './rule.ts';
import { rules } from './rules/index.ts';
import { isPlainItem } from './rules/views/plain-item.ts';
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
  const found: Found[] = [];
  const active = options.severities ? activeUnder(options.severities) : activeByDefault;
  const view = viewOf(query, {
    schema: options.schema ?? documentedSchema,
    dialect: options.dialect ?? 'documented',
    now: options.now ?? 0,
  });
  // There is one report for all rules, which work one after the other: many are asked about every clause.
  let working: ActiveRule | undefined;
  const report: Report = ({ from, to }, message, fixes) => {
    if (working) found.push({ by: working, from, to, message, fixes });
  };
  const context: RuleContext = { ...view, report };
  visit(query);
  return toFindings(found);

  function visit(node: Query | Group): void {
    const level = view.level(node);
    for (working of active.ofLevels) working.rule.level?.(level, context);
    for (const part of node.parts) {
      if (part.kind === 'Stray') continue;
      for (working of rulesFor(part, active, view.hasMisread)) working.rule.clause?.(part, context);
      if (part.item.kind === 'Group') visit(part.item);
    }
  }
}

/** The headings of the manual's sections about the rules, by code. */
export const ruleHeadings: ReadonlyMap<string, string> = new Map(
  rules.map(({ code, heading }) => [code, heading]),
);

/** A rule that is not off. */
interface ActiveRule {
  readonly rule: Rule;
  readonly severity: Severity;
  /** Its place among all rules. */
  readonly order: number;
}

interface ActiveRules {
  readonly ofLevels: readonly ActiveRule[];
  readonly ofClauses: { readonly [S in Situation]: { readonly [I in ItemShape]: readonly ActiveRule[] } };
}

/** What a clause is in: a query in which something is misread, or one in which nothing is, with a field of its own or without. */
type Situation = 'misread' | 'fielded' | 'bare';

/** What an item is: there is less to find about plain ones. */
type ItemShape = Item['kind'] | 'Plain';

function activeUnder(severities: ReadonlyMap<string, Severity | 'off'>): ActiveRules {
  const active = rules.flatMap((rule, order): ActiveRule[] => {
    const severity = severities.get(rule.code) ?? rule.severity;
    return severity === 'off' ? [] : [{ rule, severity, order }];
  });
  const ofClauses = active.filter(({ rule }) => rule.clause);
  const within = (situation: Situation): ActiveRules['ofClauses'][Situation] => {
    const of = (shape: ItemShape) => ofClauses.filter(({ rule }) => mayFind(rule, situation, shape));
    return {
      Plain: of('Plain'),
      Word: of('Word'),
      Wildcard: of('Wildcard'),
      Regexp: of('Regexp'),
      Phrase: of('Phrase'),
      Range: of('Range'),
      Group: of('Group'),
      Missing: of('Missing'),
    };
  };
  return {
    ofLevels: active.filter(({ rule }) => rule.level),
    ofClauses: { misread: within('misread'), fielded: within('fielded'), bare: within('bare') },
  };
}

/** Whether a rule could find something about a clause. */
function mayFind({ items, looksFor }: Rule, situation: Situation, shape: ItemShape): boolean {
  const kinds: readonly Item['kind'][] = shape === 'Plain' ? ['Word', 'Phrase'] : [shape];
  if (items && !kinds.some((kind) => items.includes(kind))) return false;
  if (situation === 'misread' || looksFor === undefined) return true;
  if (looksFor === 'odd') return shape !== 'Plain';
  return looksFor === 'field' && situation === 'fielded';
}

/** The rules that could find something about a clause. */
function rulesFor(
  { field, item }: Clause,
  { ofClauses }: ActiveRules,
  hasMisread: boolean,
): readonly ActiveRule[] {
  if (hasMisread) return ofClauses.misread[item.kind];
  return ofClauses[field ? 'fielded' : 'bare'][isPlainItem(item) ? 'Plain' : item.kind];
}

const activeByDefault = activeUnder(new Map());

/** What a rule reported. */
interface Found extends Span {
  readonly by: ActiveRule;
  readonly message: string | (() => string);
  readonly fixes: (() => readonly Fix[]) | undefined;
}

/** The findings in the order of the text, of each rule the first ones. */
function toFindings(found: Found[]): Finding[] {
  found.sort((a, b) => byPlace(a, b) || a.by.order - b.by.order);
  if (found.length <= mostFindings) return found.map((each) => toFinding(each));
  const left = new Map<ActiveRule, number>();
  for (const { by } of found) left.set(by, (left.get(by) ?? 0) + 1);
  const given = new Map<ActiveRule, number>();
  return found.flatMap((each) => {
    const count = (given.get(each.by) ?? 0) + 1;
    given.set(each.by, count);
    if (mostFindings < count) return [];
    const more = (left.get(each.by) ?? 0) - mostFindings;
    const isLast = count === mostFindings && 0 < more;
    return [toFinding(each, isLast ? ` (and ${more} more like this)` : '')];
  });
}

function toFinding({ by: { rule, severity }, from, to, message, fixes }: Found, more = ''): Finding {
  return new LateFinding({
    code: rule.code,
    severity,
    from,
    to,
    message: () => (typeof message === 'string' ? message : message()) + more,
    fixes: () => fixes?.() ?? [],
  });
}
