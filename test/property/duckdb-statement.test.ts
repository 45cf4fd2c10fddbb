import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectToCase, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toDuckdbStatement } from '../../src/language/translate/duckdb.ts';
import { filter, filterOver, keywordSchema, log } from '../../src/testing/filters.ts';
import { luceneQuery } from '../../src/testing/query-text.ts';
import { run } from '../cli/run-in-process.ts';
import { rounds } from '../effort.ts';
import { largeTest } from '../large-test.ts';

const unweighted = new Map<Filter, number>();

/** Also keywords that are hard to quote, which no text field has. */
const awkward = fc
  .constantFrom("O'Neil", "a\n'b", '\0', "'; DROP TABLE logs; --", '"', '$1', '\u2028x', '\\')
  .map((term): Filter => ({ kind: 'term', field: { name: 'machine', type: 'keyword', about: '' }, term }));
const stated = fc.oneof(
  { arbitrary: filter, weight: 4 },
  { arbitrary: filterOver(keywordSchema, { patterns: true }), weight: 3 },
  { arbitrary: awkward, weight: 1 },
);
const logs = fc
  .array(fc.tuple(log, fc.option(awkward, { nil: undefined })), { minLength: 1, maxLength: 20 })
  .map((drawn) =>
    drawn.map(([each, named]) => (named?.kind === 'term' ? { ...each, machine: named.term } : each)),
  );

test('a statement selects the logs that a search finds, or says what it leaves open', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.array(stated, { minLength: 5, maxLength: 15 }), async (given, filters) => {
      await using stored = await openCase(':memory:', { access: 'write' });
      await addLogs(stored, given, { part: 'random' });
      const connection = await connectToCase(stored);
      for (const each of filters) {
        const { sql, losses } = toDuckdbStatement({ filter: each, boosts: unweighted });
        const selected = (await connection.runAndReadAll(sql)).getRowObjectsJS();
        const ids = selected.map(({ id }) => Number(id)).sort((a, b) => a - b);
        const found = (await findLogs(stored, each, { limit: 100 }))
          .map(({ id }) => id)
          .sort((a, b) => a - b);
        if (losses.every(({ reason }) => reason.includes('relevance'))) expect(ids).toEqual(found);
        else expect(found.filter((id) => !ids.includes(id))).toEqual([]);
      }
      connection.closeSync();
    }),
    { numRuns: rounds(12, 4) },
  );
});

test('what a query says is in the statement or among its losses', () => {
  fc.assert(
    fc.property(luceneQuery, (text) => {
      const scored = resolveScored(parse(text).query);
      const { losses } = toDuckdbStatement(scored);
      for (const [part, boost] of scored.boosts) {
        if (boost === 1 || !isDecisive(part, scored.filter)) continue;
        expect(losses.map((loss) => loss.filter)).toContain(part);
      }
    }),
    { numRuns: rounds(500) },
  );
});

/** Reports if a part stands in a filter where it is not left out as a whole. */
function isDecisive(part: Filter, within: Filter): boolean {
  if (part === within) return true;
  if (within.kind === 'disMax') return within.filters.some((each) => isDecisive(part, each));
  if (within.kind !== 'bool') return false;
  const should = within.must.length === 0 ? within.should : [];
  return [...within.must, ...should, ...within.mustNot].some((each) => isDecisive(part, each));
}

largeTest('the printed SQL runs as it is with "logquarry sql"', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'statement-'));
  const path = join(folder, 'one.duckdb');
  const queries = [
    'msg:"timed out" AND logCode:[9000 TO *]',
    'msg:[a TO c} OR (NOT elapsed:>0.25)',
    'time:[1970-01-01T00:00:00.002Z TO *] AND msg:/t.*d/ AND NOT msg:timd~1',
    '*:*',
    'logLevel:* AND requestID:"a\'b"',
  ];
  try {
    {
      await using made = await openCase(path, { access: 'write', create: true });
      const drawn = fc.sample(logs, { numRuns: 3, seed: 1 }).flat();
      await addLogs(made, [...drawn, { time: 3, msg: 'Request timed out', logCode: 9003 }], { part: 'test' });
    }
    for (const query of queries) {
      const { code, out } = await run(['translate', query, '--to', 'duckdb']);
      expect([query, code]).toEqual([query, 0]);
      const { columns, rows } = await runSql(path, out);
      expect(columns.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['id', ...documentedSchema.fields.keys()]),
      );
      const searched = await run(['search', query, path, '--count']);
      expect(rows).toHaveLength(Number(searched.out));
      const printed = await run(['sql', out, path, '--json', '--limit', '1']);
      expect(printed.code).toBe(0);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
