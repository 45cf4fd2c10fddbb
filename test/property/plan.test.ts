import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Necessary, plan } from '../../src/language/logic/plan.ts';
import { type FieldValues, match } from '../../src/language/meaning/match.ts';
import { documentedSchema, toSchema } from '../../src/language/meaning/schema.ts';
import { filterOver, logOver } from '../../src/testing/filters.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(3000) };
const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'];
const whole = ['logLevel', 'username', 'requestID', 'serviceTypes', 'source'];
const planned = [...whole, 'logCode', 'time', 'msg'];

/** The fields that the structured form knows, and one that it does not; as keywords, or as the document has them. */
const schemas = [documentedSchema, ...whole.map(withKeywords)];

function withKeywords(_name: string, count: number) {
  const fields = planned.flatMap((name) => {
    const field = documentedSchema.fields.get(name);
    if (!field) return [];
    return whole.slice(0, count + 1).includes(name) ? [{ ...field, type: 'keyword' as const }] : [field];
  });
  return toSchema(fields, ['msg']);
}

/** Statements of the interface document about each parameter, stated once more. */
function passes(necessary: Necessary, log: FieldValues): boolean {
  const { logLevel, logCodes, users, requestIDs, serviceTypes, source, newest, oldest } = necessary;
  const { time } = log;
  if (logLevel !== undefined) {
    const severe = levels.slice(0, levels.indexOf(logLevel) + 1);
    if (!severe.some((level) => level === log.logLevel)) return false;
  }
  if (logCodes && !logCodes.some((code) => code === log.logCode)) return false;
  if (users !== undefined && log.username !== users) return false;
  if (requestIDs && !requestIDs.some((id) => id === log.requestID)) return false;
  if (serviceTypes !== undefined && log.serviceTypes !== serviceTypes) return false;
  if (source !== undefined && log.source !== source) return false;
  if (newest !== undefined && !(typeof time === 'number' && time <= newest)) return false;
  return oldest === undefined || (typeof time === 'number' && oldest <= time);
}

const cases = fc.constantFrom(...schemas).chain((schema) =>
  fc.record({
    filter: filterOver(schema, { patterns: true }),
    logs: fc.array(logOver(schema), { minLength: 10, maxLength: 30 }),
    level: fc.constantFrom(...levels),
  }),
);

test('what a filter selects passes the structured form, and with what is left it is exactly that', () => {
  fc.assert(
    fc.property(cases, ({ filter, logs, level }) => {
      const { necessary, residual, selectsNothing } = plan(filter);
      for (const values of logs) {
        const log = 'logLevel' in values ? { ...values, logLevel: level } : values;
        const selected = match(filter, log);
        if (selectsNothing) expect(selected).toBe(false);
        expect(passes(necessary, log) && (residual === undefined || match(residual, log))).toBe(selected);
      }
    }),
    runs,
  );
});

test('so it is with levels of any kind when none is relied on', () => {
  fc.assert(
    fc.property(cases, ({ filter, logs }) => {
      const { necessary, residual, selectsNothing } = plan(filter, { knownLevels: false });
      for (const log of logs) {
        const selected = match(filter, log);
        if (selectsNothing) expect(selected).toBe(false);
        expect(passes(necessary, log) && (residual === undefined || match(residual, log))).toBe(selected);
      }
    }),
    runs,
  );
});

test('many of these filters have something that can be asked for', () => {
  const found = fc.sample(cases, { numRuns: 500, seed: 1 }).filter(({ filter }) => {
    return 0 < Object.keys(plan(filter).necessary).length;
  });
  expect(found.length).toBeGreaterThan(50);
});
