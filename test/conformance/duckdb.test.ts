import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { sampled } from '../effort.ts';
import { caseStates, type PreparedCase, prepareCase } from './case-states.ts';
import { readAnswers } from './ndjson.ts';

const search = v.object({
  id: v.number(),
  q: v.string(),
  ok: v.boolean(),
  hits: v.optional(v.array(v.number())),
});

const logs = readAnswers('logs.ndjson', v.record(v.string(), v.union([v.string(), v.number()])));

describe.each(caseStates)('a case %s', (state) => {
  let prepared: PreparedCase;
  beforeAll(async () => {
    prepared = await prepareCase(state, logs);
  });
  afterAll(() => prepared[Symbol.asyncDispose]());

  for (const name of ['searches-documented.ndjson', 'searches-lucene.ndjson']) {
    // Where only a part of the index answers, a quarter of them is asked: the others take two minutes.
    const isWhole = state === 'without an index' || state === 'with all logs in segments';
    const asked = readAnswers(name, search).filter(({ ok }, index) => ok && (isWhole || index % 4 === 0));
    const answers = sampled(asked);

    test.each(answers)(`${name} $id: $q`, async ({ q, hits }) => {
      const found: number[] = [];
      for await (const { id } of streamLogs(prepared.opened, resolve(parse(q).query)))
        if (id <= prepared.logs) found.push(id - 1);
      expect(found.sort((a, b) => a - b)).toEqual(hits);
    });
  }
});
