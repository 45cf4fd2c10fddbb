import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import type { FieldValues } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema, toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { caseStates, type PreparedCase, prepareCase } from '../conformance/case-states.ts';
import { randomLog } from './random-logs.ts';
import { randomQueries } from './random-queries.ts';
import { searchLucene } from './search-lucene.ts';
import { numRuns, seed } from './settings.ts';

/** The documented fields but times, which Lucene alone does not read as dates. */
const schema = toSchema(
  [...documentedSchema.fields.values()].filter(({ type }) => type !== 'date'),
  documentedSchema.defaults.map(({ name }) => name),
);

/** A log with those values that a row of a case can hold: codes of 64 bits, and no number that is none. */
function storable({ logCode, elapsed, ...texts }: FieldValues): FieldValues {
  return {
    ...texts,
    ...(Number.isSafeInteger(logCode) && { logCode }),
    ...(Number.isFinite(elapsed) && { elapsed }),
  };
}

const logs = fc.sample(randomLog(schema).map(storable), { numRuns: 1000, seed });

describe(`${Math.ceil(numRuns / 10)} queries with the seed ${seed}`, () => {
  const queries = randomQueries({ schema, logs, defaultOperator: 'or' }, Math.ceil(numRuns / 10), seed);
  const answers = searchLucene({ schema, logs, defaultOperator: 'or' }, queries);

  describe.each(caseStates)('of a case %s', (state) => {
    let prepared: PreparedCase;
    beforeAll(async () => {
      prepared = await prepareCase(state, logs);
    });
    afterAll(() => prepared[Symbol.asyncDispose]());

    test('find what Lucene finds', async () => {
      const differences: unknown[] = [];
      let compared = 0;
      for (const [index, query] of queries.entries()) {
        const answer = answers[index];
        const parsed = parse(query);
        if (!answer || 'refusal' in answer || parsed.findings.some(({ severity }) => severity === 'error'))
          continue;
        const found: number[] = [];
        for await (const { id } of streamLogs(prepared.opened, resolve(parsed.query, { schema })))
          if (id <= prepared.logs) found.push(id - 1);
        found.sort((one, other) => one - other);
        compared += 1;
        if (found.join() !== answer.hits.join()) differences.push({ query, found, lucene: answer.hits });
      }
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(queries.length / 2);
    });
  });
});
