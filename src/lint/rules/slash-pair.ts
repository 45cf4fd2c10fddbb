import type { Part } from '../../language/tree.ts';
import { quotePasted } from '../fixes/quote-pasted.ts';
import type { Rule } from '../rule.ts';
import { named } from '../views/wording.ts';

/**
 * A path without quotes. Two slashes make what is between them a regular
 * expression, and cut the rest off (section 6 of the language specification).
 */
export const slashPair: Rule = {
  code: 'slash-pair',
  heading: 'Slashes turn a path into a regular expression',
  severity: 'warning',
  looksFor: 'misread',
  clause: (clause, { report }, { misread: path }) => {
    // What looks like a URL is reported for its colon.
    if (path?.kind !== 'pasted' || path.look || path.parts[0] !== clause) return;
    const regexp = path.isBroken ? undefined : regexpIn(path.parts);
    if (regexp === undefined) return;
    report(path, `Two slashes make ${named(regexp)} a regular expression; a path requires quotes`, () =>
      quotePasted(path),
    );
  },
};

function regexpIn(parts: readonly Part[]): string | undefined {
  for (const part of parts) {
    if (part.kind === 'Clause' && part.item.kind === 'Regexp') return part.item.term.text;
  }
  return undefined;
}
