import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze } from '../../src/language/meaning/analyze.ts';
import { type FieldValue, type FieldValues, match } from '../../src/language/meaning/match.ts';
import { documentedSchema, type Field, type FieldType } from '../../src/language/meaning/schema.ts';
import {
  type ElasticsearchEnds,
  type ElasticsearchQuery,
  toElasticsearch,
} from '../../src/language/translate/elasticsearch.ts';
import { filterOver, keywordSchema, logOver, smallSchema } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';

/**
 * The reference of the Query DSL about each query that the documented
 * language leads to, said once more in a few lines.
 */
function selects(query: ElasticsearchQuery, log: FieldValues, fields: ReadonlyMap<string, Field>): boolean {
  const each = (queries: readonly ElasticsearchQuery[] = []) =>
    queries.map((one) => selects(one, log, fields));
  const values = (asked: object) => valuesOf(Object.keys(asked)[0] ?? '', log, fields);
  const typeOf = (asked: object) => fields.get(Object.keys(asked)[0] ?? '')?.type ?? 'text';
  if ('match_all' in query) return true;
  if ('match_none' in query) return false;
  if ('dis_max' in query) return each(query.dis_max.queries).includes(true);
  if ('bool' in query) {
    const { must, should, must_not: mustNot, minimum_should_match: least = 0 } = query.bool;
    const matching = each(should).filter(Boolean).length;
    return !each(must).includes(false) && !each(mustNot).includes(true) && least <= matching;
  }
  if ('exists' in query) return log[query.exists.field] !== undefined;
  if ('term' in query)
    return Object.values(query.term).every(({ value }) =>
      values(query.term).some((each) => order(each, value, typeOf(query.term)) === 0),
    );
  if ('match_phrase' in query) {
    const [phrase = ''] = Object.values(query.match_phrase).map((asked) =>
      asked.query.split(/\s+/).join(' '),
    );
    return ` ${values(query.match_phrase).join(' ')} `.includes(` ${phrase} `);
  }
  if ('range' in query) {
    const [ends = {}] = Object.values(query.range);
    return values(query.range).some((value) => lies(value, ends, typeOf(query.range)));
  }
  throw new Error(`The documented language does not lead to ${Object.keys(query)}`);
}

function lies(value: FieldValue, { gt, gte, lt, lte }: ElasticsearchEnds, type: FieldType): boolean {
  return (
    (gt === undefined || 0 < order(value, gt, type)) &&
    (gte === undefined || 0 <= order(value, gte, type)) &&
    (lt === undefined || order(value, lt, type) < 0) &&
    (lte === undefined || order(value, lte, type) <= 0)
  );
}

/** Compares a value with one of the request's JSON as the server does: a number may be a text as well. */
function order(value: FieldValue, json: string | number, type: FieldType): number {
  if (type === 'text' || type === 'keyword') return value < json ? -1 : Number(value !== json);
  const left = type === 'decimal' ? bitsOf(Number(value) + 0) : BigInt(value);
  // Only the text is read as JSON is: in a number of JavaScript its digits are lost.
  const right =
    type === 'decimal' ? bitsOf(Number(json)) : BigInt(typeof json === 'string' ? json : String(json));
  return left < right ? -1 : Number(right < left);
}

/** A double as Lucene sorts it. */
function bitsOf(double: number): bigint {
  const bits = new BigInt64Array(new Float64Array([double]).buffer)[0] ?? 0n;
  return bits < 0n ? bits ^ (2n ** 63n - 1n) : bits;
}

/** The terms of a field in the index, or its one number. */
function valuesOf(name: string, log: FieldValues, fields: ReadonlyMap<string, Field>): readonly FieldValue[] {
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
