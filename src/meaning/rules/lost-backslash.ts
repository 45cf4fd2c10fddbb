import { withoutEscapes, withoutQuotes } from '../../language/escape.ts';
import type { Fix } from '../../language/finding.ts';
import { quote } from '../../language/quote.ts';
import type { Token } from '../../language/token.ts';
import type { Span } from '../../language/tree.ts';
import type { Rule } from '../rule.ts';
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
  check: ({ pasted, report }) => {
    const check = (place: Span, asked: string, fix: () => Fix) => {
      if (!losesBackslash(asked)) return;
      report(
        place,
        `A backslash before a letter says nothing, so this asks for ${named(withoutEscapes(asked).text)}`,
        () => [fix()],
      );
    };
    return {
      Clause: (clause) => {
        const { item } = clause;
        // A Windows path is reported for its colon.
        if (item.kind !== 'Word' || pasted(clause)?.look) return;
        check(item.term, item.term.text, () => inQuotes(item.term));
      },
      Wildcard: ({ term }) => check(term, term.text, () => doubled(term)),
      Phrase: ({ term }) => check(term, withoutQuotes(term.text), () => doubled(term)),
      Bound: ({ term }) => {
        const asked = term.kind === 'RangeQuoted' ? withoutQuotes(term.text) : term.text;
        check(term, asked, () => doubled(term));
      },
    };
  },
};

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
