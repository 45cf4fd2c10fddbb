import { describe, expect, test } from 'vitest';
import { compare } from '../../src/language/logic/compare.ts';
import { type Plan, type PlanOptions, plan } from '../../src/language/logic/plan.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema, type Schema, toSchema } from '../../src/language/meaning/schema.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { processorTime } from '../processor-time.ts';

/** A schema in which everything that the structured form compares whole is a keyword. */
const exact: Schema = toSchema(
  [...documentedSchema.fields.values()].map((field) =>
    ['logLevel', 'username', 'requestID', 'serviceTypes', 'source'].includes(field.name)
      ? { ...field, type: 'keyword' }
      : field,
  ),
  ['msg'],
);

function planOf(text: string, options: PlanOptions & { schema?: Schema } = {}): Plan {
  const { query, findings } = parse(text);
  expect(findings).toEqual([]);
  return plan(resolve(query, { schema: options.schema ?? exact }), options);
}

describe('what is necessary', () => {
  test.each<[string, Plan['necessary']]>([
    ['logLevel:SEVERE', { logLevel: 'SEVERE' }],
    ['logLevel:SEVERE OR logLevel:INFO', { logLevel: 'INFO' }],
    ['logLevel:* AND NOT logLevel:DEBUG', { logLevel: 'VERBOSE' }],
    ['logLevel:[A TO G]', { logLevel: 'DEBUG' }],
    ['logCode:9003', { logCodes: [9003] }],
    ['logCode:(9003 OR 9004)', { logCodes: [9003, 9004] }],
    ['logCode:[9000 TO 9003} OR logCode:1', { logCodes: [1, 9000, 9001, 9002] }],
    ['logCode:[9000 TO 9003] AND NOT logCode:9001', { logCodes: [9000, 9002, 9003] }],
    ['logCode:9003 AND time:[10 TO 20]', { logCodes: [9003], oldest: 10, newest: 20 }],
    ['time:{10 TO 20}', { oldest: 11, newest: 19 }],
    ['time:[10 TO *]', { oldest: 10 }],
    ['time:[* TO 20]', { newest: 20 }],
    ['time:[10 TO 20] OR time:[40 TO 50]', { oldest: 10, newest: 50 }],
    ['username:"maria lopez"', { users: 'maria lopez' }],
    ['source:Sharing AND serviceTypes:MapServer', { source: 'Sharing', serviceTypes: 'MapServer' }],
    ['requestID:(r1 OR r2)', { requestIDs: ['r1', 'r2'] }],
    ['(logCode:1 AND msg:a) OR (logCode:2 AND msg:b)', { logCodes: [1, 2] }],
    ['msg:a AND (logCode:1 OR (logCode:2 AND logLevel:INFO))', { logCodes: [1, 2] }],
    ['NOT (NOT logCode:1)', { logCodes: [1] }],
    ['msg:a', {}],
  ])('%s', (text, necessary) => {
    expect(planOf(text).necessary).toEqual(necessary);
  });
});

describe('why something is not used', () => {
  test.each([
    ['source:sharing', '"source" is searched word by word', documentedSchema],
    ['username:maria', '"username" is searched word by word', documentedSchema],
    ['logCode:1 OR msg:a', 'Logs without a value of "logCode" can match as well'],
    ['NOT logCode:1', 'Logs without a value of "logCode" can match as well'],
    ['logCode:[1 TO *]', 'More than 200 codes can match'],
    ['logCode:[1 TO 201]', 'More than 200 codes can match'],
    ['source:(a OR b)', 'More than one value can match'],
    ['source:S*', 'Values that the query does not name can match as well'],
    ['requestID:"a,b"', '"a,b" cannot be written in a list with commas'],
    ['username:" a"', '" a" cannot be written in a list with commas'],
    ['time:* AND NOT time:5', 'The query bounds the time on neither side'],
    ['logCode:1', '"logCode" is of the type keyword', withType('logCode', 'keyword')],
  ])('%s', (text, reason, schema = exact) => {
    const { necessary, reasons } = planOf(text, { schema });
    expect(necessary).toEqual({});
    expect(reasons).toHaveLength(1);
    expect(reasons[0]?.reason).toContain(reason);
  });

  test('levels are taken to be the documented ones, which is said, unless that is not to be relied on', () => {
    const relied = planOf('logLevel:severe', { schema: documentedSchema });
    expect(relied.necessary).toEqual({ logLevel: 'SEVERE' });
    expect(relied.reasons[0]?.reason).toContain('documented level');
    const open = planOf('logLevel:severe', { schema: documentedSchema, knownLevels: false });
    expect(open.necessary).toEqual({});
    expect(open.residual).toBeDefined();
    expect(planOf('logLevel:SEVERE', { knownLevels: false }).necessary).toEqual({ logLevel: 'SEVERE' });
    expect(planOf('logLevel:S*', { knownLevels: false }).reasons[0]?.reason).toContain('Levels other than');
  });
});

describe('what is left to filter', () => {
  test.each([
    ['logLevel:SEVERE', undefined],
    ['logCode:(1 OR 2) AND time:[10 TO 20]', undefined],
    ['logLevel:(SEVERE OR WARNING)', undefined],
    ['username:maria AND NOT username:jan', undefined],
    ['logCode:1 AND msg:a', 'msg:a'],
    ['logLevel:WARNING', 'logLevel:WARNING'],
    ['time:[10 TO 20] OR time:[40 TO 50]', 'time:[10 TO 20] OR time:[40 TO 50]'],
    ['logCode:1 AND NOT msg:a AND (source:b OR msg:c)', 'NOT msg:a AND (source:b OR msg:c)'],
  ])('%s', (text, left) => {
    const { residual } = planOf(text);
    if (left === undefined) expect(residual).toBeUndefined();
    else
      expect(compare(residual ?? matchAllFilter, resolve(parse(left).query, { schema: exact }))).toEqual({
        same: true,
      });
  });
});

test('a query that cannot select anything needs no export', () => {
  for (const text of ['nosuch:a', 'logCode:1 AND logCode:2', 'logLevel:LOUD']) {
    expect(planOf(text)).toMatchObject({ selectsNothing: true, necessary: {}, residual: { kind: 'none' } });
  }
  expect(planOf('logCode:1').selectsNothing).toBe(false);
});

test('thousands of codes are planned in an instant, or left alone', async () => {
  const codes = (count: number) => Array.from({ length: count }, (_, at) => `logCode:${at}`).join(' OR ');
  const took = await processorTime(() => {
    expect(planOf(codes(200)).necessary.logCodes).toHaveLength(200);
    expect(planOf(codes(3000)).reasons[0]?.reason).toBe('The query has too many conditions on "logCode"');
  });
  expect(took).toBeLessThan(10_000);
});

function withType(name: string, type: 'keyword' | 'text'): Schema {
  const fields = [...exact.fields.values()].map((field) =>
    field.name === name ? { ...field, type } : field,
  );
  return toSchema(fields, ['msg']);
}
