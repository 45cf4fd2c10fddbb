import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import JSZip from 'jszip';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './run-in-process.ts';

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'many-entries-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a zip of many entries shows those with a problem first, and sums up the others', async () => {
  const zip = new JSZip();
  for (let entry = 0; entry < 60; entry++)
    zip.file(`${entry}.ndjson`, entry === 57 ? '{"msg":' : `${JSON.stringify({ time: entry, msg: 'a' })}\n`);
  await writeFile(at('many.zip'), await zip.generateAsync({ type: 'nodebuffer' }));
  const { out, err } = await run(['import', at('many.zip'), '--into', at('many.duckdb')]);
  const rows = out.trimEnd().split('\n');
  expect(rows.length).toBe(1 + 40 + 1);
  expect(rows.at(-2)).toMatch(/57\.ndjson .* 0 +1/);
  expect(rows.at(-1)).toMatch(/20 more entries +20 +0$/);
  expect(err).toContain('"57.ndjson" of "many.zip": 1 record could not be read');
  const { files } = JSON.parse(
    (await run(['import', at('many.zip'), '--into', at('b.duckdb'), '--json'])).out,
  );
  expect(files[0].parts.length).toBe(60);
});

test('remarks on more than fifty broken entries end with the number of the others', async () => {
  const zip = new JSZip();
  for (let entry = 0; entry < 52; entry++) zip.file(`${entry}.ndjson`, `{"msg":"${entry}`);
  await writeFile(at('broken.zip'), await zip.generateAsync({ type: 'nodebuffer' }));
  const { err } = await run(['import', at('broken.zip'), '--into', at('broken.duckdb')]);
  const about = err.split('\n').filter((line) => line.includes('of "broken.zip"'));
  expect(about.length).toBe(100);
  expect(err).toContain('… and 4 more remarks: the view "parts" has all of them.');
});
