import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findBest } from '../../src/case/searching/best-logs.ts';
import type { FuzzyFilter, TermFilter } from '../../src/language/meaning/filter.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import type { ScoreLeaf, ScoreNode } from '../../src/language/meaning/score.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { essentialLeaves, selectsLogs, unmatched } from '../../src/word-index/best-scores.ts';
import { rounds } from '../effort.ts';
import { requireSoundIndex } from './sound-index.ts';

requireSoundIndex();

const words = ['often', 'common', 'usual', 'some', 'few', 'rare', 'rarest', 'sole'];

/** A word whose frequency falls with its number, as those of texts do. */
function wordAt(seed: number): string {
  return words[Math.min(words.length - 1, Math.floor(-Math.log2(seed)))] ?? '';
}

/** Pseudo-random numbers above 0 and below 1, the same ones each time. */
function* numbers(): Generator<number, never, undefined> {
  for (let state = 1; ; state = (state * 48_271) % 2_147_483_647) yield state / 2_147_483_647;
}

function texts(count: number): readonly Log[] {
  const random = numbers();
  const word = () => wordAt(random.next().value);
  return Array.from({ length: count }, (_, index): Log => {
    const length = 1 + Math.floor(9 * random.next().value);
    const msg = Array.from({ length }, word).join(' ');
    return { time: (index * 7919) % 6007, msg, source: word(), ...(index % 3 === 0 && { username: word() }) };
  });
}

describe('the best logs', () => {
  let of: Case;
  beforeAll(async () => {
    of = await openCase(':memory:', { access: 'write' });
    await addLogs(of, texts(12_000), { part: 'many' });
    // Several segments, whose words have their logs in different ones.
    await buildIndex(of, { segmentBytes: 1 << 20 });
  });
  afterAll(() => of[Symbol.asyncDispose]());

  const word = fc.constantFrom(...words, 'absent');
  const clause = fc.oneof(
    word,
    word,
    fc.tuple(word, word).map(([one, other]) => `"${one} ${other}"`),
    fc.tuple(word, fc.constantFrom('msg', 'source', 'username')).map(([value, field]) => `${field}:${value}`),
    fc.tuple(word, word).map(([one, other]) => `(${one} AND ${other})`),
    word.map((value) => `${value}^3`),
    word.map((value) => `${value.slice(0, 3)}*`),
  );
  const query = fc
    .array(fc.tuple(fc.constantFrom('', '', '', '+', '-'), clause), { minLength: 1, maxLength: 5 })
    .map((clauses) => clauses.map((each) => each.join('')).join(' '));

  test('of few are the first of those of many', async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 40 }), async (text, limit) => {
        const scored = resolveScored(parse(text).query, { now: 0 });
        // So many are asked for that none is left out for its score.
        const all = await findBest(of, scored, { limit: 12_001 });
        expect(await findBest(of, scored, { limit })).toEqual(all.slice(0, limit));
        const place = all[limit - 1];
        if (!place) return;
        const after = { id: place.id, score: place.score, time: Number(place.log.time) };
        expect(await findBest(of, scored, { limit, after })).toEqual(all.slice(limit, 2 * limit));
      }),
      { numRuns: rounds(40, 10) },
    );
  });
});

describe('the essential leaves', () => {
  const leaf = (number: number, weight: number): ScoreNode => ({
    kind: 'counted',
    leaf: number,
    weight,
    score: (of, frequency) => of * (1 - 1 / (1 + frequency)),
  });
  const sum = (parts: Partial<Record<'must' | 'should' | 'mustNot', ScoreNode[]>>): ScoreNode => ({
    kind: 'sum',
    must: [],
    should: [],
    mustNot: [],
    ...parts,
  });
  const groupsOf = (root: ScoreNode, present: readonly number[], score: number, otherwise = 0) =>
    essentialLeaves(root, { present: new Set(present), otherwise })(score)
      .map((group) => [...group].sort())
      .sort();
  const words = sum({ should: [leaf(0, 1), leaf(1, 5), leaf(2, 2)] });
  const fields = (...leaves: ScoreNode[]): ScoreNode => ({ kind: 'best', parts: leaves });
  const twoFields = sum({ should: [fields(leaf(0, 3), leaf(1, 1)), fields(leaf(2, 1), leaf(3, 2))] });

  test.each<[string, ScoreNode, readonly number[], number, readonly (readonly number[])[]]>([
    ['all may give enough', words, [0, 1, 2], Number.NEGATIVE_INFINITY, []],
    ['any log is wanted', words, [0, 1, 2], 0, []],
    ['the least word does not give enough', words, [0, 1, 2], 2, [[1, 2]]],
    ['two words together do not', words, [0, 1, 2], 4, [[1]]],
    ['the best word needs another', words, [0, 1, 2], 6.5, [[1], [2]]],
    ['all words are needed', words, [0, 1, 2], 7.5, [[0], [1], [2]]],
    ['no log gives enough', words, [0, 1, 2], 9, [[]]],
    ['the best word is in no log', words, [0, 2], 2.5, [[0], [2]]],
    ['the best field counts', fields(leaf(0, 1), leaf(1, 1)), [0, 1], 1.5, [[]]],
    [
      'a word is enough in one field',
      twoFields,
      [0, 1, 2, 3],
      2.5,
      [
        [0, 1],
        [0, 3],
      ],
    ],
    ['a word is enough in no field', twoFields, [0, 1, 2, 3], 3.5, [[0], [2, 3]]],
    ['a word must match', sum({ must: [leaf(0, 1), leaf(1, 5)] }), [0, 1], 0.5, [[0], [1]]],
    ['a needed word is in no log', sum({ must: [leaf(0, 1), leaf(1, 5)] }), [1], 0.5, [[]]],
    ['a set counts as a word', sum({ should: [{ kind: 'tested', leaf: 0, weight: 4 }] }), [0], 3, [[0]]],
    ['nothing is asked for', sum({}), [], 1, [[]]],
  ])('if %s', (_, root, present, score, expected) => {
    expect(groupsOf(root, present, score)).toEqual(expected);
  });

  test('without a selection, a log must match a part of the whole', () => {
    const anyScore = Number.NEGATIVE_INFINITY;
    expect(groupsOf(words, [0, 1, 2], anyScore, unmatched)).toEqual([[0, 1, 2]]);
    expect(groupsOf(sum({ must: [leaf(0, 1), leaf(1, 5)] }), [0, 1], anyScore, unmatched)).toEqual([
      [0],
      [1],
    ]);
  });

  test('logs are selected by their scores where no log may match without a leaf', () => {
    const field: Field = { name: 'msg', type: 'text', about: '' };
    const filter: TermFilter = { kind: 'term', field, term: 'often' };
    const near: FuzzyFilter = { ...filter, kind: 'fuzzy', edits: 1 };
    const leaves: ScoreLeaf[] = [{ kind: 'counted', filter, condition: filter }];
    const prohibited = sum({ mustNot: [leaf(0, 1)] });
    expect(selectsLogs({ root: words, leaves })).toBe(true);
    expect(selectsLogs({ root: prohibited, leaves })).toBe(false);
    expect(selectsLogs({ root: words, leaves: [{ kind: 'counted', filter, condition: near }] })).toBe(false);
  });
});
