import type { Fix } from '../parse/finding.ts';
import { quote, withoutEscapes, withoutQuotes } from '../parse/lex.ts';
import type { Item, Token, TokenKind } from '../parse/tree.ts';
import { doubleLostBackslashes, losesBackslash } from './constructs.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A backslash in front of a letter or a digit. It is an escape without effect and
 * is dropped: `DOMAIN\bob` asks for `DOMAINbob` (section 3 of the language
 * specification).
 */
export const lostBackslash: LintRule = {
  code: 'lost-backslash',
  heading: 'A backslash is lost',
  severity: 'warning',
  clause: ({ item }, context, { construct }) => {
    // `unknown-field` reports Windows paths.
    if (construct?.kind === 'pasted') return;
    if (item.kind === 'Range') {
      if (item.lower) checkToken(item.lower.term, item, context);
      if (item.upper) checkToken(item.upper.term, item, context);
    } else if ('term' in item && item.kind !== 'Regexp') {
      checkToken(item.term, item, context);
    }
  },
};

const quoted: ReadonlySet<TokenKind> = new Set(['Quoted', 'UnclosedQuoted', 'RangeQuoted']);

function checkToken(token: Token, { kind }: Item, { report }: LintContext): void {
  if (!token.text.includes('\\')) return;
  const text = quoted.has(token.kind) ? withoutQuotes(token.text) : token.text;
  if (!losesBackslash(text)) return;
  report(
    token,
    `A backslash before a letter says nothing, so this asks for ${quoteName(withoutEscapes(text).text)}`,
    () => [kind === 'Word' ? inQuotes(token) : doubled(token)],
  );
}

/** Quotes the word, which keeps its backslashes. */
function inQuotes({ from, to, text }: Token): Fix {
  return {
    title: 'Keep it, in quotes',
    edits: [{ from, to, insert: quote(withoutEscapes(doubleLostBackslashes(text)).text) }],
  };
}

function doubled({ from, to, text }: Token): Fix {
  return { title: 'Double it', edits: [{ from, to, insert: doubleLostBackslashes(text) }] };
}
