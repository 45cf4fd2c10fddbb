import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../effort.ts';
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
    // Some of their records are no logs.
    expect((await run(['import', file, '--into', path])).code).toBe(4);
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

type Answer = ReturnType<typeof ask>;

/** The answers of the case, which is asked each question once. */
const answers = new Map<readonly string[], Answer>();

function askCase(words: readonly string[]): Answer {
  const answer = answers.get(words) ?? ask(words, 'case');
  answers.set(words, answer);
  return answer;
}

const asked = sampled(questions, 5).map((words) => ({ words }));

describe.each(['log file', 'indexed case'])('a %s answers like a case', (kind) => {
  test.each(asked)('$words', async ({ words }) => {
    const ofCase = await askCase(words);
    const { err, ...answer } = await ask(words, kind);
    // A log file reports its unreadable record as it is loaded.
    expect(answer).toEqual({ code: ofCase.code, out: ofCase.out });
    expect(err).toContain(ofCase.err);
    expect(ofCase.out + ofCase.err).not.toBe('');
  });
});
