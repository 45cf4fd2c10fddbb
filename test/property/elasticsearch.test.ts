import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze } from '../../src/meaning/analyzer/analyze.ts';
import type { FieldValues } from '../../src/meaning/document.ts';
import { documentedSchema, type Field } from '../../src/meaning/fields.ts';
import { match } from '../../src/meaning/match.ts';
import {
  type ElasticsearchEnds,
  type ElasticsearchQuery,
  toElasticsearch,
} from '../../src/translate/elasticsearch.ts';
import { rounds } from '../effort.ts';
import { filterOver, keywordSchema, logOver, smallSchema } from './filters.ts';

/**
 * What the Query DSL's reference says about each query that the documented
 * language leads to, said once more in a few lines.
 */
function selects(query: ElasticsearchQuery, log: FieldValues, fields: ReadonlyMap<string, Field>): boolean {
  const each = (queries: readonly ElasticsearchQuery[] = []) =>
    queries.map((one) => selects(one, log, fields));
  const values = (asked: object) => valuesOf(Object.keys(asked)[0] ?? '', log, fields);
  if ('match_all' in query) return true;
  if ('match_none' in query) return false;
  if ('dis_max' in query) return each(query.dis_max.queries).includes(true);
  if ('bool' in query) {
    const { must, should, must_not: mustNot, minimum_should_match: least = 0 } = query.bool;
    const matching = each(should).filter(Boolean).length;
    return !each(must).includes(false) && !each(mustNot).includes(true) && least <= matching;
  }
  if ('exists' in query) return 0 < valuesOf(query.exists.field, log, fields).length;
  if ('term' in query)
    return Object.values(query.term).every(({ value }) => values(query.term).includes(value));
  if ('match_phrase' in query) {
    const [phrase = ''] = Object.values(query.match_phrase).map((asked) =>
      asked.query.split(/\s+/).join(' '),
    );
    return ` ${values(query.match_phrase).join(' ')} `.includes(` ${phrase} `);
  }
  if ('range' in query) {
    const [ends = {}] = Object.values(query.range);
    return values(query.range).some((value) => lies(value, ends));
  }
  throw new Error(`The documented language does not lead to ${Object.keys(query)}`);
}

function lies(value: string | number, { gt, gte, lt, lte }: ElasticsearchEnds): boolean {
  return (
    (gt === undefined || gt < value) &&
    (gte === undefined || gte <= value) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  );
}

/** The terms of a field in the index, or its one number. */
function valuesOf(
  name: string,
  log: FieldValues,
  fields: ReadonlyMap<string, Field>,
): readonly (string | number)[] {
  const value = log[name];
  if (value === undefined) return [];
  return fields.get(name)?.type === 'text' ? analyze(String(value)) : [value];
}

const cases = fc.constantFrom(documentedSchema, keywordSchema, smallSchema).chain((schema) =>
  fc.record({
    fields: fc.constant(schema.fields),
    filter: filterOver(schema, { patterns: false }),
    logs: fc.array(logOver(schema), { minLength: 5, maxLength: 20 }),
  }),
);

test('the query selects the logs that the filter matches', () => {
  fc.assert(
    fc.property(cases, ({ fields, filter, logs }) => {
      const { query } = toElasticsearch(filter);
      for (const log of logs) expect(selects(query, log, fields)).toBe(match(filter, log));
    }),
    { numRuns: rounds(3000) },
  );
});
