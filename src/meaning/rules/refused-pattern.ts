import { isFractionalDistance } from '../../language/syntax.ts';
import type { Token } from '../../language/token.ts';
import type { Clause, Span } from '../../language/tree.ts';
import { checkSimilarity } from '../pattern/fuzzy.ts';
import type { Refusal } from '../pattern/refusal.ts';
import { checkSlop } from '../pattern/sloppy.ts';
import type { Rule, RuleContext } from '../rule.ts';

/**
 * A regular expression, a wildcard or a distance that the engine refuses: it is
 * not written as one, or it would take too much work (sections 6 and 7.8 of
 * the language specification).
 */
export const refusedPattern: Rule = {
  code: 'refused-pattern',
  heading: 'The engine refuses this pattern',
  severity: 'error',
  items: ['Word', 'Phrase', 'Wildcard', 'Regexp'],
  looksFor: 'odd',
  clause: (clause, context) => {
    checkTilde(clause, context);
    const { item } = clause;
    if (item.kind !== 'Regexp' && item.kind !== 'Wildcard') return;
    const refusal = context.patternRefusal(item, context.targets(clause).fields);
    if (refusal) context.report(placeOf(refusal, item.term), refusal.message);
  },
};

/** Where the pattern is wrong, or all of it; the slash in front of it does not count. */
function placeOf({ at }: Refusal, { from, to }: Token): Span {
  const place = at === undefined ? from : Math.min(from + 1 + at, to - 1);
  return { from: place, to: at === undefined ? to : place + 1 };
}

function checkTilde(clause: Clause, context: RuleContext): void {
  const { item } = clause;
  if (item.kind !== 'Word' && item.kind !== 'Phrase') return;
  const tilde = item.suffixes.find(({ kind }) => kind === 'Tilde');
  const refusal = tilde && refusalOf(tilde, clause, context);
  if (refusal) context.report(tilde, refusal.message);
}

function refusalOf(tilde: Token, clause: Clause, { targets, terms }: RuleContext): Refusal | undefined {
  const written = tilde.text.slice(1);
  if (clause.item.kind === 'Word') {
    // A fraction over 1 the parser has found already.
    return isFractionalDistance(tilde) ? undefined : checkSimilarity(written);
  }
  // Of one token, or on another field, it is no phrase to the engine, which then never looks at the slop.
  const isPhrase = 1 < terms(clause).length && targets(clause).fields.some(({ type }) => type === 'text');
  return isPhrase ? checkSlop(written) : undefined;
}
