import type { Part } from '../parse/tree.ts';
import { quotePasted } from './fixes.ts';
import type { LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A path without quotes. Two slashes make a regular expression of the text between
 * them, and cut the rest off (section 6 of the language specification).
 */
export const slashPair: LintRule = {
  code: 'slash-pair',
  heading: 'Slashes turn a path into a regular expression',
  severity: 'warning',
  clause: (clause, { report }, { construct: path }) => {
    // `unknown-field` reports URLs.
    if (path?.kind !== 'pasted' || path.look || path.parts[0] !== clause) return;
    const regexp = path.isBroken ? undefined : regexpIn(path.parts);
    if (regexp === undefined) return;
    report(path, `Two slashes make ${quoteName(regexp)} a regular expression; a path requires quotes`, () =>
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
