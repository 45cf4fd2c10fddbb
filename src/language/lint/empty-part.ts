import { removeClauses } from './fixes.ts';
import type { LevelMember, QueryLevel } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A part without a token, such as `"---"` or `...`. The server drops it, or, if a
 * number field is searched too, finds nothing for it (section 7.3 of the language
 * specification).
 */
export const emptyPart: LintRule = {
  code: 'empty-part',
  heading: 'Nothing of a part is left to search for',
  severity: 'warning',
  level: (level, context) => {
    for (const member of level.members) {
      const isAlone = member.clauses.length === 1 && !level.constructs[member.at];
      if (isAlone && isEmpty(member, context)) reportEmpty(level, member, context);
    }
  },
};

/** Returns whether a word or a phrase has no token, and no keyword field takes it as it is. */
function isEmpty({ clauses: [clause], searchTargets }: LevelMember, { terms }: LintContext): boolean {
  const { item } = clause;
  if (item.kind !== 'Word' && item.kind !== 'Phrase') return false;
  return searchTargets.hasText && !searchTargets.hasKeyword && terms(clause).length === 0;
}

function reportEmpty(level: QueryLevel, member: LevelMember, { report }: LintContext): void {
  const [clause] = member.clauses;
  const text = 'term' in clause.item ? clause.item.term.text : '';
  report(
    clause.item,
    `${quoteName(text)} has no letter and no digit to search for${effectOf(level, member)}`,
    () => removeClauses(level.parts, member.clauses),
  );
}

function effectOf({ counts: { must, should, mustNot } }: QueryLevel, { occur }: LevelMember): string {
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
