import type { Part } from '../parse/tree.ts';
import type { QuotePair } from './constructs.ts';
import { straightenQuotes } from './fixes.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * Typographic quotes, as word processors and web pages make them, and straight
 * single ones. To the server they are letters of the words beside them, and the
 * text between them is loose words (section 1.1 of the language specification).
 */
export const wrongQuotes: LintRule = {
  code: 'wrong-quotes',
  heading: 'Only straight double quotes quote',
  severity: 'warning',
  clause: (clause, context, { construct }) => {
    if (construct?.kind !== 'quotes') reportLone(clause, context);
    else if (construct.parts[0] === clause) reportPair(construct, context);
  },
};

function reportPair(pair: QuotePair, { text, report }: LintContext): void {
  const { open, close, parts } = pair;
  const effect = 1 < parts.length ? ', so these are loose words' : '';
  const marks = `${text().slice(open.from, open.to)}…${text().slice(close.from, close.to)}`;
  report({ from: open.from, to: close.to }, `The marks ${marks} do not quote${effect}`, () =>
    straightenQuotes(pair, text()),
  );
}

const double = /[“”„‟«»〝〞＂]/;

function reportLone(part: Part, { report }: LintContext): void {
  if (part.kind !== 'Clause' || part.item.kind !== 'Word') return;
  const { term } = part.item;
  const at = term.text.search(double);
  if (at === -1) return;
  const span = { from: term.from + at, to: term.from + at + 1 };
  report(
    span,
    `The mark ${term.text.charAt(at)} does not quote; to the server it is part of ${quoteName(term.text)}`,
    () =>
      isWord(term.text.slice(0, at) + term.text.slice(at + 1))
        ? [{ title: 'Remove it', edits: [{ ...span, insert: '' }] }]
        : [],
  );
}

/** Returns whether a text begins like a word, and is no operator. */
function isWord(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && !/^(AND|OR|NOT)$/.test(text);
}
