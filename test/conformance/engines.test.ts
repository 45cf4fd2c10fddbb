import * as v from 'valibot';
import { expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import { matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { expandOver } from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { engineLogs, engineQueries } from './engine-logs.ts';
import { readAnswers } from './ndjson.ts';

const answers = readAnswers(
  'engines.ndjson',
  v.object({
    engine: v.picklist(['deployment', 'elasticsearch', 'lucene']),
    q: v.string(),
    hits: v.optional(v.array(v.number())),
  }),
);
const documents = engineLogs.map(toDocument);

test('engines.ndjson is whole', () => {
  expect(answers).toHaveLength(3 * engineQueries.length);
});

test.each(answers)('$engine: $q', ({ engine: name, q, hits }) => {
  const engine = engines[name];
  const { query, findings } = parse(q);
  const doubts = validate(query, { dialect: 'lucene', engine });
  const isRefused = [...findings, ...doubts].some(({ severity }) => severity === 'error');
  expect(isRefused).toBe(hits === undefined);
  if (!hits) return;
  const filter = expandOver(resolve(query, { engine }), documents);
  const found = documents.flatMap((document, place) => (matchDocument(filter, document) ? [place] : []));
  expect(found).toEqual(hits);
});
