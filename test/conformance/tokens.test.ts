import * as v from 'valibot';
import { expect, test } from 'vitest';
import { analyze } from '../../src/language/meaning/analyze.ts';
import { readAnswers } from './ndjson.ts';

const answers = readAnswers('tokens.ndjson', v.object({ text: v.string(), tokens: v.array(v.string()) }));

test('the file is whole', () => {
  expect(answers).toHaveLength(2_500);
});

test('every text has the tokens that the engine makes of it', () => {
  expect(answers.map(({ text }) => ({ text, tokens: analyze(text) }))).toEqual(answers);
});
