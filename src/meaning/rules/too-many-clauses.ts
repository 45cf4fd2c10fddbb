import type { Rule, RuleContext } from '../rule.ts';
import type { Member } from './views/level.ts';

/** What an engine takes on one level, unless it was set otherwise (section 7.8 of the language specification). */
const mostClauses = 1024;

/** More clauses on one level, or more words in one clause, than engines take. */
export const tooManyClauses: Rule = {
  code: 'too-many-clauses',
  heading: 'There are more clauses than the engine takes',
  severity: 'warning',
  level: ({ members, from, to }, context) => {
    // On a shorter level there cannot be so many clauses or words.
    if (mostClauses <= to - from) checkLevel(members, context);
  },
};

function checkLevel(members: readonly Member[], { terms, report }: RuleContext): void {
  const beyond = members[mostClauses];
  if (beyond) {
    const place = { from: beyond.from, to: members.at(-1)?.to ?? beyond.to };
    report(
      place,
      `These are ${written(members.length)} clauses on one level; the engine takes ${written(mostClauses)}`,
    );
  }
  for (const { clauses, from, to } of members) {
    // A shorter text cannot have so many words.
    if (to - from < mostClauses) continue;
    let count = 0;
    for (const clause of clauses) if (clause.item.kind === 'Word') count += terms(clause).length;
    if (mostClauses < count)
      report({ from, to }, `These are ${written(count)} words; the engine takes ${written(mostClauses)}`);
  }
}

function written(count: number): string {
  return count.toLocaleString('en-US');
}
