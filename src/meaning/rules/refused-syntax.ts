import { withoutEscapes } from '../../language/escape.ts';
import type { Fix } from '../../language/finding.ts';
import type { Token } from '../../language/token.ts';
import type { Clause, Item } from '../../language/tree.ts';
import type { Place, Rule, RuleContext } from '../rule.ts';
import { quoteFix } from './fixes/quote-fix.ts';
import { serverFix } from './fixes/rewrite-level.ts';
import { hasUnescaped } from './views/escapes.ts';
import { named } from './views/wording.ts';

/**
 * Wildcards, boosts and plus signs. The deployment refuses a search with an
 * unquoted, unescaped `?`, `*`, `^` or `+` (section 3 of the language specification).
 */
export const refusedSyntax: Rule = {
  code: 'refused-syntax',
  heading: 'The server refuses this character',
  severity: 'error',
  looksFor: 'odd',
  clause: (clause, context, place) => {
    if (context.dialect !== 'lucene') checkClause(clause, place, context);
  },
};

function checkClause(clause: Clause, { level, misread }: Place, context: RuleContext): void {
  const { modifier, field, item } = clause;
  const { report } = context;
  if (modifier?.kind === 'Plus') {
    report(modifier, 'The server refuses a plus sign; AND makes a part required', () =>
      serverFix(level, context),
    );
  }
  if (field && hasUnescaped(field.name.text, refused)) {
    report(field.name, `The server refuses ${named(field.name.text)} as the name of a field`);
  }
  // A path or an address is mended as a whole.
  if (!misread) checkItem(item, context);
  for (const boost of boostsOf(item)) {
    report(boost, `The server refuses ${named(boost.text)}; a boost changes no result`, () => [
      { title: 'Remove it', edits: [{ from: boost.from, to: boost.to, insert: '' }] },
    ]);
  }
}

/** What the server refuses wherever it stands without quotes and without a backslash. */
const refused = /[?*^+]/;

function checkItem(item: Item, { report }: RuleContext): void {
  if (item.kind !== 'Wildcard' && item.kind !== 'Word' && item.kind !== 'Regexp') return;
  if (!hasUnescaped(item.term.text, refused)) return;
  report(item.term, messageFor(item.kind, item.term), () => quotesFor(item.term));
}

function messageFor(kind: 'Wildcard' | 'Word' | 'Regexp', { text }: Token): string {
  switch (kind) {
    case 'Wildcard':
      return `The server refuses ${named(text)}: it has no wildcards and finds whole words only`;
    case 'Word':
      return `The server refuses a plus sign without quotes, as in ${named(text)}`;
    case 'Regexp':
      return `The server refuses ${named(text)}: it has no regular expressions`;
  }
}

/** In quotes the characters are harmless; alone they would be nothing to search for. */
function quotesFor(term: Token): Fix[] {
  return /[\p{L}\p{N}]/u.test(term.text) ? [quoteFix(term, withoutEscapes(term.text).text)] : [];
}

function boostsOf(item: Item): Token[] {
  if ('suffixes' in item) return item.suffixes.filter(({ kind }) => kind === 'Boost');
  const boost = item.kind === 'Group' || item.kind === 'Range' ? item.boost : undefined;
  return boost ? [boost] : [];
}
