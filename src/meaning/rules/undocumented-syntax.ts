import type { Token } from '../../language/token.ts';
import type { Rule } from '../rule.ts';

/**
 * What the engine understands but section 4.2.1 of the interface document does
 * not name. It works as long as the server hands it on to its engine.
 */
export const undocumentedSyntax: Rule = {
  code: 'undocumented-syntax',
  heading: 'This is not part of the documented language',
  severity: 'warning',
  check: ({ dialect, report }) => {
    if (dialect === 'lucene') return {};
    const warn = (token: Token | undefined, advice: string) => {
      if (token) report(token, `"${token.text}" is not part of the documented language; ${advice}`);
    };
    const warnTilde = (suffixes: readonly Token[]) => {
      warn(
        suffixes.find(({ kind }) => kind === 'Tilde'),
        'nothing documented stands for it',
      );
    };
    return {
      Clause: ({ conjunction, modifier }) => {
        if (conjunction && !/^[A-Z]/.test(conjunction.text))
          warn(conjunction, `it means ${conjunction.kind.toUpperCase()}`);
        if (modifier && modifier.text !== 'NOT' && modifier.kind !== 'Plus') warn(modifier, 'it means NOT');
      },
      Regexp: ({ term, suffixes }) => {
        warn(term, 'it is a regular expression; quotes make it a path');
        warnTilde(suffixes);
      },
      Word: ({ term, suffixes }) => {
        if (term.kind === 'Bare' && term.text !== '+') warn(term, 'before a blank it is an empty word');
        warnTilde(suffixes);
      },
      Wildcard: ({ suffixes }) => warnTilde(suffixes),
      Phrase: ({ suffixes }) => warnTilde(suffixes),
    };
  },
};
