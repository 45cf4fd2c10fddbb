import type { Targets } from '../meaning/resolve.ts';
import type { Fix } from '../parse/finding.ts';
import type { Word } from '../parse/tree.ts';
import { askedText } from './clause.ts';
import { losesBackslash } from './constructs.ts';
import { quoteFix } from './fixes.ts';
import type { LintRule } from './rule.ts';
import { joinNames, quoteName } from './wording.ts';

/**
 * A word that the analyzer cuts into several: a path, an identifier, a time.
 * Without quotes each of them alone matches (section 4 of the language
 * specification), so a request identifier finds nearly everything.
 */
export const splitWord: LintRule = {
  code: 'split-word',
  heading: 'A word without quotes is cut into several',
  severity: 'warning',
  clause: (clause, context, { construct }) => {
    const { item, modifier } = clause;
    const terms = context.terms(clause);
    if (item.kind !== 'Word' || terms.length < 2 || construct || !isSplit(item, context.targets(clause)))
      return;
    const { term } = item;
    const verb = modifier && modifier.kind !== 'Plus' ? 'excludes' : 'finds';
    const pieces = joinNames(terms, 'and');
    const message = `${quoteName(term.text)} is cut into ${pieces}, and any of them alone ${verb} a log`;
    context.report(item, message, () => [
      ...listFix(item, context.targets(clause)),
      quoteFix(term, askedText(item) ?? ''),
    ]);
  },
};

/** Returns whether a word is searched as text, and no other rule reports it. */
function isSplit({ term, suffixes }: Word, { fields }: Targets): boolean {
  if (suffixes.some(({ kind }) => kind === 'Tilde')) return false;
  if (!fields.some(({ type }) => type === 'text')) return false;
  if (fields.length === 1 && /^[<>]/.test(term.text)) return false;
  return !losesBackslash(term.text);
}

/** Makes alternatives of known values with commas between them. */
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
