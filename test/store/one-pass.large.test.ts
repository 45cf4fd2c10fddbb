import { readdirSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addFiles } from '../../src/case/loading/add-files.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-one-pass-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Few logs in many bytes, so that they are soon read. */
const count = 200;
let elsewhere: string;
let large: string;
let other: string;

async function writeLarge(name: string, msg: string): Promise<string> {
  const made = join(elsewhere, name);
  await using target = await open(made, 'w');
  for (let time = 0; time < count; time++)
    await target.writeFile(`{"time":${time},"msg":"${msg}"${' '.repeat(1024 * 1024)}}\n`);
  return made;
}

beforeAll(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'logquarry-large-'));
  large = await writeLarge('large.ndjson', 'a');
  other = await writeLarge('other.ndjson', 'b');
});

afterAll(() => rm(elsewhere, { recursive: true, force: true }));

test('a large file is kept while it is loaded', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const onProgress = () =>
    expect(readdirSync(`${path}.evidence`)).toEqual([expect.stringMatching(/^arriving-/)]);
  for await (const addition of addFiles(into, [large], { onProgress }))
    expect(addition).toMatchObject({ added: { already: false, parts: [{ logs: count }] } });
  expect(readdirSync(`${path}.evidence`)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.gz$/)]);
});

test('a large file is in the case once when it comes twice, and so is another one of its length', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const files = [large, { name: 'small', bytes: Buffer.from('{"msg":"a"}\n') }, large, other];
  const outcomes: unknown[] = [];
  for await (const addition of addFiles(into, files))
    if ('added' in addition) outcomes.push([addition.added.already, addition.added.parts[0]?.part]);
  expect(outcomes).toEqual([
    [false, 1],
    [false, 2],
    [true, 1],
    [false, 3],
  ]);
  expect(await summary(into)).toMatchObject({ logs: 2 * count + 1 });
  expect(readdirSync(`${path}.evidence`)).toHaveLength(3);
});

test('a large file leaves nothing where it is given up, however often it comes', async () => {
  await using into = await openCase(path, { access: 'write', create: true });
  const stop = new AbortController();
  const options = { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) };
  const outcomes: unknown[] = [];
  for await (const addition of addFiles(into, [large, large, other], options)) outcomes.push(addition);
  expect(outcomes).toEqual([large, large, other].map((file) => ({ file, error: new Error('enough') })));
  expect(await summary(into)).toMatchObject({ logs: 0, parts: [] });
  expect(readdirSync(folder)).not.toContain('case.duckdb.evidence');
});
