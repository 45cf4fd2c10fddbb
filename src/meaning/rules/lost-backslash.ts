import { withoutEscapes, withoutQuotes } from '../../language/escape.ts';
import type { Fix } from '../../language/finding.ts';
import { quote } from '../../language/quote.ts';
import type { Token } from '../../language/token.ts';
import type { Bound, Clause } from '../../language/tree.ts';
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
    for (const asked of askedIn(clause)) if (losesBackslash(asked.text)) checkAsked(asked, clause, context);
  },
};

/** A text with escapes, and the token that it is in. */
interface Asked {
  readonly text: string;
  readonly token: Token;
}

function askedIn({ item }: Clause): Asked[] {
  switch (item.kind) {
    case 'Word':
    case 'Wildcard':
      return [{ text: item.term.text, token: item.term }];
    case 'Phrase':
      return [{ text: withoutQuotes(item.term.text), token: item.term }];
    case 'Range':
      return [item.lower, item.upper].flatMap((bound) => (bound ? [askedOf(bound)] : []));
    default:
      return [];
  }
}

function askedOf({ term }: Bound): Asked {
  return { text: term.kind === 'RangeQuoted' ? withoutQuotes(term.text) : term.text, token: term };
}

function checkAsked({ text, token }: Asked, clause: Clause, { misread, report }: RuleContext): void {
  // A Windows path is reported for its colon.
  if (misread(clause)?.kind === 'pasted') return;
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
