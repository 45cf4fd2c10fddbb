import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { toZip } from './zips.ts';

/** Logs in ASCII, of which the last ones have letters beyond it, so that an encoding is assumed late. */
const text = `${'{"time":1741766400000,"logLevel":"INFO","msg":"plain"}\n'.repeat(3_000)}${'{"time":1741766400001,"logLevel":"INFO","msg":"Größe"}\n'.repeat(3)}`;
const latin1 = Buffer.from(text, 'latin1');

test.each<[string, Uint8Array]>([
  ['a bare file', latin1],
  ['a file of gzip', gzipSync(latin1)],
  ['a zip', toZip([{ name: 'a.ndjson', content: latin1 }])],
])('%s in Latin-1: the assumption is said, and each record is found again', async (_, bytes) => {
  await using into = await openCase(':memory:', { access: 'write' });
  await addFile(into, { name: 'a', bytes });
  const { parts } = await summary(into);
  expect(parts).toMatchObject([
    {
      logs: 3_003,
      unreadable: 0,
      remarks: [{ code: 'ASSUMED_ENCODING', field: 'text', count: 3_003, about: 'Windows-1252' }],
    },
  ]);
  expect(await readRaw(into, 1)).toContain('"plain"');
  for (const id of [3_001, 3_002, 3_003]) expect(await readRaw(into, id)).toContain('"Größe"');
});
