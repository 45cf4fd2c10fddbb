import { describe, expect, test } from 'vitest';
import { searching, viewed } from '../viewed.ts';

/** The members of a level: how each is taken, a minus where analysis leaves nothing of it, and its text. */
function membersOf(text: string): string[] {
  return viewed(text, searching('msg')).level.members.map(
    ({ occur, kept, from, to }) => `${occur ?? 'none'} ${kept ? '' : '-'}${text.slice(from, to)}`,
  );
}

describe('a level as the server takes it', () => {
  test.each([
    ['a b', ['should a b']],
    ['a AND b', ['must a', 'must b']],
    ['a OR NOT b', ['should a', 'mustNot NOT b']],
    ['a AND ...', ['must a', 'none -...']],
    ['... AND a', ['none -...', 'must a']],
    ['"--" a "b"', ['none -"--"', 'should a', 'should "b"']],
    ['a AND (...)', ['must a', 'none -(...)']],
    ['a AND ((...) "--")', ['must a', 'none -((...) "--")']],
    ['a AND (... b)', ['must a', 'must (... b)']],
    ['a AND ((... b))', ['must a', 'must ((... b))']],
    ['a AND (tim*)', ['must a', 'must (tim*)']],
    ['a AND ([1 TO 5])', ['must a', 'must ([1 TO 5])']],
    ['a AND nosuch:...', ['must a', 'must nosuch:...']],
    ['a AND kind:...', ['must a', 'must kind:...']],
    ['msg:a AND -msg:b', ['must msg:a', 'mustNot -msg:b']],
  ])('%s', (text, expected) => {
    expect(membersOf(text)).toEqual(expected);
  });

  test('has the members that are runs, and the indexes of all', () => {
    const { level } = viewed('a b "--" (c) tim* [1 TO 5] é "x" d e', searching('msg'));
    const texts = (members: typeof level.members) => members.map(({ clauses }) => clauses.length);
    expect(texts(level.members)).toEqual([2, 1, 1, 1, 1, 1, 1, 2]);
    expect(level.runs).toEqual([level.members[0], level.members[7]]);
    expect(level.members.map(({ at }) => at)).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('counts what is joined and how', () => {
    expect(viewed('a AND b OR NOT c +d e').level.counts).toEqual({
      ands: 1,
      ors: 1,
      nots: 1,
      pluses: 1,
      must: 3,
      should: 1,
      mustNot: 1,
    });
  });

  test.each([
    ['a AND b', true],
    ['a AND', false],
    ['a ) b', false],
    ['msg: AND b', false],
    ['“a b” AND c', false],
    ['“a” AND c', true],
    ['elapsed > 5 AND a', false],
    ['elapsed>5 AND a', true],
  ])('%s is sound: %s', (text, expected) => {
    expect(viewed(text).level.sound).toBe(expected);
  });
});

/** Reports if the server reads a level otherwise than a person. */
const differ = (text: string) => {
  const { view, level } = viewed(text);
  return view.readingsDiffer(level);
};

describe('the readings of a level', () => {
  test.each([
    ['a OR b AND c', true],
    ['a AND b OR a', true],
    ['a AND a OR a', false],
    ['a OR NOT b', true],
    ['NOT a', false],
    ['a NOT b', false],
    ['a AND b NOT c', false],
    ['a AND b AND NOT c', false],
    ['+a b', true],
    ['+a +b', true],
    ['+a AND +b', false],
    ['a OR (b AND NOT b)', false],
    ['a AND (b OR b) OR a AND (b OR b)', false],
    // Inside it is taken otherwise, and so is the whole.
    ['(a OR b AND c) AND d OR (a OR b AND c) AND d', true],
    ['_exists_:msg OR a AND _exists_:msg', true],
    ['msg:a AND msg:a OR source:b AND source:b', true],
    ['9003 OR logCode:9003 AND 9003', true],
  ])('of %s differ: %s', (text, expected) => {
    expect(differ(text)).toBe(expected);
  });

  test('of a long level differ by its form alone', () => {
    const word = 'a'.repeat(100);
    const level = (count: number) => `${Array(count).fill(word).join(' AND ')} OR ${word}`;
    expect([differ(level(8)), differ(level(10))]).toEqual([false, true]);
  });

  test('are compared on the first thirty levels, and differ by their form on others', () => {
    const { view, query } = viewed(Array(32).fill('(a AND a OR a)').join(' AND '));
    const found = query.parts.flatMap((part) =>
      part.kind === 'Clause' && part.item.kind === 'Group'
        ? [view.readingsDiffer(view.level(part.item))]
        : [],
    );
    expect(found.filter((each) => each).length).toBe(2);
    expect(found.slice(0, 30).every((each) => !each)).toBe(true);
  });
});

/** The places of clauses that ask for the same. */
const repeated = (text: string, ...defaults: readonly string[]) => {
  const { view, level } = viewed(text, searching(...defaults));
  return view
    .repetitions(level)
    .map((each) => each.map(({ clause, occur }) => `${clause.item.from} ${occur}`));
};

describe('what is asked for again', () => {
  test.each([
    ['a OR b', []],
    ['a OR b OR a', [['0 should', '10 should']]],
    ['a AND NOT a', [['0 must', '10 mustNot']]],
    [
      'a OR b OR b OR a',
      [
        ['0 should', '15 should'],
        ['5 should', '10 should'],
      ],
    ],
    ['a b a', [['0 should', '4 should']]],
    ['(a b) OR (a b)', [['0 should', '9 should']]],
    ['(a b) OR (a c)', []],
    ['(a b) OR msg:(a b)', []],
    ['msg:a OR a', []],
    ['... OR ...', []],
    ['a OR b OR c OR d OR e OR f OR g OR h OR i', []],
    ['a OR b OR c OR d OR e OR f OR g OR h OR i OR a', [['0 should', '45 should']]],
  ])('in %s is %j', (text, expected) => {
    expect(repeated(text, 'msg')).toEqual(expected);
  });

  test.each([
    // In a run a number is only a part of the text, and so is any word for a keyword.
    ['9003 a "x" 9003', ['msg', 'code'], []],
    ['b a "x" b', ['msg', 'code'], [['0 should', '8 should']]],
    ['b a "x" b', ['msg', 'kind'], []],
  ])('in %s, where %j are searched, is %j', (text, defaults, expected) => {
    expect(repeated(text, ...defaults)).toEqual(expected);
  });
});
