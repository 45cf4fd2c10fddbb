import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFile, findWindows, openCase, saveExportChanges } from '../../src/case/index.ts';

let folder: string;
const bytes = (text: string) => new TextEncoder().encode(`{"time":7,"msg":"${text}"}\n`);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'permissions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('a case with personal data', () => {
  test('is read by its owner alone, whatever the umask, unless the case is opened to others', async () => {
    const path = join(folder, 'own.duckdb');
    {
      await using into = await openCase(path, { access: 'write', create: true });
      await addFile(into, { name: 'a.ndjson', bytes: bytes('a') });
    }
    const evidence = `${path}.evidence`;
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(evidence)).toBe(0o700);
    const [first = ''] = await readdir(evidence);
    expect(await modeOf(join(evidence, first))).toBe(0o400);
    await chmod(path, 0o640);
    {
      await using into = await openCase(path, { access: 'write' });
      await addFile(into, { name: 'b.ndjson', bytes: bytes('b') });
    }
    expect(await modeOf(path)).toBe(0o640);
    const second = (await readdir(evidence)).find((name) => name !== first) ?? '';
    expect(await modeOf(join(evidence, second))).toBe(0o440);
    // Nobody reads a file in a folder that is closed.
    expect(await modeOf(evidence)).toBe(0o750);
    expect(await modeOf(join(evidence, first))).toBe(0o400);
  });

  test.skipIf(!isMainThread)('keeps its write-ahead file to its owner as well', async () => {
    const before = process.umask(0);
    try {
      const path = join(folder, 'ahead.duckdb');
      await using into = await openCase(path, { access: 'write', create: true });
      await addFile(into, { name: 'a.ndjson', bytes: bytes('a') });
      expect(await modeOf(`${path}.wal`)).toBe(0o600);
      await chmod(path, 0o640);
      await addFile(into, { name: 'b.ndjson', bytes: bytes('b') });
      expect(await modeOf(`${path}.wal`)).toBe(0o640);
      expect(process.umask(0)).toBe(0);
    } finally {
      process.umask(before);
    }
  });

  test('refuses a folder of originals that is a link', async () => {
    const path = join(folder, 'linked.duckdb');
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), `${path}.evidence`);
    await using into = await openCase(path, { access: 'write', create: true });
    await expect(addFile(into, { name: 'a.ndjson', bytes: bytes('a') })).rejects.toThrow('is a link');
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
  });
});

test('an address of a result with a password does not stay in the case', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const window = { window: 1, export: 1, oldest: 0, newest: 9, attempts: 1, updated: 1 };
  const upload = 'https://ann:secret-word@gis.example.com/admin/uploads/1?token=secret-word&f=json';
  const address = 'https://ann:secret-word@gis.example.com/admin/jobs/1';
  await saveExportChanges(into, () => ({ windows: [{ ...window, state: 'ready', upload, address }] }));
  const [found] = await findWindows(into);
  expect(found).toMatchObject({
    upload: 'https://gis.example.com/admin/uploads/1?f=json',
    address: 'https://gis.example.com/admin/jobs/1',
  });
});
