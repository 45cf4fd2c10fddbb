import { phraseSlop } from '../automata/phrase.ts';
import type { Fix } from '../parse/finding.ts';
import type { Clause, Phrase, Token } from '../parse/tree.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A slop with a part that changes nothing. One word has no neighbour that could move, values of other fields
 * are no phrases, and a fraction is cut off (section 6 of the language specification).
 */
export const idleSlop: LintRule = {
  code: 'idle-slop',
  heading: 'A slop, or a part of it, has no effect',
  severity: 'hint',
  clause: (clause, context) => {
    if (clause.item.kind !== 'Phrase') return;
    const tilde = clause.item.suffixes.find(({ kind }) => kind === 'Tilde');
    if (tilde) checkSlop(clause, clause.item, { tilde, context });
  },
};

interface Checking {
  readonly tilde: Token;
  readonly context: LintContext;
}

function checkSlop(clause: Clause, { term }: Phrase, { tilde, context }: Checking): void {
  const { targets, terms, report } = context;
  const { named, fields } = targets(clause);
  // `_exists_` reads a phrase with a slop as another field; `unknown-field` reports names of none.
  if (named === '_exists_' || fields.length === 0) return;
  const isPhrase = 1 < terms(clause).length && fields.some(({ type }) => type === 'text');
  const slopText = tilde.text.slice(1);
  if (!isPhrase) {
    const reason = fields.some(({ type }) => type === 'text')
      ? `${quoteName(term.text)} is no phrase of several words`
      : 'only text has words that could stand apart';
    report(tilde, `${quoteName(tilde.text)} has no effect: ${reason}`, () => [change(tilde, '')]);
  } else if (/^\d*\.\d*[1-9]\d*$/.test(slopText)) {
    const slop = phraseSlop(slopText);
    const message = `A slop is a whole number: the engine takes ${quoteName(tilde.text)} as ${slop}`;
    report(tilde, message, () => [change(tilde, slop === 0 ? '' : `~${slop}`)]);
  }
}

function change({ from, to }: Token, insert: string): Fix {
  return { title: insert === '' ? 'Remove it' : `Change to ${insert}`, edits: [{ from, to, insert }] };
}
