import type { Fix } from '../../language/finding.ts';
import type { Clause } from '../../language/tree.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { quoteFix } from './fixes/quote-fix.ts';
import { losesBackslash } from './views/escapes.ts';
import { askedText } from './views/terms.ts';
import { listed, named } from './views/wording.ts';

/**
 * A word that the analyzer cuts into several: a path, an identifier, a time.
 * Without quotes each of them alone is enough (section 4 of the language
 * specification), so a request identifier finds nearly everything.
 */
export const splitWord: Rule = {
  code: 'split-word',
  heading: 'A word without quotes is cut into several',
  severity: 'warning',
  clause: (clause, context) => {
    const terms = context.terms(clause);
    if (terms.length < 2 || !isSplit(clause, context)) return;
    const { item, modifier } = clause;
    const text = item.kind === 'Word' ? item.term.text : '';
    const verb = modifier && modifier.kind !== 'Plus' ? 'excludes' : 'finds';
    context.report(
      item,
      `${named(text)} is cut into ${listed(terms, 'and')}, and any of them alone ${verb} a log`,
      () => [...listFix(clause, context), quoted(clause)],
    );
  },
};

/** Whether a word is searched as text, and not something else that another rule tells of. */
function isSplit(clause: Clause, { targets, misread }: RuleContext): boolean {
  const { item } = clause;
  if (item.kind !== 'Word' || item.suffixes.some(({ kind }) => kind === 'Tilde')) return false;
  const { fields } = targets(clause);
  if (!fields.some(({ type }) => type === 'text')) return false;
  if (fields.length === 1 && /^[<>]/.test(item.term.text)) return false;
  return !misread(clause) && !losesBackslash(item.term.text);
}

function quoted({ item }: Clause): Fix {
  const value = askedText(item) ?? '';
  const place = item.kind === 'Word' ? item.term : item;
  return quoteFix(place, value);
}

/** Known values with commas between them were meant as alternatives. */
function listFix(clause: Clause, { targets }: RuleContext): Fix[] {
  const { item } = clause;
  const values = targets(clause).fields.flatMap((field) => field.values ?? []);
  const pieces = (askedText(item) ?? '').split(/[,;|]/);
  const isList =
    item.kind === 'Word' &&
    item.suffixes.length === 0 &&
    1 < pieces.length &&
    pieces.every((piece) => isOneOf(values, piece));
  if (!isList) return [];
  const insert = `(${pieces.join(' OR ')})`;
  return [{ title: 'Make it a list of alternatives', edits: [{ from: item.from, to: item.to, insert }] }];
}

function isOneOf(values: readonly string[], text: string): boolean {
  return values.some((value) => value.toLowerCase() === text.toLowerCase());
}
