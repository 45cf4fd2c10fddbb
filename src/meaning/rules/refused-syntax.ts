import type { Token } from '../../language/token.ts';
import type { Rule } from '../rule.ts';

/**
 * Wildcards, boosts and the required sign. The deployment refuses a search
 * with an unquoted `?`, `*`, `^` or `+` (section 3 of the language specification).
 */
export const refusedSyntax: Rule = {
  code: 'refused-syntax',
  heading: 'The server refuses this character',
  severity: 'error',
  check: ({ dialect, report }) => {
    if (dialect === 'lucene') return {};
    const refuse = (token: Token | undefined) => {
      if (token) report(token, `The server refuses "${token.text}"; ${remedy(token)}`);
    };
    const refuseBoosts = (suffixes: readonly Token[]) => {
      for (const suffix of suffixes) if (suffix.kind === 'Boost') refuse(suffix);
    };
    return {
      Wildcard: ({ term, suffixes }) => {
        refuse(term);
        refuseBoosts(suffixes);
      },
      Clause: ({ modifier, field }) => {
        if (modifier?.kind === 'Plus') refuse(modifier);
        if (field?.name.text === '*') refuse(field.name);
      },
      Word: ({ term, suffixes }) => {
        if (term.text === '+') refuse(term);
        refuseBoosts(suffixes);
      },
      Phrase: ({ suffixes }) => refuseBoosts(suffixes),
      Regexp: ({ suffixes }) => refuseBoosts(suffixes),
      Range: ({ boost }) => refuse(boost),
      Group: ({ boost }) => refuse(boost),
    };
  },
};

function remedy({ kind }: Token): string {
  if (kind === 'Boost') return 'a boost changes no result and can go';
  if (kind === 'Plus' || kind === 'Bare') return 'AND makes a part required';
  return 'it finds whole words only; quotes make a character literal';
}
