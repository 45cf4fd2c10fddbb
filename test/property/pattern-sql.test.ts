import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchesSloppily } from '../../src/language/automata/phrase.ts';
import type { PhraseFilter } from '../../src/language/meaning/filter.ts';
import { type TermPattern, termTest } from '../../src/language/meaning/match.ts';
import type { Field } from '../../src/language/meaning/schema.ts';
import { duckdbPattern } from '../../src/language/translate/duckdb.ts';
import { rounds } from '../effort.ts';
import * as text from './pattern-text.ts';

const tokens: Field = { name: 'tokens', type: 'text', about: 'tokens between blanks' };
const value: Field = { name: 'value', type: 'keyword', about: 'a value' };

const values = fc.sample(fc.oneof(text.term, text.value), { numRuns: 500, seed: 1 });
const texts = fc.sample(fc.array(text.nonEmptyTerm, { minLength: 1, maxLength: 5 }), {
  numRuns: 500,
  seed: 2,
});

let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  // The terms of these tests are no words of a text: the texts have them as they are.
  await connection.run('CREATE MACRO words(text) AS text');
  await connection.run('CREATE MACRO lower(text) AS text');
  await fill('values', values);
  await fill(
    'texts',
    texts.map((each) => ` ${each.join(' ')} `),
  );
});

afterAll(() => connection.closeSync());

const pattern = (field: Field): fc.Arbitrary<TermPattern> =>
  fc.oneof(
    fc.oneof(text.term, text.value).map((prefix): TermPattern => ({ kind: 'prefix', field, prefix })),
    text.wildcardPattern.map((each): TermPattern => ({ kind: 'wildcard', field, pattern: each })),
    fc
      .oneof(text.regexpText, text.regexpJunk)
      .map((each): TermPattern => ({ kind: 'regexp', field, pattern: each })),
    fc
      .tuple(fc.oneof(text.term, text.value), fc.constantFrom(0, 1, 2))
      .map(([term, edits]): TermPattern => ({ kind: 'fuzzy', field, term, edits })),
  );

test('DuckDB selects the values that pass the test of a pattern', async () => {
  await fc.assert(
    fc.asyncProperty(pattern(value), async (filter) => {
      await checkSelected('values', filter, (number) => termTest(filter)(values[number] ?? ''));
    }),
    { numRuns: rounds(1500) },
  );
});

test('DuckDB selects the texts of which a token passes the test of a pattern', async () => {
  await fc.assert(
    fc.asyncProperty(pattern(tokens), async (filter) => {
      await checkSelected('texts', filter, (number) => texts[number]?.some(termTest(filter)) ?? false);
    }),
    { numRuns: rounds(1500) },
  );
});

test('DuckDB selects the texts that have a phrase, and some more when it may be sloppy', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text.nonEmptyTerm, { minLength: 2, maxLength: 3 }),
      fc.nat(4),
      async (terms, slop) => {
        const filter: PhraseFilter = { kind: 'phrase', field: tokens, terms, slop };
        await checkSelected('texts', filter, (number) => matchesSloppily(terms, slop, texts[number] ?? []));
      },
    ),
  );
});

test('a large pattern is either refused here or taken by DuckDB', async () => {
  await fc.assert(
    fc.asyncProperty(text.largeRegexp, async (large) => {
      const filter: TermPattern = { kind: 'regexp', field: tokens, pattern: large };
      await checkSelected('texts', filter, (number) => texts[number]?.some(termTest(filter)) ?? false);
    }),
    { numRuns: rounds(15, 4) },
  );
});

async function fill(table: string, rows: readonly string[]): Promise<void> {
  await connection.run(`CREATE TABLE ${table} (number INTEGER, text VARCHAR)`);
  const appender = await connection.createAppender(table);
  for (const [number, row] of rows.entries()) {
    appender.appendInteger(number);
    appender.appendVarchar(row);
    appender.endRow();
  }
  appender.closeSync();
}

/** Expects the rows that are selected to be those expected, or, where the condition is not exact, more of them. */
async function checkSelected(
  table: string,
  filter: TermPattern | PhraseFilter,
  isExpected: (number: number) => boolean,
): Promise<void> {
  const params: string[] = [];
  const condition = duckdbPattern(filter, 'text', (parameter) => `$${params.push(parameter)}`);
  if (!condition) return;
  const reader = await connection.runAndReadAll(`SELECT number FROM ${table} WHERE ${condition.sql}`, params);
  const selected = new Set(reader.getRows().map(([number]) => Number(number)));
  const expected = [...(table === 'values' ? values : texts).keys()].filter(isExpected);
  if (condition.exact) expect([...selected].sort((a, b) => a - b)).toEqual(expected);
  else expect(expected.filter((number) => !selected.has(number))).toEqual([]);
}
