import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { match, parse, resolve } from '../../src/language/index.ts';
import { caseStates, type PreparedCase, prepareCase } from './case-states.ts';
import { halfPairLogs, halfPairSchemas } from './half-pairs.ts';
import { readAnswers } from './ndjson.ts';

const answers = readAnswers(
  'half-pairs.ndjson',
  v.object({ fields: v.picklist(['text', 'keywords']), q: v.string(), hits: v.array(v.number()) }),
).map(({ fields, q, hits }) => ({
  q,
  filter: resolve(parse(q).query, { schema: halfPairSchemas[fields] }),
  fields,
  hits,
}));

describe('half of a surrogate pair is U+FFFD, as in the engine:', () => {
  test.each(answers)('$fields $q in the reference', ({ filter, hits }) => {
    expect(
      [...halfPairLogs.entries()].flatMap(([index, log]) => (match(filter, log) ? [index] : [])),
    ).toEqual(hits);
  });

  describe.each(caseStates)('in a case %s', (state) => {
    let prepared: PreparedCase;
    beforeAll(async () => {
      prepared = await prepareCase(state, halfPairLogs);
    });
    afterAll(() => prepared[Symbol.asyncDispose]());

    test('searches find what the engine finds', async () => {
      const found: { readonly q: string; readonly hits: readonly number[] }[] = [];
      for (const { q, filter } of answers) {
        const hits: number[] = [];
        for await (const { id } of streamLogs(prepared.opened, filter))
          if (id <= prepared.logs) hits.push(id - 1);
        found.push({ q, hits: hits.sort((a, b) => a - b) });
      }
      expect(found).toEqual(answers.map(({ q, hits }) => ({ q, hits })));
    });
  });
});
