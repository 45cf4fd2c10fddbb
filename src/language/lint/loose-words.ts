import type { Field } from '../meaning/schema.ts';
import type { Fix } from '../parse/finding.ts';
import { quote, withoutEscapes } from '../parse/lex.ts';
import type { Clause } from '../parse/tree.ts';
import { askedText } from './clause.ts';
import { isPlainWord, operatorMeantBy, type PlainWord } from './constructs.ts';
import type { QueryLevel } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';
import { joinNames } from './wording.ts';

/**
 * Words behind a field and its first word, as in `msg:connection refused`. A
 * field is for one word, phrase or group; the rest is searched in the default
 * fields (section 1.4 of the language specification).
 */
export const looseWords: LintRule = {
  code: 'loose-words',
  heading: 'A field is for the first word only',
  severity: 'warning',
  clause: (clause, context, { level, index, construct }) => {
    if (construct || !isPlainWord(level.parts[index + 1]) || !asksProse(clause, context)) return;
    const words = wordsAfter(level, index);
    if (0 < words.length) reportWords(clause, words, context);
  },
};

/** A field with known values is hardly meant for several words. */
function isProse({ type, values }: Field): boolean {
  return type === 'text' && !values;
}

/** Returns whether a clause is one word on a field of its own, of free text. */
function asksProse({ field, item }: Clause, { schema }: LintContext): boolean {
  if (!field || item.kind !== 'Word' || 0 < item.suffixes.length) return false;
  const known = schema.fields.get(withoutEscapes(field.name.text).text);
  return known !== undefined && isProse(known);
}

/** The plain words that follow a clause, up to one that looks like an operator or belongs to something else. */
function wordsAfter({ parts, constructs }: QueryLevel, index: number): PlainWord[] {
  const words: PlainWord[] = [];
  for (let at = index + 1; at < parts.length; at += 1) {
    const part = parts[at];
    if (!isPlainWord(part) || operatorMeantBy(part.item.term.text) || constructs[at]) break;
    words.push(part);
  }
  return words;
}

function reportWords(head: Clause, words: readonly PlainWord[], { report }: LintContext): void {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || !head.field) return;
  const texts = words.map(({ item }) => item.term.text);
  const verb = words.length === 1 ? 'is' : 'are';
  const name = head.field.name.text;
  report(
    { from: first.from, to: last.to },
    `${joinNames(texts, 'and')} ${verb} not asked of "${name}": a field is for one word, phrase or group`,
    () => [phraseFix(head, words), groupFix(head, last)],
  );
}

function phraseFix(head: Clause, words: readonly PlainWord[]): Fix {
  const value = [head, ...words].map(({ item }) => askedText(item)).join(' ');
  return {
    title: 'Put the phrase in quotes',
    edits: [{ from: head.item.from, to: words.at(-1)?.to ?? head.to, insert: quote(value) }],
  };
}

function groupFix(head: Clause, last: Clause): Fix {
  return {
    title: 'Put the words in parentheses',
    edits: [
      { from: head.item.from, to: head.item.from, insert: '(' },
      { from: last.to, to: last.to, insert: ')' },
    ],
  };
}
