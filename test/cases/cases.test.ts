import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Expectation, wrongAnswers } from './check-case.ts';
import { notRight } from './not-right.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cases-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Line {
  readonly file: string | readonly string[];
  readonly about: string;
  readonly expect: Expectation;
}

const lines: readonly Line[] = readFileSync('test/cases/files/expected.ndjson', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const nameOf = ({ file }: Line) => [file].flat().join(' + ');

test('what is not right is listed by the names of the files', () => {
  const names = lines.map(nameOf);
  expect([...notRight].filter((name) => !names.includes(name))).toEqual([]);
});

test.each(lines.map((line) => [nameOf(line), line] as const))('%s', async (name, line) => {
  const files = [line.file].flat().map((file) => join('test/cases/files', file));
  const wrong = await wrongAnswers({ files, expected: line.expect }, folder);
  if (notRight.has(name)) expect(wrong, `${name} is right: take it off the list`).not.toEqual([]);
  else expect(wrong, line.about).toEqual([]);
});
