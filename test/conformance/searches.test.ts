import * as v from 'valibot';
import { expect, test } from 'vitest';
import { matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { readAnswers } from './ndjson.ts';

const search = v.object({
  id: v.number(),
  q: v.string(),
  ok: v.boolean(),
  hits: v.optional(v.array(v.number())),
});
const documents = readAnswers('logs.ndjson', v.record(v.string(), v.union([v.string(), v.number()]))).map(
  toDocument,
);

const files = [
  ['searches-documented.ndjson', 900],
  ['searches-lucene.ndjson', 400],
] as const;

for (const [name, count] of files) {
  const answers = readAnswers(name, search);

  test(`${name} is whole`, () => {
    expect(answers).toHaveLength(count);
    expect(documents).toHaveLength(1000);
  });

  test.each(answers)(`${name} $id: $q`, ({ q, ok, hits }) => {
    const { query, findings } = parse(q);
    if (!ok) {
      expect(findings).not.toEqual([]);
      return;
    }
    const filter = resolve(query);
    const found = [...documents.keys()].filter((ordinal) => {
      const document = documents[ordinal];
      return document !== undefined && matchDocument(filter, document);
    });
    expect(found).toEqual(hits);
  });
}
