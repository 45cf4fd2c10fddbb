import type { Token } from '../../language/token.ts';
import type { Clause, Span } from '../../language/tree.ts';
import type { Filter } from '../filter.ts';
import { checkPrefix, checkRegexp, checkWildcard } from '../pattern/check.ts';
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
  check: (context) => {
    const checkPattern = patternCheck();
    return {
      Clause: (clause) => {
        checkTilde(clause, context);
        const { item } = clause;
        if ((item.kind !== 'Regexp' && item.kind !== 'Wildcard') || context.pasted(clause)) return;
        const refusal = checkPattern(context.filter(clause));
        if (refusal) context.report(placeOf(refusal, item.term), refusal.message);
      },
    };
  },
};

/** Compiling a pattern can take milliseconds; so many different ones are looked at, more than anybody writes. */
const mostCompiled = 200;

/** Why the engine refuses the pattern of a clause on one of its fields. */
function patternCheck(): (filter: Filter | undefined) => Refusal | undefined {
  const known = new Map<string, Refusal | undefined>();
  return (filter) => {
    const leaves = filter?.kind === 'disMax' ? filter.filters : [filter];
    for (const leaf of leaves) {
      const pattern = leaf && patternOf(leaf);
      if (pattern === undefined) continue;
      const key = `${leaf?.kind} ${pattern}`;
      if (!known.has(key) && known.size < mostCompiled) known.set(key, leaf && refusalOf(leaf));
      const refusal = known.get(key);
      if (refusal) return refusal;
    }
    return undefined;
  };
}

function patternOf(leaf: Filter): string | undefined {
  if (leaf.kind === 'prefix') return leaf.prefix;
  return leaf.kind === 'regexp' || leaf.kind === 'wildcard' ? leaf.pattern : undefined;
}

function refusalOf(leaf: Filter): Refusal | undefined {
  if (leaf.kind === 'regexp') return checkRegexp(leaf.pattern);
  if (leaf.kind === 'wildcard') return checkWildcard(leaf.pattern);
  return leaf.kind === 'prefix' ? checkPrefix(leaf.prefix) : undefined;
}

/** Where the pattern is wrong, or all of it; the slash in front of it does not count. */
function placeOf({ at }: Refusal, { from, to }: Token): Span {
  const place = at === undefined ? from : Math.min(from + 1 + at, to - 1);
  return { from: place, to: at === undefined ? to : place + 1 };
}

function checkTilde({ item }: Clause, { report }: RuleContext): void {
  if (item.kind !== 'Word' && item.kind !== 'Phrase') return;
  const tilde = item.suffixes.find(({ kind }) => kind === 'Tilde');
  if (!tilde) return;
  const written = tilde.text.slice(1);
  const refusal = item.kind === 'Word' ? checkSimilarity(written) : checkSlop(written);
  // A fraction over 1 the parser has found already.
  if (refusal && !(1 < Number(written))) report(tilde, refusal.message);
}
