import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from '../../src/language/parse.ts';
import { resolve } from '../../src/meaning/resolve.ts';
import { type Case, openCase } from '../../src/store/case/case.ts';
import { addFile } from '../../src/store/loading/files/add-file.ts';
import { findLogs } from '../../src/store/searching/find-logs.ts';
import { sampled } from '../effort.ts';
import { readAnswers } from './ndjson.ts';

const search = v.object({
  id: v.number(),
  q: v.string(),
  ok: v.boolean(),
  hits: v.optional(v.array(v.number())),
});

let stored: Case;

beforeAll(async () => {
  stored = await openCase(':memory:', { access: 'write' });
  await addFile(stored, fileURLToPath(new URL('logs.ndjson', import.meta.url)));
});

afterAll(() => stored[Symbol.asyncDispose]());

for (const name of ['searches-documented.ndjson', 'searches-lucene.ndjson']) {
  const answers = sampled(readAnswers(name, search).filter(({ ok }) => ok));

  test.each(answers)(`DuckDB: ${name} $id: $q`, async ({ q, hits }) => {
    const logs = await findLogs(stored, resolve(parse(q).query), { limit: 1000 });
    expect(logs.map(({ position }) => position - 1).sort((a, b) => a - b)).toEqual(hits);
  });
}
