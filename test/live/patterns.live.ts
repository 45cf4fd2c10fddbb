import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newEffort, TooComplex } from '../../src/language/automata/automaton.ts';
import { checkFuzzy, checkSimilarity, fuzzyEdits, fuzzyStates } from '../../src/language/automata/fuzzy.ts';
import { checkSlop, matchesSloppily, phraseSlop } from '../../src/language/automata/phrase.ts';
import { compileRegexp, parseRegexp, regexpAutomaton } from '../../src/language/automata/regexp.ts';
import {
  checkPrefix,
  checkRegexp,
  checkWildcard,
  compileWildcard,
} from '../../src/language/automata/wildcard.ts';
import { automatonTest, type TermPattern, termTest } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { engines } from '../../src/language/parse/engine.ts';
import * as text from '../property/pattern-text.ts';
import { askJava, word } from './ask-java.ts';
import { numRuns, seed } from './settings.ts';

/** About as much effort as the engine makes. */
const patience = 100_000_000;
const field: Field = { name: 'value', type: 'keyword', about: 'a value' };

/** A question as Lucene is asked it, and what is expected here. */
interface Question {
  readonly question: string;
  readonly shown: string;
  readonly answer: string;
}

const terms = [...new Set(fc.sample(text.term, { numRuns: 300, seed }))];

test(`${numRuns} wildcards with the seed ${seed}`, () => {
  const patterns = fc.sample(text.wildcardPattern, { numRuns, seed });
  checkTerms(
    patterns.map((pattern) =>
      termQuestion(`wildcard ${word(pattern)}`, { kind: 'wildcard', field, pattern }, checkWildcard(pattern)),
    ),
  );
});

test(`${numRuns} prefixes with the seed ${seed}`, () => {
  const prefixes = fc.sample(text.term, { numRuns, seed: seed + 1 });
  checkTerms(
    prefixes.map((prefix) =>
      termQuestion(`prefix ${word(prefix)}`, { kind: 'prefix', field, prefix }, checkPrefix(prefix)),
    ),
  );
});

test(`${numRuns} regular expressions with the seed ${seed}`, () => {
  const patterns = fc.sample(text.regexpText, { numRuns, seed });
  checkTerms(patterns.flatMap((pattern) => [regexpQuestion(pattern), statesQuestion(pattern)]));
});

test(`${numRuns} texts of the characters of regular expressions with the seed ${seed}`, () => {
  const patterns = fc.sample(text.regexpJunk, { numRuns, seed });
  checkTerms(patterns.flatMap((pattern) => [regexpQuestion(pattern), statesQuestion(pattern)]));
});

test(`${numRuns / 250} regular expressions that are nearly too complex with the seed ${seed}`, () => {
  const patterns = fc.sample(text.largeRegexp, { numRuns: numRuns / 250, seed });
  const questions = patterns.flatMap(patientQuestion);
  expect(questions.length).toBeGreaterThan(patterns.length / 2);
  checkTerms(questions);
});

test(`${numRuns / 500} wildcards that are nearly too complex with the seed ${seed}`, () => {
  const patterns = fc.sample(text.largeWildcard, { numRuns: numRuns / 500, seed });
  checkTerms(
    patterns.map((pattern) => {
      const compiled = compileWildcard(pattern, newEffort(patience));
      const answer = 'refusal' in compiled ? 'refused' : numbersOf(terms, automatonTest(compiled.automaton));
      return { question: `wildcard ${word(pattern)}`, shown: pattern, answer };
    }),
  );
});

test(`what stands after ${numRuns} tildes with the seed ${seed}`, () => {
  const cases = fc.sample(fc.tuple(text.nonEmptyTerm, text.tilde), { numRuns, seed });
  check(
    [],
    cases.flatMap(([term, written]) => [
      {
        question: `query ${word(`${term}~${written}`)}`,
        shown: `${term}~${written}`,
        answer: checkSimilarity(written, engines.lucene)
          ? 'refused'
          : `${term}~${fuzzyEdits(written, [...term].length, engines.lucene)}`.replace(/[^ -~]/gu, '?'),
      },
      {
        question: `query ${word(`"a b"~${written}`)}`,
        shown: `"a b"~${written}`,
        answer: checkSlop(written) ? 'refused' : `"a b"~${phraseSlop(written)}`.replace(/~0$/, ''),
      },
    ]),
  );
});

test(`${numRuns} fuzzy terms with the seed ${seed}`, () => {
  const cases = fc.sample(fc.tuple(text.term, fc.constantFrom(0, 1, 2)), { numRuns, seed });
  checkTerms(
    cases.map(([term, edits]) =>
      termQuestion(`fuzzy ${edits} ${word(term)}`, { kind: 'fuzzy', field, term, edits }, undefined),
    ),
  );
});

test(`the states of ${numRuns / 10} fuzzy terms with the seed ${seed}`, () => {
  const cases = fc.sample(fc.tuple(text.repetitiveTerm, fc.constantFrom(1, 2)), {
    numRuns: numRuns / 10,
    seed,
  });
  check(
    [],
    cases.map(([term, edits]) => ({
      question: `near ${edits} ${word(term)}`,
      shown: `states of ${term}~${edits}`,
      answer: `${fuzzyStates(term, edits, newEffort(patience))}`,
    })),
  );
});

test(`${numRuns / 250} fuzzy terms that are nearly too long with the seed ${seed}`, () => {
  const cases = fc.sample(fc.tuple(text.repetitiveTerm, fc.constantFrom(1, 2)), {
    numRuns: numRuns / 250,
    seed,
  });
  checkTerms(
    cases.flatMap(([part, edits]) => {
      const long = [...part.repeat(Math.ceil(700 / part.length))];
      const isRefused = (size: number): boolean =>
        checkFuzzy(long.slice(0, size).join(''), edits, newEffort(patience)) !== undefined;
      let [fits, refused] = [1, long.length];
      while (fits + 1 < refused) {
        const size = (fits + refused) >> 1;
        if (isRefused(size)) refused = size;
        else fits = size;
      }
      // Of ASCII alone, neither is refused.
      return [fits, refused].map((size) => {
        const term = long.slice(0, size).join('');
        const refusal = isRefused(size) ? {} : undefined;
        return termQuestion(`fuzzy ${edits} ${word(term)}`, { kind: 'fuzzy', field, term, edits }, refusal);
      });
    }),
  );
});

test(`${numRuns} sloppy phrases with the seed ${seed}`, () => {
  const texts = fc.sample(text.words, { numRuns: 500, seed });
  const cases = fc.sample(fc.tuple(text.phrase, fc.integer({ min: 1, max: 9 })), { numRuns, seed });
  check(
    [`texts ${texts.map((tokens) => word(tokens.join(' '))).join(' ')}`],
    cases.map(([phrase, slop]) => ({
      question: `phrase ${slop} ${phrase.map(word).join(' ')}`,
      shown: `"${phrase.join(' ')}"~${slop}`,
      answer: numbersOf(texts, (tokens) => matchesSloppily(phrase, slop, tokens)),
    })),
  );
});

function regexpQuestion(pattern: string): Question {
  return termQuestion(`regexp ${word(pattern)}`, { kind: 'regexp', field, pattern }, checkRegexp(pattern));
}

/** Equal numbers of states make the same automata too complex. */
function statesQuestion(pattern: string): Question {
  return { question: `states ${word(pattern)}`, shown: `states of /${pattern}/`, answer: statesOf(pattern) };
}

/** Like `regexpQuestion`, with as much effort as the engine makes; none where even that is not enough. */
function patientQuestion(pattern: string): Question[] {
  const effort = newEffort(patience);
  const compiled = compileRegexp(pattern, effort);
  if (effort.left < 0) return [];
  const answer = 'refusal' in compiled ? 'refused' : numbersOf(terms, automatonTest(compiled.automaton));
  return [{ question: `regexp ${word(pattern)}`, shown: `/${pattern}/`, answer }];
}

function statesOf(pattern: string): string {
  const parsed = parseRegexp(pattern);
  if ('refusal' in parsed) return 'refused';
  try {
    return `${regexpAutomaton(parsed.tree, newEffort()).accepts.length}`;
  } catch (error) {
    if (error instanceof TooComplex) return 'refused';
    throw error;
  }
}

function termQuestion(question: string, filter: TermPattern, refusal: object | undefined): Question {
  const answer = refusal ? 'refused' : numbersOf(terms, termTest(filter));
  return { question, shown: JSON.stringify({ ...filter, field: undefined }), answer };
}

function numbersOf<T>(items: readonly T[], test: (item: T) => boolean): string {
  return items.flatMap((item, number) => (test(item) ? [number] : [])).join(' ');
}

function checkTerms(questions: readonly Question[]): void {
  check([`terms ${terms.map(word).join(' ')}`], questions);
}

function check(before: readonly string[], questions: readonly Question[]): void {
  const answers = askJava('Patterns', [...before, ...questions.map(({ question }) => question)]).slice(
    before.length,
  );
  expect(answers).toHaveLength(questions.length);
  const differences = questions
    .map(({ shown, answer }, index) => ({ shown, ours: answer, lucene: answers[index] ?? '' }))
    // A query that takes more memory than the engine was given here has no answer.
    .filter(({ lucene }) => !lucene.includes('Java heap space'))
    .filter(({ ours, lucene }) => (ours === 'refused' ? !lucene.startsWith('refused') : ours !== lucene));
  expect(differences.slice(0, 10)).toEqual([]);
}
