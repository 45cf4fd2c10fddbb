import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { streamNumberLists } from '../../src/case/searching/stream-groups.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';

test('numbers of logs are grouped by values, those of a log at one index', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const logs = [
    { time: 1, source: 'a', logCode: 5, elapsed: 0.25 },
    { time: 2, source: 'a', logCode: 5 },
    { time: -3, elapsed: 7, logCode: 5 },
    { source: 'a', logCode: 5, elapsed: 1e300 },
    { time: 4, source: 'b\u001fc', logCode: 9_007_199_254_740_992 },
  ];
  await addLogs(into, logs, { part: 'test' });
  const found: unknown[] = [];
  const options = { keys: ['source', 'logCode'], numbers: ['time', 'elapsed'] } as const;
  for await (const { keys, numbers } of streamNumberLists(into, matchAllFilter, options)) {
    const [times = new Float64Array(), elapsed = []] = numbers;
    found.push([...keys, Array.from(times, (time, index) => [time, elapsed[index]])]);
  }
  expect(new Set(found)).toEqual(
    new Set([
      [
        ...['a', '5'],
        [
          [1, 0.25],
          [2, Number.NaN],
          [Number.NaN, 1e300],
        ],
      ],
      ['', '5', [[-3, 7]]],
      ['b c', '9007199254740992', [[4, Number.NaN]]],
    ]),
  );
});

test('without keys all numbers are one list, and none of no logs', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const read = async () => {
    const times: number[] = [];
    const options = { keys: [], numbers: ['time'] } as const;
    for await (const { numbers } of streamNumberLists(into, matchAllFilter, options))
      times.push(...(numbers[0] ?? []));
    return times.sort((a, b) => a - b);
  };
  expect(await read()).toEqual([]);
  await addLogs(into, [{ time: 2 }, { time: 1 }], { part: 'test' });
  expect(await read()).toEqual([1, 2]);
});
