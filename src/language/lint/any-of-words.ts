import type { Field } from '../meaning/schema.ts';
import type { Fix } from '../parse/finding.ts';
import { quote } from '../parse/lex.ts';
import { askedText } from './clause.ts';
import { isPlainWord, operatorMeantBy, type PlainWord } from './constructs.ts';
import type { QueryLevel } from './level.ts';
import type { LintContext, LintRule } from './rule.ts';
import { likelyField } from './value-in-run.ts';
import { joinNames } from './wording.ts';

/**
 * A query that is a few words and nothing else, as `timed out`. A log needs only one of them (rule 1 of
 * section 4.2.1 of the interface document), while other searches look for all of them or for the phrase.
 */
export const anyOfWords: LintRule = {
  code: 'any-of-words',
  heading: 'Any one of several words is enough',
  severity: 'hint',
  level: (level, context) => {
    const { parts, constructs } = level;
    if (parts !== context.query.parts || parts.length < 2 || mostWords < parts.length) return;
    const words = parts.filter((part) => isPlainWord(part));
    if (words.length < parts.length || constructs.some((construct) => construct)) return;
    const fields = context.searched(level);
    if (words.every((word) => isProse(word, fields, context))) report(level, words, context);
  },
};

/** More words are a list of alternatives, or a pasted sentence. */
const mostWords = 4;

/** Returns whether a word is one to a reader and to the engine, and no value or operator that another rule reports. */
function isProse(word: PlainWord, fields: readonly Field[], { terms }: LintContext): boolean {
  return (
    fields.some(({ type }) => type === 'text') &&
    terms(word).length === 1 &&
    !operatorMeantBy(word.item.term.text) &&
    !likelyField(askedText(word.item) ?? '', fields)
  );
}

function report({ from, to }: QueryLevel, words: readonly PlainWord[], { report: add }: LintContext): void {
  const [first, last] = [words[0]?.from ?? from, words.at(-1)?.to ?? to];
  const texts = words.map(({ item }) => item.term.text);
  const any = words.length === 2 ? 'either' : 'any';
  add(
    { from: first, to: last },
    `This finds logs with ${any} of ${joinNames(texts, 'and')} anywhere; a phrase stands in quotes`,
    () => [phraseFix(first, last, words), andFix(words)],
  );
}

function phraseFix(from: number, to: number, words: readonly PlainWord[]): Fix {
  const phrase = words.map(({ item }) => askedText(item)).join(' ');
  return { title: 'Put the phrase in quotes', edits: [{ from, to, insert: quote(phrase) }] };
}

function andFix(words: readonly PlainWord[]): Fix {
  const edits = words.slice(1).map(({ from }) => ({ from, to: from, insert: 'AND ' }));
  return { title: 'Ask for all of the words', edits };
}
