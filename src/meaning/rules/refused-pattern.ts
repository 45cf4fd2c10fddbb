import { isFractionalDistance } from '../../language/syntax.ts';
import type { Token } from '../../language/token.ts';
import type { Clause, Item, Regexp, Span, Wildcard } from '../../language/tree.ts';
import type { Field } from '../fields.ts';
import type { Filter } from '../filter.ts';
import { checkPrefix, checkRegexp, checkWildcard } from '../pattern/check.ts';
import { checkSimilarity } from '../pattern/fuzzy.ts';
import type { Refusal } from '../pattern/refusal.ts';
import { checkSlop } from '../pattern/sloppy.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { fieldFilterOf } from './views/field-filter-of.ts';

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
    const check = patternCheck();
    return {
      Clause: (clause) => {
        checkTilde(clause, context);
        const { item } = clause;
        if (item.kind !== 'Regexp' && item.kind !== 'Wildcard') return;
        const refusal = check(item, context.targets(clause).fields);
        if (refusal) context.report(placeOf(refusal, item.term), refusal.message);
      },
    };
  },
};

/** Compiling a pattern can take milliseconds; so many different ones are looked at, more than anybody writes. */
const mostCompiled = 200;

type PatternCheck = (item: Regexp | Wildcard, fields: readonly Field[]) => Refusal | undefined;

/** Tells why the engine refuses a pattern: as it is on keyword fields, in lower case on text fields. */
function patternCheck(): PatternCheck {
  const known = new Map<string, Refusal | undefined>();
  return (item, fields) => {
    const types = [...new Set(fields.map(({ type }) => type))];
    const key = `${types} ${item.term.text}`;
    if (!known.has(key) && known.size < mostCompiled) known.set(key, firstRefusal(item, fields));
    return known.get(key);
  };
}

function firstRefusal(item: Item, fields: readonly Field[]): Refusal | undefined {
  const ofTypes = (['text', 'keyword'] as const).map((type) => fields.find((field) => field.type === type));
  for (const field of ofTypes) {
    const pattern = field && fieldFilterOf(item)?.(field, { defaultOperator: 'or', now: 0 });
    const refusal = pattern && refusalOf(pattern);
    if (refusal) return refusal;
  }
  return undefined;
}

function refusalOf(filter: Filter): Refusal | undefined {
  if (filter.kind === 'regexp') return checkRegexp(filter.pattern);
  if (filter.kind === 'wildcard') return checkWildcard(filter.pattern);
  return filter.kind === 'prefix' ? checkPrefix(filter.prefix) : undefined;
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
  // A fraction over 1 of a word the parser has found already.
  if (refusal && !(item.kind === 'Word' && isFractionalDistance(tilde))) report(tilde, refusal.message);
}
