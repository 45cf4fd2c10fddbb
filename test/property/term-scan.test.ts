import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, openCase, readCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { type TermPattern, termTest } from '../../src/language/meaning/match.ts';
import { termAutomaton } from '../../src/language/meaning/term-automaton.ts';
import { type IndexReader, scanTerms } from '../../src/word-index/look-up.ts';
import { scanByAutomaton, termsOfPattern } from '../../src/word-index/pattern.ts';
import { PageCache, readSegments } from '../../src/word-index/stored-segments.ts';
import { rounds } from '../effort.ts';

/*
 * Terms of patterns, found by the blocks that may have them, are those that pass the test of each term. The letters have
 * one, three and four bytes; the last two are in another order as UTF-16.
 */

const letters = ['a', 'b', 'c', '\uff41', '\u{10428}'];

/** All terms of one to six letters, sorted by code points: 19,530, in three pages. */
const allTerms = Array.from({ length: 6 }).reduce<readonly (readonly string[])[]>(
  (lists) => [...lists, (lists.at(-1) ?? []).flatMap((term) => letters.map((letter) => term + letter))],
  [['']],
);
const sorted = (terms: Iterable<string>) =>
  [...new Set(terms)].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
const everyTerm = sorted(allTerms.slice(1).flat());

const field = { name: 'msg', type: 'text', about: '' } as const;
const text = (units: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...units), { maxLength }).map((parts) => parts.join(''));

const pattern: fc.Arbitrary<TermPattern> = fc.oneof(
  text([...letters, '*', '?', '\\'], 6).map(
    (written): TermPattern => ({
      kind: 'wildcard',
      field,
      pattern: written,
    }),
  ),
  text([...letters, '[ab]', '(b|c)', ...'.*+?|&~()[]{2}"#@'], 7).map(
    (written): TermPattern => ({
      kind: 'regexp',
      field,
      pattern: written,
    }),
  ),
  // Halves of a surrogate pair have no bytes.
  text([...letters, '\ud801', '\udc28'], 4).map((prefix): TermPattern => ({ kind: 'prefix', field, prefix })),
  fc
    .tuple(text([...letters, 'd', '\ud801'], 6), fc.constantFrom<0 | 1 | 2>(0, 1, 2))
    .map(([term, edits]): TermPattern => ({ kind: 'fuzzy', field, term, edits })),
);

async function makeCase(terms: readonly string[], segmentBytes: number): Promise<Case> {
  const stored = await openCase(':memory:', { access: 'write' });
  const logs = Array.from({ length: Math.max(1, Math.ceil(terms.length / 100)) }, (_, index) => ({
    msg: terms.slice(100 * index, 100 * (index + 1)).join(' '),
  }));
  await addLogs(stored, logs, { part: 'all' });
  await buildIndex(stored, { segmentBytes, threads: 0 });
  return stored;
}

function withReader<T>(of: Case, work: (reader: IndexReader) => Promise<T>): Promise<T> {
  return readCase(of, async (connection) =>
    work({ connection, segments: await readSegments(connection), cache: new PageCache(1 << 24) }),
  );
}

let all: Case;
beforeAll(async () => {
  all = await makeCase(everyTerm, 1e9);
});
afterAll(() => all[Symbol.asyncDispose]());

test('of a large dictionary, patterns select the terms that pass their test, in order', async () => {
  await withReader(all, (reader) =>
    fc.assert(
      fc.asyncProperty(pattern, async (filter) => {
        expect(await termsOfPattern(reader, filter)).toEqual(everyTerm.filter(termTest(filter)));
      }),
      { numRuns: rounds(1000) },
    ),
  );
});

test('of small dictionaries, in several segments, too', async () => {
  const terms = fc.oneof(
    { arbitrary: fc.uniqueArray(text(letters, 9).filter(Boolean), { maxLength: 150 }), weight: 3 },
    // Blocks that lack most letters.
    fc.uniqueArray(text(letters, 3).filter(Boolean), { maxLength: 4 }),
    // Around the ends of blocks, which have 32 terms.
    fc.constantFrom(0, 1, 31, 32, 33, 64, 65).map((count) => everyTerm.slice(0, count)),
  );
  const filters = fc.array(pattern, { minLength: 5, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(terms, fc.constantFrom(1, 1e9), filters, async (some, segmentBytes, patterns) => {
      await using stored = await makeCase(some, segmentBytes);
      await withReader(stored, async (reader) => {
        for (const filter of patterns)
          expect(sorted(await termsOfPattern(reader, filter))).toEqual(sorted(some).filter(termTest(filter)));
      });
    }),
    { numRuns: rounds(60, 5) },
  );
});

test.each([
  ['regexp', { kind: 'regexp', field, pattern: 'ab(ca|ba)c' }, 64],
  ['wildcard', { kind: 'wildcard', field, pattern: 'ca?cab' }, 352],
  ['fuzzy', { kind: 'fuzzy', field, term: 'abcabc', edits: 1 }, 1376],
  ['nothing', { kind: 'regexp', field, pattern: '#' }, 0],
] as const)('of a %s pattern only the blocks that may have its terms are read', async (_, filter, most) => {
  const automaton = termAutomaton(filter);
  if (!automaton) throw new Error('The automaton is small');
  const scan = scanByAutomaton(automaton);
  const visited = await withReader(all, async (reader) => {
    let count = 0;
    for await (const { terms } of scanTerms(reader, { field: 0, ...scan })) while (terms.next()) count++;
    return count;
  });
  expect(visited).toBeLessThanOrEqual(most);
});

test.each([
  ['many states', { kind: 'fuzzy', field, term: 'ab\u{10428}c'.repeat(40), edits: 2 }],
  ['a half of a surrogate pair', { kind: 'prefix', field, prefix: 'abc\ud801' }],
  ['too many steps', { kind: 'wildcard', field, pattern: `*a${'?'.repeat(18)}` }],
] as const)('a pattern with %s is compared with each term', async (_, filter) => {
  expect(termAutomaton(filter)?.accepts.length ?? Number.POSITIVE_INFINITY).toBeGreaterThan(1000);
  const found = await withReader(all, (reader) => termsOfPattern(reader, filter));
  expect(found).toEqual(everyTerm.filter(termTest(filter)));
});

test('a block without a letter that a term may have instead of another is read', async () => {
  await using stored = await makeCase(['ac', 'cc'], 1e9);
  const filter = { kind: 'regexp', field, pattern: '[ab]c' } as const;
  expect(await withReader(stored, (reader) => termsOfPattern(reader, filter))).toEqual(['ac']);
});
