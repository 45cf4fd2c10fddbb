import type { Fix } from '../../language/finding.ts';
import { quote } from '../../language/quote.ts';
import type { Part } from '../../language/tree.ts';
import type { Rule } from '../rule.ts';
import { quoteFix } from './fixes/quote-fix.ts';
import type { Pasted } from './views/pasted.ts';
import { named } from './views/wording.ts';

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
      quoteEach(path),
    );
  },
};

function regexpIn(parts: readonly Part[]): string | undefined {
  for (const part of parts) {
    if (part.kind === 'Clause' && part.item.kind === 'Regexp') return part.item.term.text;
  }
  return undefined;
}

/** Puts quotes around the value, or, when slashes of two values have swallowed the blanks between them, around each of these. */
function quoteEach({ from, to, value }: Pasted): Fix[] {
  const text = value();
  const pieces = text.split(/(\s+)/);
  if (pieces.length === 1) return [quoteFix({ from, to }, text)];
  // The words between must mean nothing to the grammar.
  const isClear = pieces.every((piece) => piece.includes('/') || /^\s*$|^[\p{L}\p{N}_.,]+$/u.test(piece));
  if (!isClear) return [];
  const insert = pieces.map((piece) => (piece.includes('/') ? quote(piece) : piece)).join('');
  return [{ title: 'Put the paths in quotes', edits: [{ from, to, insert }] }];
}
