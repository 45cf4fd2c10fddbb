import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPatterns, patternQuery } from '../../src/analysis/find-patterns.ts';
import { mergeMasks } from '../../src/analysis/mask-groups.ts';
import { maskMessage } from '../../src/analysis/mask-message.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import type { Log } from '../../src/records/log.ts';
import { filterOf, withCases } from './with-cases.ts';

const hour = 3_600_000;

test('logs of a pattern are counted by level, source, user and time', async () => {
  const logs: Log[] = [
    { time: 0, logLevel: 'INFO', source: 'A', username: 'x', msg: 'took 1 s' },
    { time: hour, logLevel: 'SEVERE', source: 'A', username: 'y', msg: 'took 2 s' },
    { logLevel: 'INFO', source: 'B', msg: 'took 3.5 s' },
    { time: 4 * hour - 1, msg: 'ready' },
    {},
  ];
  await withCases([logs.slice(0, 2), logs.slice(2)], async (cases) => {
    const found = await findPatterns(cases, { filter: matchAllFilter, intervals: 4 });
    expect(found.total).toBe(5);
    expect(found.buckets).toEqual({ start: 0, length: hour, count: 4 });
    const [took, empty, ready] = found.patterns;
    expect(took).toMatchObject({
      template: 'took <number> s',
      count: 3,
      first: 0,
      last: hour,
      levels: [
        { value: 'INFO', count: 2 },
        { value: 'SEVERE', count: 1 },
      ],
      sources: [
        { value: 'A', count: 2 },
        { value: 'B', count: 1 },
      ],
      users: [
        { value: '', count: 1 },
        { value: 'x', count: 1 },
        { value: 'y', count: 1 },
      ],
      buckets: [1, 1, 0, 0],
      query: 'msg:"took" AND msg:"s"',
    });
    expect(ready).toMatchObject({ template: 'ready', buckets: [0, 0, 0, 1] });
    expect(empty).toMatchObject({ template: '', count: 1 });
    expect(empty).not.toHaveProperty('query');
    expect(empty).not.toHaveProperty('first');
  });
});

test('characters that separate fields and rows are blanks in values', async () => {
  await withCases([[{ time: 1, source: 'a\x1fb', msg: 'c\x1ed \x1f e' }]], async (cases) => {
    const { patterns } = await findPatterns(cases, { filter: matchAllFilter });
    expect(patterns).toMatchObject([
      { template: 'c d e', sources: [{ value: 'a b', count: 1 }], users: [{ value: '' }] },
    ]);
  });
});

describe('masks are merged', () => {
  const names = ['ada', 'bob', 'cem', 'dan', 'eva', 'fay', 'gil', 'hal', 'ida', 'jan', 'kim', 'leo'];

  test.each([
    ['many words at one place', names.map((name) => `user ${name} left`), ['user <*> left']],
    ['few words stay apart', ['service maps started', 'service maps stopped'], undefined],
    [
      'two places',
      names.flatMap((a) => names.map((b) => `copy of ${a} to ${b} is done`)),
      ['copy of <*> to <*> is done'],
    ],
    ['a first word', names.map((name) => `${name} signed in`), ['<*> signed in']],
    ['too little would be left', names.map((name) => `${name} x`), ['<*> x']],
    ['single words stay apart', names, undefined],
    ['names of operations', ['got GetFolders.', 'got GetMessageVersion.'], ['got <*>']],
    ['a name and a word stay apart', ['got GetFolders', 'got nothing', 'got NONE'], undefined],
    ['exceptions stay apart', ['threw TimeoutException', 'threw NullPointerException'], undefined],
    [
      'values of several words between labels',
      [...names, 'Anonymous user', 'a b c'].map((name) => `user: ${name}, map: <path>`),
      ['user: <*> map: <path>'],
    ],
    ['other lengths stay apart', ['a b', 'a b c', ''], undefined],
  ])('%s', (_, masks, templates) => {
    expect([...mergeMasks(masks).templates].sort()).toEqual([...(templates ?? masks)].sort());
  });

  const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '<number>', 'x', 'y', 'z', 'u', 'v');
  const mask = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

  test('each mask fits its template, and the order of masks changes nothing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(mask, { maxLength: 80 }), fc.infiniteStream(fc.nat()), (masks, random) => {
        const { templates, templateOf } = mergeMasks(masks);
        for (const [index, each] of masks.entries()) {
          const template = (templates[templateOf[index] ?? -1] ?? '').split(' ');
          expect(each.split(' ').map((token, at) => (template[at] === '<*>' ? '<*>' : token))).toEqual(
            template,
          );
        }
        const shuffled = masks
          .map((each) => ({ each, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect([...mergeMasks(shuffled).templates].sort()).toEqual([...templates].sort());
      }),
    );
  });
});

const part = fc.oneof(
  fc.constantFrom(
    'took',
    'of',
    'rows',
    "'map a'",
    '"x"',
    'a/b/c',
    'OR',
    'NOT',
    'msg:',
    '*',
    '\\',
    "don't",
    '(low)',
  ),
  fc.nat(99).map(String),
  fc.string({ unit: 'binary', maxLength: 4 }),
  // A letter that the analyzer does not know.
  fc.constant('\u{30000}'),
);
const message = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(' '));

test('the query of a pattern selects every message of it', () => {
  fc.assert(
    fc.property(message, (msg) => {
      const query = patternQuery(maskMessage(msg));
      if (query !== undefined) expect(match(filterOf(query), { msg })).toBe(true);
    }),
  );
});

test('patterns of any logs have all of them, each in the pattern of its mask', async () => {
  const log = fc.record(
    {
      time: fc.integer({ min: -5, max: 5 }),
      msg: message,
      source: fc.string({ unit: 'binary', maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(log, { maxLength: 6 }), { minLength: 1, maxLength: 2 }), (logs) =>
      withCases(logs, async (cases) => {
        const { total, patterns } = await findPatterns(cases, { filter: matchAllFilter });
        const flat = logs.flat();
        expect(total).toBe(flat.length);
        const expected = new Map<string, number>();
        for (const { msg = '' } of flat) {
          const mask = maskMessage(msg);
          expected.set(mask, (expected.get(mask) ?? 0) + 1);
        }
        expect(new Map(patterns.map(({ template, count }) => [template, count]))).toEqual(expected);
        for (const pattern of patterns)
          for (const name of ['levels', 'sources', 'users'] as const)
            expect(pattern[name].reduce((sum, { count }) => sum + count, 0)).toBe(pattern.count);
      }),
    ),
  );
});
