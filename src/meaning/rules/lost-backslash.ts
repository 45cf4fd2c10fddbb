import { withoutEscapes, withoutQuotes } from '../../language/escape.ts';
import type { Fix } from '../../language/finding.ts';
import { quote } from '../../language/quote.ts';
import type { Token, TokenKind } from '../../language/token.ts';
import type { Clause } from '../../language/tree.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { doubleLost, losesBackslash } from './views/escapes.ts';
import { named } from './views/wording.ts';

/**
 * A backslash in front of a letter or a digit. It escapes what needs no escape,
 * and is gone: `DOMAIN\bob` asks for `DOMAINbob` (section 3 of the language specification).
 */
export const lostBackslash: Rule = {
  code: 'lost-backslash',
  heading: 'A backslash is lost',
  severity: 'warning',
  items: ['Word', 'Wildcard', 'Phrase', 'Range'],
  looksFor: 'odd',
  clause: (clause, context) => {
    const { item } = clause;
    if (item.kind === 'Range') {
      if (item.lower) checkToken(item.lower.term, clause, context);
      if (item.upper) checkToken(item.upper.term, clause, context);
    } else if ('term' in item) {
      checkToken(item.term, clause, context);
    }
  },
};

const quoted: ReadonlySet<TokenKind> = new Set(['Quoted', 'UnclosedQuoted', 'RangeQuoted']);

function checkToken(token: Token, clause: Clause, { misread, report }: RuleContext): void {
  if (!token.text.includes('\\')) return;
  const text = quoted.has(token.kind) ? withoutQuotes(token.text) : token.text;
  // A Windows path is reported for its colon.
  if (!losesBackslash(text) || misread(clause)?.kind === 'pasted') return;
  const isWord = clause.item.kind === 'Word';
  report(
    token,
    `A backslash before a letter says nothing, so this asks for ${named(withoutEscapes(text).text)}`,
    () => [isWord ? inQuotes(token) : doubled(token)],
  );
}

/** The word as a phrase, where its backslashes stay. */
function inQuotes({ from, to, text }: Token): Fix {
  return {
    title: 'Keep it, in quotes',
    edits: [{ from, to, insert: quote(withoutEscapes(doubleLost(text)).text) }],
  };
}

function doubled({ from, to, text }: Token): Fix {
  return { title: 'Double it', edits: [{ from, to, insert: doubleLost(text) }] };
}
