import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addInOnePass } from '../../src/case/loading/add-files.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { folder, startProgram } from './process.ts';

const store = pathToFileURL(resolve('dist/case')).href;

/** 32 MB, compressed 24 MB, so that there is much to be written when the first logs are loaded. */
const count = 32;
const line = (time: number) =>
  `{"time":${time},"msg":"m","note":"${randomBytes(768 * 1024).toString('base64')}"}\n`;
const text = Array.from({ length: count }, (_, time) => line(time)).join('');

/** Loads a file into a case in another process, and prints the code and message of the failure. */
function program(path: string, file: string, onProgress: string): string {
  return `
    import { openCase } from '${store}/file/case.js';
    import { addInOnePass } from '${store}/loading/add-files.js';
    const into = await openCase(${JSON.stringify(path)}, { access: 'write', create: true });
    const onProgress = () => { ${onProgress} };
    const adding = addInOnePass(into, ${JSON.stringify(file)}, { onProgress, threads: 2 });
    await adding.catch(({ code, message }) => console.log(code, message));
    await into[Symbol.asyncDispose]();`;
}

const node = (words: string) => ['--input-type=module', '-e', words];

async function checkLoading(path: string, file: string): Promise<void> {
  await using into = await openCase(path, { access: 'write', create: true });
  expect(await summary(into)).toMatchObject({ logs: 0, parts: [] });
  // A file that was half copied is gone once the case is open.
  expect((await verifyCase(into)).deviations).toEqual([]);
  const added = await addInOnePass(into, file, { threads: 2 });
  expect(added).toMatchObject({ already: false, parts: [{ part: 1, logs: count }] });
  const copy = `${added?.sha256}.gz`;
  expect(readdirSync(`${path}.evidence`)).toEqual([copy]);
  expect(gunzipSync(await readFile(join(`${path}.evidence`, copy))).equals(Buffer.from(text))).toBe(true);
}

test('a process that is killed while it loads and keeps a file leaves no part, and no original', async () => {
  await using here = await folder();
  const [path, file] = [join(here.path, 'case.duckdb'), join(here.path, 'large.ndjson')];
  await writeFile(file, text);
  const kill = "process.kill(process.pid, 'SIGKILL')";
  const { signal } = await startProgram(process.execPath, node(program(path, file, kill))).ended;
  expect(signal).toBe('SIGKILL');
  expect(readdirSync(`${path}.evidence`)).toEqual([expect.stringMatching(/^arriving-/)]);
  await checkLoading(path, file);
});

test('a file that the disk does not take is said, and nothing of it is left', async () => {
  await using here = await folder();
  const [path, file] = [join(here.path, 'case.duckdb'), join(here.path, 'large.ndjson')];
  await writeFile(file, text);
  // No file may have more than 8 or 16 MB, depending on the shell.
  const words = [
    '-c',
    'ulimit -f 16384; exec "$@"',
    'sh',
    process.execPath,
    ...node(program(path, file, '')),
  ];
  const { code, out, err } = await startProgram('sh', words).ended;
  expect({ code, err, out }).toEqual({
    code: 0,
    err: '',
    out: 'STORE_FAILED "large.ndjson" cannot be stored: EFBIG: file too large, write\n',
  });
  expect(readdirSync(here.path)).not.toContain('case.duckdb.evidence');
  await checkLoading(path, file);
});
