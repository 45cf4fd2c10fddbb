import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { run } from './run-in-process.ts';

let folder = '';
const at = (name: string) => join(folder, name);

/** A quiet night with an error a minute from the change of the clocks on. */
function nightOf(change: number): readonly object[] {
  return Array.from({ length: 240 }, (_, minute) => {
    const time = change + (minute - 120) * 60_000;
    const fails = 0 <= minute - 120;
    return {
      time,
      logLevel: fails ? 'SEVERE' : 'INFO',
      logCode: fails ? 9003 : 9029,
      source: 'Sharing',
      msg: fails ? 'the request timed out' : 'Request user: ada',
      elapsed: fails ? 30 : 0.1,
      username: 'ada',
      requestID: `r${change}`,
      className: 'a.B',
      methodName: 'run',
    };
  });
}

const changes = { spring: Date.parse('2025-03-30T01:00:00Z'), autumn: Date.parse('2025-10-26T01:00:00Z') };
const nights = ['spring', 'autumn'] as const;

let environment: Readonly<Record<string, string>>;

const rule = `title: Time-outs
id: 0a4a9d3e-5f0e-4d3c-8d4b-7b8f0a1c2d3e
logsource:
  product: gis
detection:
  selection:
    logCode: 9003
  condition: selection
level: high
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  for (const name of nights) {
    const change = changes[name];
    await writeFile(
      at(`${name}.ndjson`),
      nightOf(change)
        .map((log) => JSON.stringify(log))
        .join('\n'),
    );
    await run(['import', at(`${name}.ndjson`), '--into', at(`${name}.duckdb`)]);
    await run(['note', 'add', at(`${name}.duckdb`), '1', 'first']);
  }
  await writeFile(at('config.json'), JSON.stringify({ '*': { zone: 'Europe/Berlin' } }));
  await writeFile(at('rule.yml'), rule);
  environment = { LOGQUARRY_CONFIG: at('config.json') };
});
afterAll(() => rm(folder, { recursive: true }));

/** Command lines that show times of a case, and if they show some of before and after the change. */
const lines: readonly (readonly [line: string, shows: 'both' | 'one'])[] = [
  ['search msg:* CASE --oldest --all', 'both'],
  ['show 1 CASE', 'one'],
  ['trace REQUEST CASE', 'both'],
  ['trace --slowest CASE', 'one'],
  ['histogram CASE --every 30m', 'both'],
  ['overview CASE', 'both'],
  ['patterns CASE --id 7516095784', 'one'],
  ['investigate CASE', 'both'],
  ['services CASE', 'both'],
  ['sessions CASE', 'one'],
  ['detect CASE --rules RULES', 'one'],
  ['note list CASE', 'one'],
  ['report CASE --to md', 'both'],
  ['sql SQL CASE', 'both'],
];

test.each(
  sampled(nights, 1).flatMap((night) => sampled(lines, 6).map(([line, shows]) => ({ night, line, shows }))),
)('the configured zone holds on the $night night: $line', async ({ night, line, shows }) => {
  const words = line.split(' ').map((word) =>
    word
      .replace('CASE', at(`${night}.duckdb`))
      .replace('RULES', at('rule.yml'))
      .replace('REQUEST', `r${changes[night]}`)
      .replace('SQL', 'SELECT time FROM logs ORDER BY 1'),
  );
  const { code, out, err } = await run(words, { width: 200, environment });
  expect({ code, err }).toEqual({ code: 0, err });
  const text = `${out}${err}`;
  expect(text).not.toContain('(UTC)');
  const offsets = new Set([...text.matchAll(/:\d\d(?:\.\d+)? (\+0\d:00)/g)].map(([, offset]) => offset));
  expect([...offsets].toSorted()).toEqual(
    shows === 'both' ? ['+01:00', '+02:00'] : [expect.stringMatching(/^\+0[12]:00$/)],
  );
  // The clocks jump from 02:00 to 03:00, and from 03:00 back to 02:00.
  if (night === 'spring') expect(text).not.toMatch(/03-30 02:\d\d:/);
});

test('intervals that are compared are read in the zone', async () => {
  // The last hour before the change, and the first one after it.
  const words = ['diff', '2025-03-30 01:00..2025-03-30 02:00', '2025-03-30 03:00..2025-03-30 04:00'];
  const { err } = await run([...words, at('spring.duckdb')], { environment });
  expect(err).toContain('60 logs before, 60 after');
});

test('silences are shown in the zone', async () => {
  const lasting = nightOf(changes.spring).filter((_, minute) => minute < 60 || 180 <= minute);
  const text = lasting.map((log) => JSON.stringify(log)).join('\n');
  const { out, code } = await run(['gaps', '-', '--at-least', '30m'], { environment, input: text });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/2025-03-30 00:59:\S+ \+01:00 +2025-03-30 04:00:\S+ \+02:00/),
  ]);
});

largeTest('the zone of an option comes before that of the configuration', async () => {
  const words = ['sql', 'SELECT min(time) AS first, NULL::TIMESTAMP AS none FROM logs', at('autumn.duckdb')];
  const { out } = await run([...words, '--zone', '-03:30'], { environment });
  expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
    'first (-03:30)                  none (-03:30)',
    '2025-10-25 19:30:00.000 -03:30  NULL',
    '',
  ]);
  const utc = await run([...words, '--csv'], { environment });
  expect(utc.out).toBe('first,none\n2025-10-25 23:00:00,\n');
});
