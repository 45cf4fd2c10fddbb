import type { Fix } from '../../language/finding.ts';
import type { Word } from '../../language/tree.ts';
import type { Targets } from '../../meaning/targets.ts';
import { quoteFix } from '../fixes/quote-fix.ts';
import type { Rule } from '../rule.ts';
import { losesBackslash } from '../views/escapes.ts';
import { askedText } from '../views/terms.ts';
import { listed, named } from '../views/wording.ts';

/**
 * A word that the analyzer cuts into several: a path, an identifier, a time.
 * Without quotes each of them alone is enough (section 4 of the language
 * specification), so a request identifier finds nearly everything.
 */
export const splitWord: Rule = {
  code: 'split-word',
  heading: 'A word without quotes is cut into several',
  severity: 'warning',
  items: ['Word'],
  looksFor: 'odd',
  clause: (clause, context, { misread }) => {
    const { item, modifier } = clause;
    const terms = context.terms(clause);
    if (item.kind !== 'Word' || terms.length < 2 || misread || !isSplit(item, context.targets(clause)))
      return;
    const { term } = item;
    const verb = modifier && modifier.kind !== 'Plus' ? 'excludes' : 'finds';
    const pieces = listed(terms, 'and');
    const message = `${named(term.text)} is cut into ${pieces}, and any of them alone ${verb} a log`;
    context.report(item, message, () => [
      ...listFix(item, context.targets(clause)),
      quoteFix(term, askedText(item) ?? ''),
    ]);
  },
};

/** Whether a word is searched as text, and not something else that another rule tells of. */
function isSplit({ term, suffixes }: Word, { fields }: Targets): boolean {
  if (suffixes.some(({ kind }) => kind === 'Tilde')) return false;
  if (!fields.some(({ type }) => type === 'text')) return false;
  if (fields.length === 1 && /^[<>]/.test(term.text)) return false;
  return !losesBackslash(term.text);
}

/** Known values with commas between them were meant as alternatives. */
function listFix(item: Word, { fields }: Targets): Fix[] {
  const values = fields.flatMap((field) => field.values ?? []);
  const pieces = (askedText(item) ?? '').split(/[,;|]/);
  const areKnown = 1 < pieces.length && pieces.every((piece) => isOneOf(values, piece));
  if (!areKnown || 0 < item.suffixes.length) return [];
  const insert = `(${pieces.join(' OR ')})`;
  return [{ title: 'Make it a list of alternatives', edits: [{ from: item.from, to: item.to, insert }] }];
}

function isOneOf(values: readonly string[], text: string): boolean {
  return values.some((value) => value.toLowerCase() === text.toLowerCase());
}
