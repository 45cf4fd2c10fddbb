import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearAway, makeRoom, zipPath } from '../../src/export/zip-file.ts';

test('a zip lies in a folder beside its case, whatever the deployment calls the job', () => {
  expect(zipPath('/x/incident.duckdb', 'j0aa6-1')).toBe('/x/incident.duckdb.downloads/j0aa6-1.zip');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (jobId) => {
      const path = zipPath('/x/incident.duckdb', jobId);
      expect(dirname(path)).toBe('/x/incident.duckdb.downloads');
      expect(basename(path)).toMatch(/^[\w-]{0,80}\.zip$/);
    }),
  );
});

test('the zip of a case in memory lies where temporary files do', () => {
  expect(zipPath(':memory:', 'j1').startsWith(tmpdir())).toBe(true);
});

test('the folder goes with the last zip', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zip-file-test-'));
  const [one, two] = [zipPath(join(folder, 'c'), 'j1'), zipPath(join(folder, 'c'), 'j2')];
  await makeRoom(one);
  await makeRoom(two);
  await writeFile(one, '1');
  await writeFile(two, '2');
  await clearAway(one);
  expect([existsSync(one), existsSync(two)]).toEqual([false, true]);
  await clearAway(two);
  expect(existsSync(dirname(two))).toBe(false);
  await clearAway(two);
  await rm(folder, { recursive: true });
});
