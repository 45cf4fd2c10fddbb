import type { Clause } from '../../language/tree.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { removeClauses } from './fixes/remove-clauses.ts';
import type { Level, Member } from './views/level.ts';
import { isPlainItem } from './views/plain-clause.ts';
import { named } from './views/wording.ts';

/**
 * A part of which analysis leaves no token, such as `"---"` or `...`. The
 * server drops it, or, where a number field is searched too, finds nothing for
 * it (section 7.3 of the language specification).
 */
export const emptyPart: Rule = {
  code: 'empty-part',
  heading: 'Nothing of a part is left to search for',
  severity: 'warning',
  level: (level, context) => {
    for (const member of level.doubtful) {
      const [clause] = member.clauses;
      if (member.clauses.length === 1 && isEmpty(clause, context)) reportEmpty(level, member, context);
    }
  },
};

/** Whether a word or a phrase has no token, and no keyword field takes it as it is. */
function isEmpty(clause: Clause, { terms, targets, misread }: RuleContext): boolean {
  const { item } = clause;
  if ((item.kind !== 'Word' && item.kind !== 'Phrase') || isPlainItem(item)) return false;
  if (0 < terms(clause).length || misread(clause)) return false;
  const { fields } = targets(clause);
  return fields.some(({ type }) => type === 'text') && !fields.some(({ type }) => type === 'keyword');
}

function reportEmpty(level: Level, member: Member, { report }: RuleContext): void {
  const [clause] = member.clauses;
  const text = 'term' in clause.item ? clause.item.term.text : '';
  report(
    clause.item,
    `${named(text)} has no letter and no digit to search for${effectOf(level, member)}`,
    () => removeClauses(level.parts, member.clauses),
  );
}

function effectOf({ counts: { must, should, mustNot } }: Level, { occur }: Member): string {
  if (must + should + mustNot === 0) return ', so nothing is found';
  switch (occur) {
    case 'must':
      return ', so no log can match';
    case 'mustNot':
      return ', so it excludes nothing';
    case 'should':
      return ', so it finds nothing';
    case undefined:
      return ', so the server leaves it out';
  }
}
