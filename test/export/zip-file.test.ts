import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { saveJob } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';
import { makeZipFolder, removeStaleZips, removeZip, zipPath } from '../../src/export/run/job.ts';

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
  await makeZipFolder(one);
  await makeZipFolder(two);
  await writeFile(one, '1');
  await writeFile(two, '2');
  await removeZip(one);
  expect([existsSync(one), existsSync(two)]).toEqual([false, true]);
  await removeZip(two);
  expect(existsSync(dirname(two))).toBe(false);
  await removeZip(two);
  await rm(folder, { recursive: true });
});

test('zips that no export goes on from are deleted, with the folder once nothing is in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zip-file-test-'));
  const path = join(folder, 'c.duckdb');
  {
    await using of = await openCase(path, { access: 'write', create: true });
    const job = { id: 'j1', address: 'https://h/j1', operation: 'logs/export', request: {} };
    const times = { submitted: 1, updated: 1 };
    await saveJob(of, { ...job, ...times, state: 'fetched' });
    await makeZipFolder(zipPath(path, 'j1'));
    for (const id of ['j1', 'given-up', 'of-a-killed-process']) await writeFile(zipPath(path, id), 'zip');
    await removeStaleZips(of);
    expect(await readdir(`${path}.downloads`)).toEqual(['j1.zip']);
    await saveJob(of, { ...job, ...times, state: 'loaded' });
    await removeStaleZips(of);
    expect(existsSync(`${path}.downloads`)).toBe(false);
    await removeStaleZips(of);
  }
  await rm(folder, { recursive: true });
});
