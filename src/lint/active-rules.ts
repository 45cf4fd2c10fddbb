import type { Severity } from '../language/finding.ts';
import type { Clause, Item } from '../language/tree.ts';
import type { Field } from '../meaning/fields.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules/index.ts';
import type { Level } from './views/level.ts';
import type { Misread } from './views/misread.ts';
import { isPlainClause } from './views/plain-clause.ts';
import type { Sought } from './views/target-lookup.ts';

/** A rule that is not off. */
export interface ActiveRule {
  readonly rule: Rule;
  readonly severity: Severity;
  /** Its place among all rules. */
  readonly order: number;
}

/** The rules that are not off, in their order. */
export interface ActiveRules {
  /** Those that could find something about a level. */
  readonly ofLevel: (level: Level) => readonly ActiveRule[];
  /** Those that could find something about a clause. */
  readonly ofClause: (clause: Clause, sought: Sought, misread: Misread | undefined) => readonly ActiveRule[];
}

/** The rules as they are, but for the severities given by code. */
export function activeRules(severities: ReadonlyMap<string, Severity | 'off'>): ActiveRules {
  const active = rules.flatMap((rule, order): ActiveRule[] => {
    const severity = severities.get(rule.code) ?? rule.severity;
    return severity === 'off' ? [] : [{ rule, severity, order }];
  });
  const ofLevels = active.filter(({ rule }) => rule.level);
  const ofSingleParts = ofLevels.filter(({ rule }) => !rule.joins);
  const ofClauses = active.filter(({ rule }) => rule.clause);
  const byFields = new WeakMap<readonly Field[], { readonly [L in Look]: ByItem }>();
  return {
    ofLevel: ({ parts }) => (parts.length < 2 ? ofSingleParts : ofLevels),
    ofClause: (clause, sought, misread) => {
      const { fields } = sought;
      const { kind } = clause.item;
      const look = misread ? 'misread' : isPlainClause(clause, sought) ? 'plain' : 'odd';
      let lists = byFields.get(fields);
      if (!lists) {
        lists = { plain: {}, odd: {}, misread: {} };
        byFields.set(fields, lists);
      }
      lists[look][kind] ??= ofClauses.filter(({ rule }) => mayFind(rule, { kind, fields, look }));
      return lists[look][kind];
    },
  };
}

/** What a clause looks like: a part of something misread, or not, and then either plain or odd. */
type Look = 'plain' | 'odd' | 'misread';

type ByItem = { [K in Item['kind']]?: readonly ActiveRule[] };

interface Shape {
  readonly kind: Item['kind'];
  readonly fields: readonly Field[];
  readonly look: Look;
}

function mayFind({ items, fields: mayBe, looksFor }: Rule, { kind, fields, look }: Shape): boolean {
  if (looksFor === 'misread' && look !== 'misread') return false;
  if (looksFor === 'odd' && look === 'plain') return false;
  return items?.includes(kind) !== false && mayBe?.(fields) !== false;
}
