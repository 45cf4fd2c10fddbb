import { expect, test } from 'vitest';
import type { PhraseFilter } from '../../src/language/meaning/filter.ts';
import type { TermPattern } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { duckdbPattern } from '../../src/language/translate/duckdb.ts';

const tokens: Field = { name: 'msg', type: 'text', about: 'the message' };
const value: Field = { name: 'source', type: 'keyword', about: 'the source' };

/** The condition on a text for what its words, joined, contain. */
function has(joined: string): string {
  const words = joined.trim().split(' ');
  const each = words.map((word) => `contains(lower(c), '${word}')`);
  return `(${each.join(' AND ')} AND contains(words(c), '${joined}'))`;
}

test.each<[string, TermPattern | PhraseFilter, string, boolean]>([
  ['a prefix of a token', { kind: 'prefix', field: tokens, prefix: 'ti' }, has(' ti'), true],
  ['a prefix with a blank', { kind: 'prefix', field: tokens, prefix: 'a b' }, 'false', true],
  ['a prefix of a value', { kind: 'prefix', field: value, prefix: 'a b' }, "starts_with(c, 'a b')", true],
  ['an end', { kind: 'wildcard', field: tokens, pattern: '*out' }, has('out '), true],
  ['an end of a value', { kind: 'wildcard', field: value, pattern: '*out' }, "ends_with(c, 'out')", true],
  ['a middle', { kind: 'wildcard', field: tokens, pattern: '*me*' }, has('me'), true],
  ['a middle of a value', { kind: 'wildcard', field: value, pattern: '*me*' }, "contains(c, 'me')", true],
  ['anything', { kind: 'wildcard', field: value, pattern: '**' }, "contains(c, '')", true],
  ['no wildcard', { kind: 'wildcard', field: value, pattern: 'a\\*' }, "c = 'a*'", true],
  [
    'a token with anything inside',
    { kind: 'wildcard', field: tokens, pattern: 't?m*t' },
    "regexp_matches(words(c), ' (?:t[^ ]m[^ ]*t) ')",
    true,
  ],
  [
    'a value with anything inside',
    { kind: 'wildcard', field: value, pattern: 't?m' },
    "regexp_full_match(c, 't(?s:.)m')",
    true,
  ],
  [
    'a regular expression',
    { kind: 'regexp', field: tokens, pattern: '[a-c]+\\.x{2,3}' },
    "regexp_matches(words(c), ' (?:(?:(?:[a-c]){1,}\\x{2e}(?:x){2,3})) ')",
    true,
  ],
  [
    'a negated class',
    { kind: 'regexp', field: tokens, pattern: '[^a]' },
    "regexp_matches(words(c), ' (?:[\\x{0}-\\x{1f}\\x{21}-\\x{60}b-\\x{10ffff}]) ')",
    true,
  ],
  [
    'a complement',
    { kind: 'regexp', field: tokens, pattern: 'a~b' },
    "regexp_matches(words(c), ' (?:(?:a[^ ]*)) ')",
    false,
  ],
  [
    'an intersection',
    { kind: 'regexp', field: tokens, pattern: '~a&b' },
    "regexp_matches(words(c), ' (?:b) ')",
    false,
  ],
  [
    'an interval',
    { kind: 'regexp', field: tokens, pattern: 'v<1-15>' },
    "regexp_matches(words(c), ' (?:(?:v[0-9]+)) ')",
    false,
  ],
  [
    'too many repetitions',
    { kind: 'regexp', field: tokens, pattern: '(a{50}){100}' },
    "regexp_matches(words(c), ' (?:(?:(?:a){50,50})*) ')",
    false,
  ],
  [
    'too many repetitions in an intersection',
    { kind: 'regexp', field: tokens, pattern: '(a{50}&.*){100}' },
    "regexp_matches(words(c), ' (?:(?:(?:a){50,50})*) ')",
    false,
  ],
  ['what the engine refuses', { kind: 'regexp', field: tokens, pattern: '(' }, 'false', true],
  [
    'what is too complex for the engine',
    { kind: 'regexp', field: tokens, pattern: '.*a.{14}' },
    'false',
    true,
  ],
  ['an empty value', { kind: 'fuzzy', field: value, term: '', edits: 2 }, "c = ''", true],
  [
    'a fuzzy term that no term is near to',
    { kind: 'fuzzy', field: tokens, term: 'a', edits: 1, expansion: [] },
    'false',
    true,
  ],
  ['no edits', { kind: 'fuzzy', field: tokens, term: 'ab', edits: 0 }, has(' ab '), true],
  [
    'one edit',
    { kind: 'fuzzy', field: tokens, term: 'a', edits: 1 },
    "regexp_matches(words(c), ' (?:(?:a[^ ]{0,1}|[^ ]?|[^ ]a)) ')",
    true,
  ],
  [
    'a long term',
    { kind: 'fuzzy', field: tokens, term: 'abcdefghijklmnopqrst', edits: 2 },
    `(${has('abcd')} OR ${has('efgh')} OR ${has('ijkl')} OR ${has('mnop')} OR ${has('qrst')})`,
    false,
  ],
  ['a phrase', { kind: 'phrase', field: tokens, terms: ['a', 'b'], slop: 0 }, has(' a b '), true],
  [
    'a sloppy phrase',
    { kind: 'phrase', field: tokens, terms: ['a', 'b', 'a'], slop: 2 },
    `(${has(' a ')} AND ${has(' b ')})`,
    false,
  ],
])('%s', (_, filter, sql, exact) => {
  expect(duckdbPattern(filter, 'c', (parameter) => `'${parameter}'`)).toEqual({ sql, exact });
});

test.each([
  ['many code points', [...'abcdefghijkl'].map((letter) => `.{900}${letter}`).join('|')],
  ['deeply nested groups', `a${'?'.repeat(600)}`],
])('no condition is known for %s', (_, pattern) => {
  const filter: TermPattern = { kind: 'regexp', field: tokens, pattern };
  expect(duckdbPattern(filter, 'c', () => '?')).toBeUndefined();
});
