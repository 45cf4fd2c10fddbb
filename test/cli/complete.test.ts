import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('complete', () => {
  test('offers fields', async () => {
    expect(await run(['complete', 'a AND so'])).toEqual({
      code: 0,
      out: `insert   kind   detail
source:  field  what logged it: a service, "Sharing", "Enterprise Admin", …
`,
      err: '',
    });
  });

  test('offers the values of a case, the most frequent first, and what else has a source', async () => {
    const path = join(folder, 'sources.duckdb');
    {
      await using made = await openCase(path, { access: 'write', create: true });
      const sources = ['Rest', 'Roads/Traffic.MapServer', 'Roads/Traffic.MapServer'];
      await addLogs(
        made,
        sources.map((source) => ({ source })),
        { part: 'test' },
      );
    }
    const list = join(folder, 'sources.txt');
    await writeFile(list, 'Parcels/Owners.FeatureServer\nRest\n\n');
    const { out } = await run(['complete', 'source:r', '--case', path, '--sources', list]);
    expect(out).toBe(`insert                          kind   detail
"Roads/Traffic.MapServer"       value  2 logs
Rest                            value  1 log
"Parcels/Owners.FeatureServer"  value  what logged it: a service, "Sharing", "Enterprise Admin", …
`);
  });

  test('tells a program what each suggestion takes the place of', async () => {
    const { out } = await run([
      'complete',
      'logLevel:se AND msg:timeout',
      '--at',
      '11',
      '--json',
      '--limit',
      '1',
    ]);
    expect(JSON.parse(out)).toEqual({
      from: 9,
      to: 11,
      suggestions: [{ kind: 'value', insert: 'SEVERE', label: 'SEVERE', detail: 'the severity' }],
    });
  });

  test('says no where nothing can stand', async () => {
    expect((await run(['complete', '/a'])).code).toBe(1);
  });

  test('takes no place behind the query, and no file that is not there', async () => {
    expect(await run(['complete', 'a', '--at', '2'])).toMatchObject({ code: 2 });
    expect(await run(['complete', 'source:', '--sources', join(folder, 'none')])).toMatchObject({ code: 2 });
  });
});
