import type { Fix } from '../parse/finding.ts';
import type { Clause, Part } from '../parse/tree.ts';
import { isPlainWord, operatorMeantBy, type PlainWord } from './constructs.ts';
import type { LintRule } from './rule.ts';

/**
 * `and`, `or` and `not`, and a single `&` or `|`, between two parts. Operators
 * are upper case (rule 4 of section 4.2.1 of the interface document); these are
 * words to search for, or nothing at all.
 */
export const operatorLikeWord: LintRule = {
  code: 'operator-like-word',
  heading: 'A word looks like an operator and is none',
  severity: 'warning',
  clause: (clause, { report }, { level: { parts }, index, construct }) => {
    if (!isPlainWord(clause, { conjunction: true }) || construct) return;
    const operator = operatorFor(clause, parts[index - 1], parts[index + 1]);
    if (operator) report(clause.item, messageFor(clause.item.term.text), () => [change(clause, operator)]);
  },
};

/** The operator that a word looks like, if one can stand there. */
function operatorFor(word: PlainWord, before: Part | undefined, after: Part | undefined) {
  const operator = operatorMeantBy(word.item.term.text);
  if (!operator || after?.kind !== 'Clause' || after.conjunction) return undefined;
  if (operator === 'NOT') return after.modifier ? undefined : operator;
  return word.conjunction || before?.kind !== 'Clause' ? undefined : operator;
}

function messageFor(text: string): string {
  return /\w/.test(text)
    ? `"${text}" is a word to search for; operators are in upper case`
    : `"${text}" is no operator; it is left out`;
}

function change({ item }: Clause, operator: string): Fix {
  return { title: `Change to ${operator}`, edits: [{ from: item.from, to: item.to, insert: operator }] };
}
