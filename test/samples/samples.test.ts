import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { writeLogs } from '../../src/emulator/archive.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { readScenario } from '../../src/emulator/scenario.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';

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

test('every scenario is valid, and is rehearsed by a test', async () => {
  const files = ['../e2e/export-scenarios.large.test.ts', '../export/rehearsals.test.ts'];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')));
  const rehearsals = texts.join('\n');
  const folder = new URL('../../samples/scenarios/', import.meta.url);
  const names = (await readdir(folder)).map((file) => file.replace('.json', ''));
  for (const name of names)
    expect(readScenario(await readFile(new URL(`${name}.json`, folder), 'utf8'))).toHaveProperty('scenario');
  expect(names.filter((name) => !rehearsals.includes(`'${name}'`))).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(12);
});
