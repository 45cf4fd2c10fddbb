import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternId } from '../../src/analysis/find-patterns.ts';
import { collectMaskGroups, countMasks, mergeMasks } from '../../src/analysis/mask-groups.ts';
import { maskMessage } from '../../src/analysis/mask-message.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';
import { withCases } from './with-cases.ts';

const log: fc.Arbitrary<Log> = fc.record(
  {
    time: fc.integer({ min: -5, max: 45 }),
    logLevel: fc.constantFrom('SEVERE', 'INFO'),
    source: fc.constantFrom('A', 'B', ''),
    username: fc.constantFrom('ann', 'bob'),
    msg: fc.constantFrom('took 5 ms', 'took 7 ms', "by 'x'", 'took', ''),
  },
  { requiredKeys: [] },
);

const [coarse, fine] = [
  { start: 0, length: 20, count: 2 },
  { start: -3, length: 3.5, count: 12 },
] as const;

/** The logs that a question is about. */
interface Question {
  readonly buckets?: typeof coarse | typeof fine;
  readonly within?: { readonly from: number; readonly to: number };
}

const bucketOf = ({ time = Number.NaN }: Log, { start, length }: NonNullable<Question['buckets']>) =>
  Math.floor((time - start) / length);

/** The number of logs by mask, source and bucket, counted log by log. */
function expected(logs: readonly Log[], { buckets, within }: Question) {
  const counts: Record<string, number> = {};
  const add = (...key: readonly unknown[]) => {
    counts[key.join(' | ')] = (counts[key.join(' | ')] ?? 0) + 1;
  };
  for (const each of logs) {
    const bucket = buckets ? bucketOf(each, buckets) : Number.NaN;
    const isCounted = buckets && 0 <= bucket && bucket < buckets.count;
    if (within && !(isCounted && within.from <= bucket && bucket < within.to)) continue;
    const mask = maskMessage(each.msg ?? '');
    add(mask);
    add(mask, 'source', each.source ?? '');
    add(mask, 'logLevel', each.logLevel ?? '');
    if (isCounted) add(mask, 'bucket', bucket);
  }
  return counts;
}

test('groups that were read once answer each question as the logs do', async () => {
  const questions: readonly Question[] = [
    ...[{}, { buckets: coarse }, { buckets: fine }, { buckets: fine, within: { from: 0, to: 4 } }],
    ...[
      { buckets: coarse, within: { from: 1, to: 2 } },
      { buckets: fine, within: { from: 4, to: 4 } },
    ],
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(log, { maxLength: 20 }), { minLength: 1, maxLength: 2 }), (logs) =>
      withCases(logs, async (cases) => {
        const fields = ['username', 'source', 'logLevel'] as const;
        const options = { filter: matchAllFilter, fields, partitions: [coarse, fine] };
        const groups = await collectMaskGroups(cases, options);
        for (const question of questions) {
          const { masks, values, counts } = countMasks(groups, {
            fields: ['source', 'logLevel'],
            ...question,
          });
          const found: Record<string, number> = {};
          for (const [mask, counted] of counts.entries()) {
            if (!counted) continue;
            found[masks.text(mask)] = counted.logs;
            for (const [field, name] of ['source', 'logLevel'].entries())
              for (const [value, number] of counted.values[field] ?? [])
                found[[masks.text(mask), name, values[field]?.text(value)].join(' | ')] = number;
            for (const [bucket, number] of counted.buckets.entries())
              if (0 < number) found[[masks.text(mask), 'bucket', bucket].join(' | ')] = number;
          }
          expect(found).toEqual(expected(logs.flat(), question));
        }
      }),
    ),
    { numRuns: rounds(100, 10) },
  );
});

test('a thousand different keys are groups of their own, and equal ones add up', async () => {
  const logs = Array.from({ length: 6000 }, (_, index) => ({
    time: index % 40,
    source: `S${index % 1500}`,
    msg: `word${String.fromCharCode(97 + (index % 2))}`,
  }));
  await withCases([logs], async (cases) => {
    const options = { filter: matchAllFilter, fields: ['source'] as const, partitions: [fine] };
    const groups = await collectMaskGroups(cases, options);
    const { counts } = countMasks(groups, { fields: ['source'], buckets: fine });
    expect(counts.map((each) => each?.logs)).toEqual([3000, 3000]);
    expect(counts.map((each) => each?.values[0]?.size)).toEqual([750, 750]);
    expect(groups.groups.size()).toBeGreaterThan(1024);
    // The order of the masks is not defined.
    expect(new Map(counts.map((each) => [each?.first, each?.last]))).toEqual(
      new Map([
        [0, 38],
        [1, 39],
      ]),
    );
  });
});

describe('kinds of messages', () => {
  const templatesOf = (...messages: readonly string[]) => [
    ...new Set(mergeMasks([...new Set(messages.map(maskMessage))]).templates),
  ];

  test.each([
    ['acts in names', ['ran startService ok', 'ran stopService ok']],
    ['methods in quotes', ['"GET /a/1 HTTP/1.1" took 3 ms', '"DELETE /a/1 HTTP/1.1" took 3 ms']],
    ['states in quotes', ["Node is now 'Active' again", "Node is now 'Inactive' again"]],
    [
      'many acts',
      'start stop enable disable open close add remove'
        .split(' ')
        .map((act) => `Task ${act} came to its end`),
    ],
  ])('%s are never merged', (_, messages) => {
    expect(templatesOf(...messages)).toHaveLength(messages.length);
  });

  test.each([
    [
      'hexadecimal numbers of digits only',
      ['iar 00a1b2c3 dear 0000ff12', 'iar 00123456 dear 00001234', 'iar 12345678 dear ffffffff'],
    ],
    ['numbers of letters only', ['set mask=ffffffff for all', 'set mask=00000000 for all']],
    ['names of months and weekdays', ['came at Fri Jun 17 07:07:00 2005', 'came at Sat Jul 9 22:53:19 2005']],
    [
      'hosts',
      ['Route to a.example.org is lost', 'Route to 10.1.2.3 is lost', 'Route to bb.example.net is lost'],
    ],
    ['lists of addresses', ['Got 10.1.2.3 as source', 'Got 10.1.2.3,10.4.5.6 as source']],
    ['names with a number', ['Pool of node_A1 is low', 'Pool of node_B2 is low', 'Pool of node_C3 is low']],
    ['names of users', ['session closed for user root', 'session closed for user cyrus']],
    ['values of several words', ['user: Anonymous user, Service: a/b/c', 'user: ann, Service: d/e/f']],
    [
      'jobs',
      ['Job j0f4e2a6b-1c3d-4e5f-8a9b-0c1d2e3f4a5b ended', 'Job jaf4e2a6b-1c3d-4e5f-8a9b-0c1d2e3f4a5c ended'],
    ],
  ])('%s are values', (_, messages) => {
    expect(templatesOf(...messages)).toHaveLength(1);
  });

  test('have one id, whatever values a case happens to have', () => {
    const [numbers, hexadecimal, both] = [
      ['dear 12345678'],
      ['dear 0000ff12'],
      ['dear 12345678', 'dear 0000ff12'],
    ].map((messages) => templatesOf(...messages).map(patternId));
    expect(hexadecimal).toEqual(numbers);
    expect(both).toEqual(numbers);
  });
});
