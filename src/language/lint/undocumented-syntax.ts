import type { Fix } from '../parse/finding.ts';
import { withoutEscapes } from '../parse/lex.ts';
import type { Clause, Token } from '../parse/tree.ts';
import { namedField } from './clause.ts';
import { comparisonAsRange, quoteFix } from './fixes.ts';
import { isRefusedToken } from './refused.ts';
import type { ClausePosition, LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * Syntax of the engine that section 4.2.1 of the interface document does not
 * mention. It works as long as the server passes it on to its engine.
 */
export const undocumentedSyntax: LintRule = {
  code: 'undocumented-syntax',
  heading: 'This is not part of the documented language',
  severity: 'warning',
  clause: (clause, context, position) => {
    if (context.dialect === 'lucene') return;
    checkOperators(clause, context);
    checkItem(clause, position, context);
  },
};

const undocumented = 'no part of the documented language';

function checkOperators({ conjunction, modifier, field }: Clause, { text, report }: LintContext): void {
  if (conjunction?.text === '&&' || conjunction?.text === '||') {
    const word = conjunction.kind === 'And' ? 'AND' : 'OR';
    report(conjunction, `"${conjunction.text}" is ${undocumented}; it means ${word}`, () => [
      { ...change(conjunction, word), isSafe: true },
    ]);
  }
  if (modifier?.kind === 'Minus' || modifier?.text === '!') {
    report(modifier, `"${modifier.text}" is ${undocumented}; it means NOT`, () => {
      const before = text().charAt(modifier.from - 1);
      // Behind a colon NOT is as wrong as the sign.
      if (before === ':') return [];
      return [change(modifier, `${/^[\s(]?$/.test(before) ? '' : ' '}NOT `, 'Change to NOT')];
    });
  }
  if (field?.name.text === '_exists_') {
    report(field.name, `"_exists_" is ${undocumented}; it asks whether a field has a value`);
  }
}

function checkItem(clause: Clause, { construct }: ClausePosition, context: LintContext): void {
  const { item } = clause;
  const { report } = context;
  if ('suffixes' in item) {
    const tilde = item.suffixes.find(({ kind }) => kind === 'Tilde');
    if (tilde) report(tilde, tildeMessage(tilde, item.kind === 'Phrase'), () => [remove(tilde)]);
  }
  // Other rules report refused characters and paths.
  if (item.kind === 'Regexp' && !construct && !isRefusedToken(item.term)) {
    report(
      item.term,
      `${quoteName(item.term.text)} is a regular expression, which is ${undocumented}`,
      () => [quoteFix(item.term, item.term.text)],
    );
  }
  if (item.kind === 'Word') checkComparison(clause, item.term, context);
}

function tildeMessage({ text }: Token, isPhrase: boolean): string {
  const meaning = isPhrase ? 'it allows words between those of the phrase' : 'it finds similar words';
  return `"${text}" is ${undocumented}; ${meaning}`;
}

/** Reports `>5` on a number field; `range-on-text` reports it on text. */
function checkComparison(clause: Clause, term: Token, { targets, report }: LintContext): void {
  const field = namedField(clause, targets);
  if (!field || field.type === 'text' || field.type === 'keyword') return;
  const [, sign, value] = /^([<>]=?)(.+)$/s.exec(withoutEscapes(term.text).text) ?? [];
  if (!sign || !value) return;
  const range = comparisonAsRange(sign, value);
  report(term, `"${sign}" is ${undocumented}; a range says the same`, () => [
    change(term, range, 'Make it a range'),
  ]);
}

function change({ from, to }: Token, insert: string, title = `Change to ${insert}`): Fix {
  return { title, edits: [{ from, to, insert }] };
}

function remove({ from, to }: Token): Fix {
  return { title: 'Remove it', edits: [{ from, to, insert: '' }] };
}
