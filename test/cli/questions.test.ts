import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { questions, writeQuestionedLogs } from './questions.ts';
import { run } from './run-in-process.ts';

let folder: string;
const sources = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'questions-'));
  const file = join(folder, 'logs.ndjson');
  await writeQuestionedLogs(file);
  sources.set('log file', file);
  for (const kind of ['case', 'indexed case']) {
    const path = join(folder, `${kind}.duckdb`);
    sources.set(kind, path);
    expect((await run(['import', file, '--into', path])).code).toBe(0);
  }
  expect((await run(['index', sources.get('indexed case') ?? ''])).code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

/** Asks a source; its name is left out, as it differs, and the commands that it suggests. */
async function ask(words: readonly string[], kind: string) {
  const source = sources.get(kind) ?? '';
  const { code, out, err } = await run(words.map((word) => (word === 'SOURCE' ? source : word)));
  const [report = ''] = out.split('"next": [');
  return { code, out: report.replaceAll(/(indexed )?case\.duckdb|logs\.ndjson/g, 'SOURCE'), err };
}

describe.each(['log file', 'indexed case'])('a %s answers like a case', (kind) => {
  test.each(questions)('%s %j', async (...words) => {
    const ofCase = await ask(words, 'case');
    const { err, ...answer } = await ask(words, kind);
    // A log file reports its unreadable record as it is loaded.
    expect(answer).toEqual({ code: ofCase.code, out: ofCase.out });
    expect(err).toContain(ofCase.err);
    expect(ofCase.out + ofCase.err).not.toBe('');
  });
});
