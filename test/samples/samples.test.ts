import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { writeLogs } from '../../src/emulator/archive/log-formats.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { parse } from '../../src/language/parse.ts';
import { match } from '../../src/meaning/match.ts';
import { resolve } from '../../src/meaning/resolve.ts';

const cut = [...incidentLogs({ count: 220 })];
const whole = [...incidentLogs()];
const queries = (await readFile(new URL('../../samples/queries.txt', import.meta.url), 'utf8'))
  .trim()
  .split('\n');

test.each(['ndjson', 'csv'] as const)(
  'incident.%s is what the generator writes, and small',
  async (format) => {
    const text = [...writeLogs(cut, format)].join('');
    await expect(text).toMatchFileSnapshot(`../../samples/incident.${format}`);
    expect(text.length).toBeLessThan(100_000);
  },
);

test.each(queries)('%s', (text) => {
  const { query, findings } = parse(text);
  expect(findings).toEqual([]);
  const filter = resolve(query);
  for (const logs of [cut, whole]) {
    const hits = logs.filter((log) => match(filter, log)).length;
    expect(hits).toBeGreaterThan(0);
    expect(hits).toBeLessThan(logs.length / 2);
  }
});
