import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import type { Cluster } from '../../src/cluster/connection.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { match } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { toClickhouse, toClickhouseStatement } from '../../src/language/translate/clickhouse.ts';
import { filter, filterOver, keywordSchema, log } from '../../src/testing/filters.ts';
import { seed } from '../live/settings.ts';
import * as text from '../property/pattern-text.ts';
import { installServer } from './install-server.ts';
import { openSpreadDatabase, push } from './pushed-case.ts';
import { type Server, startShards } from './start-server.ts';

const rounds = Number(process.env.LIVE_RUNS ?? 500);

let shards: readonly [Server, Server];
let cluster: Cluster;

/** Texts of characters that mean something in patterns, in SQL, or in parameters. */
const awkward = fc.oneof(
  text.value,
  fc.constantFrom(
    "O'Neil",
    "a\n'b",
    '\0',
    'a\0b',
    "'; DROP TABLE logs; --",
    '{p1:String}',
    '\u2028x',
    '\\',
    '\\N',
    '\t',
  ),
);
const words = fc
  .array(fc.oneof(text.nonEmptyTerm, text.word), { minLength: 1, maxLength: 8 })
  .map((each) => each.join(' '));
const logs = fc
  .sample(fc.tuple(log, fc.option(awkward), fc.option(words)), { seed, numRuns: 1_500 })
  .map(([each, machine, thread]) => ({ ...each, ...(machine && { machine }), ...(thread && { thread }) }));

const machine: Field = { name: 'machine', type: 'keyword', about: '' };
const thread: Field = { name: 'thread', type: 'text', about: '' };

const pattern = fc.constantFrom(machine, thread).chain((field) =>
  fc.oneof(
    fc.oneof(text.term, text.value).map((prefix): Filter => ({ kind: 'prefix', field, prefix })),
    text.wildcardPattern.map((each): Filter => ({ kind: 'wildcard', field, pattern: each })),
    fc
      .oneof(text.regexpText, text.regexpJunk)
      .map((each): Filter => ({ kind: 'regexp', field, pattern: each })),
    fc
      .tuple(fc.oneof(text.term, text.value), fc.constantFrom<0 | 1 | 2>(0, 1, 2))
      .map(([term, edits]): Filter => ({ kind: 'fuzzy', field, term, edits })),
    fc
      .tuple(text.phrase, fc.nat(6))
      .map(([terms, slop]): Filter => ({ kind: 'phrase', field: thread, terms, slop })),
    fc
      .uniqueArray(text.word, { minLength: 2 })
      .chain((terms) => fc.nat(6).map((slop): Filter => ({ kind: 'phrase', field: thread, terms, slop }))),
    awkward.map((term): Filter => ({ kind: 'term', field: machine, term })),
    fc.tuple(awkward, awkward, fc.boolean()).map(
      ([a, b, inclusive]): Filter => ({
        kind: 'termRange',
        field: machine,
        lower: { value: a, inclusive },
        upper: { value: b, inclusive },
      }),
    ),
  ),
);

const asked = fc.oneof(
  { arbitrary: filter, weight: 2 },
  { arbitrary: filterOver(keywordSchema, { patterns: true }), weight: 1 },
  { arbitrary: pattern, weight: 2 },
  {
    arbitrary: pattern.map((each): Filter => ({ kind: 'bool', must: [], should: [], mustNot: [each] })),
    weight: 1,
  },
);

beforeAll(async () => {
  shards = await startShards();
  cluster = await openSpreadDatabase(shards, 'translate');
  await using stored = await openCase(':memory:', { access: 'write' });
  await addLogs(stored, logs, { part: 'random' });
  await push(stored, cluster);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  for (const shard of shards) await shard[Symbol.asyncDispose]();
});

test(`ClickHouse selects the logs that match, or says what it leaves open (seed ${seed})`, async () => {
  let exact = 0;
  await fc.assert(
    fc.asyncProperty(asked, async (each) => {
      const { sql, parameters, losses } = toClickhouse(each);
      const rows = await cluster.query(`SELECT position FROM translate.searchable_logs WHERE ${sql}`, {
        parameters,
      });
      const selected = rows.map(([position]) => Number(position) - 1).sort((a, b) => a - b);
      const expected = [...logs.keys()].filter((index) => match(each, logs[index] ?? {}));
      if (losses.length === 0) {
        exact += 1;
        expect(selected).toEqual(expected);
      } else {
        const all = new Set(selected);
        expect(expected.filter((index) => !all.has(index))).toEqual([]);
      }
    }),
    { numRuns: rounds, seed },
  );
  expect(exact).toBeGreaterThan(rounds / 2);
});

test(`the printed statements run in the client as they are (seed ${seed})`, async () => {
  const { launcher, library } = installServer();
  for (const each of fc.sample(asked, { numRuns: 25, seed })) {
    const { text: statement, sql, parameters } = toClickhouseStatement({ filter: each, boosts: new Map() });
    const rows = await cluster.query(
      sql
        .replace('SELECT * EXCEPT', 'SELECT count() FROM (SELECT * EXCEPT')
        .replace('searchable_logs', 'translate.searchable_logs')
        .concat(')'),
      { parameters },
    );
    const view = `CREATE VIEW searchable_logs AS SELECT * FROM remote('127.0.0.1:${shards[0].nativePort}', translate.searchable_logs)`;
    const out = execFileSync(
      launcher,
      [library, '--output-format=JSONEachRow', '--query', `${view}; ${statement}`],
      { encoding: 'utf8' },
    );
    expect(out.split('\n').length - 1).toBe(Number(rows[0]?.[0]));
  }
});
