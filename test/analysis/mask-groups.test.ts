import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectMaskGroups, countMasks } from '../../src/analysis/mask-groups.ts';
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
    ...{ time: index % 40, source: `S${index % 1500}`, msg: `word${String.fromCharCode(97 + (index % 2))}` },
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
