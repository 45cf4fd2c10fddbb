import { expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { run } from './run-in-process.ts';

const sample = 'samples/incident.ndjson';
const days = ['2025-03-11..2025-03-12', '2025-03-12..2025-03-13'];

/** The numbers of logs of both sides. */
async function sizes(...words: string[]): Promise<readonly (string | undefined)[]> {
  const { err } = await run(['diff', ...words]);
  return (/^([\d,]+) logs? before, ([\d,]+) after/.exec(err) ?? []).slice(1);
}

test.each(
  sampled(
    [
      [['--level', 'severe']],
      [['--source', 'Rest Catalog']],
      [['--code', '9003,9029']],
      [['--search', 'msg:service', '--user', 'svc-dashboard']],
    ],
    1,
  ),
)('compares the logs of both sides that %j selects', async (filters) => {
  const count = async (from: string, to: string) => {
    const [query = '*:*'] = filters.filter((_, index) => filters[index - 1] === '--search');
    const rest = filters.filter((each, index) => each !== '--search' && filters[index - 1] !== '--search');
    const words = ['search', `(${query}) AND time:["${from}" TO "${to}"}`, sample, '--count', ...rest];
    return (await run(words)).out.trim();
  };
  const expected = [await count('2025-03-11', '2025-03-12'), await count('2025-03-12', '2025-03-13')];
  expect(await sizes(...days, sample, ...filters)).toEqual(expected);
  expect(Number(expected[0]) + Number(expected[1])).toBeGreaterThan(0);
});

test('filters two sources too', async () => {
  expect(await sizes(sample, sample, '--level', 'SEVERE')).toEqual(['9', '9']);
});

test('reads the standard input for one side only', async () => {
  const { code, err } = await run(['diff', '-', '-'], { input: '{"msg":"a"}' });
  expect([code, err]).toEqual([2, expect.stringContaining('"-" can be given once')]);
});
