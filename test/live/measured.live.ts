import * as v from 'valibot';
import { expect, test } from 'vitest';
import { documentedSchema } from '../../src/meaning/fields.ts';
import { readAnswers } from '../conformance/ndjson.ts';
import { searchLucene } from './search-lucene.ts';

const logs = readAnswers('logs.ndjson', v.record(v.string(), v.union([v.string(), v.number()])));
const search = v.object({ q: v.string(), ok: v.boolean(), hits: v.optional(v.array(v.number())) });

test.each(['searches-documented.ndjson', 'searches-lucene.ndjson'])(
  'the engine asked here gives the measured answers of %s',
  (name) => {
    const measured = readAnswers(name, search);
    const corpus = { schema: documentedSchema, logs, defaultOperator: 'or' } as const;
    const answers = searchLucene(
      corpus,
      measured.map(({ q }) => q),
    );
    const given = answers.map((answer) => ('hits' in answer ? { hits: answer.hits } : {}));
    expect(given.map((answer, index) => ({ ...measured[index], ...answer }))).toEqual(measured);
  },
);
