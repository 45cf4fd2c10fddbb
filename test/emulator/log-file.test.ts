import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeLogFile } from '../../src/emulator/archive.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { largeTest } from '../large-test.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-'));
});
afterAll(() => rm(folder, { recursive: true }));

largeTest('the whole incident is a file of several megabytes, a log a line', async () => {
  const path = join(folder, 'incident.ndjson');
  await writeLogFile(path, incidentLogs());
  expect((await stat(path)).size).toBeGreaterThan(5_000_000);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([...incidentLogs()]);
});

test('a file that exists is replaced, in another format too', async () => {
  const path = join(folder, 'logs');
  await writeLogFile(path, incidentLogs({ count: 300 }));
  await writeLogFile(path, [{ time: 1, msg: 'a,"b"\nc' }], 'csv');
  const [header, ...rows] = (await readFile(path, 'utf8')).split('\n');
  expect(header).toMatch(/^time,logCode,elapsed,logLevel,/);
  expect(rows.join('\n')).toBe('1,,,,,"a,""b""\nc",,,,,,,,,\n');
});

test('a folder that is not there is the error of the system', async () => {
  await expect(writeLogFile(join(folder, 'none', 'logs'), [])).rejects.toMatchObject({ code: 'ENOENT' });
});
