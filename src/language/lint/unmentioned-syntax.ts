import { hasUnescaped } from '../parse/lex.ts';
import type { Bound, Range } from '../parse/tree.ts';
import { refusedCharacters } from './refused.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * Syntax that section 4.2.1 of the interface document leaves open and the engine
 * accepts: open, mixed and quoted bounds, groups of a field, escapes. It is most
 * likely valid (section 8 of the language specification), so the rule is off
 * unless it is given a severity.
 */
export const unmentionedSyntax: LintRule = {
  code: 'unmentioned-syntax',
  heading: 'The documentation does not mention this',
  severity: 'off',
  clause: ({ field, item }, context) => {
    if (context.dialect === 'lucene') return;
    if (field && item.kind === 'Group') {
      context.report(item, `The documentation does not say whether "${field.name.text}" may have a group`);
    }
    if (item.kind === 'Word' && item.term.text.includes('\\')) {
      context.report(
        item.term,
        `The documentation does not mention escapes, as in ${quoteName(item.term.text)}`,
      );
    }
    if (item.kind === 'Range') checkRange(item, context);
  },
};

function checkRange({ open, lower, upper, close }: Range, { report }: LintContext): void {
  for (const bound of [lower, upper]) {
    const what = bound && unmentionedIn(bound);
    if (what) report(bound, `The documentation does not mention ${what}`);
  }
  if (close && (open.text === '[') !== (close.text === ']')) {
    report(close, `The documentation does not mention ranges from "${open.text}" to "${close.text}"`);
  }
}

function unmentionedIn({ term }: Bound): string | undefined {
  if (term.text === '*') return 'ranges with an open end';
  if (term.kind === 'RangeQuoted') return 'ranges with quotes';
  return hasUnescaped(term.text, refusedCharacters)
    ? `the bound ${quoteName(term.text)}, which the server may refuse`
    : undefined;
}
