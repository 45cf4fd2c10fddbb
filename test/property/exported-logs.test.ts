import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentEnd, incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { edgeValues } from '../../src/testing/edge-numbers.ts';
import { rounds } from '../effort.ts';
import { exportLogs, startDeployment, type TestDeployment } from '../emulator/calls.ts';

/** Codes beyond 2^53, of which the neighbours are the same double. */
const largeCodes = edgeValues.integer.filter((code) => typeof code === 'bigint');
const logs: readonly Log[] = [
  ...incidentLogs({ count: 3000 }),
  ...largeCodes.map((logCode) => ({ time: incidentEnd, logLevel: 'SEVERE', logCode, msg: 'a large code' })),
];
let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await startDeployment({ logs, jobLimit: 1 });
});
afterAll(() => deployment[Symbol.asyncDispose]());

const levels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'];
const levelOf = (log: Log) => levels.indexOf(log.logLevel ?? '');
const aLog = fc.constantFrom(...logs);

/** One parameter of an export, and what it asks of a log. */
interface Wish {
  readonly form: Readonly<Record<string, string>>;
  readonly isWanted: (log: Log) => boolean;
}

/** Meaning of a parameter that is one value, commas included: also two names with a comma are one. */
function single(parameter: string, field: 'username' | 'serviceTypes' | 'source') {
  return fc.array(aLog, { minLength: 1, maxLength: 2 }).map((chosen): Wish => {
    const value = chosen.flatMap((log) => log[field] ?? []).join(',');
    return { form: { [parameter]: value }, isWanted: (log) => value === '' || value === log[field] };
  });
}

/** Meaning of a parameter that compares the whole value of a field with those of some logs. */
function oneOf(parameter: string, field: 'logCode' | 'requestID') {
  return fc.array(aLog, { minLength: 1, maxLength: 3 }).map((chosen): Wish => {
    // The form takes codes that are exact in JSON.
    const values = chosen.flatMap((log) => (typeof log[field] === 'bigint' ? [] : (log[field] ?? [])));
    return {
      form: { [parameter]: values.join(',') },
      isWanted: (log) => values.length === 0 || values.some((value) => value === log[field]),
    };
  });
}

const searches: readonly Wish[] = [
  { form: { searchQuery: 'logLevel:SEVERE' }, isWanted: ({ logLevel }) => logLevel === 'SEVERE' },
  {
    form: { searchQuery: 'logCode:[7000 TO 9999]' },
    isWanted: ({ logCode = 0 }) => 7000 <= logCode && logCode <= 9999,
  },
  ...largeCodes.flatMap((code): Wish[] => [
    { form: { searchQuery: `logCode:"${code}"` }, isWanted: ({ logCode }) => logCode === code },
    {
      form: { searchQuery: `logCode:{${code} TO *]` },
      isWanted: ({ logCode }) => logCode !== undefined && code < logCode,
    },
  ]),
  {
    form: { searchQuery: 'elapsed:{0.1 TO 5.0}' },
    isWanted: ({ elapsed = 0 }) => 0.1 < elapsed && elapsed < 5,
  },
  {
    form: { searchQuery: 'NOT (msg:request OR source:"Rest Catalog")' },
    isWanted: ({ msg = '', source }) => !/\brequest\b/i.test(msg) && source !== 'Rest Catalog',
  },
];

const wish: fc.Arbitrary<Wish> = fc.oneof(
  fc.constantFrom(...levels).map(
    (logLevel): Wish => ({
      form: { logLevel },
      isWanted: (log) => levelOf(log) <= levels.indexOf(logLevel),
    }),
  ),
  aLog.map(
    ({ time = 0 }): Wish => ({
      form: { startTime: String(time) },
      isWanted: (log) => (log.time ?? 0) <= time,
    }),
  ),
  aLog.map(
    ({ time = 0 }): Wish => ({ form: { endTime: String(time) }, isWanted: (log) => time <= (log.time ?? 0) }),
  ),
  oneOf('logCode', 'logCode'),
  single('users', 'username'),
  oneOf('requestIDs', 'requestID'),
  single('serviceTypes', 'serviceTypes'),
  single('source', 'source'),
  fc.constantFrom(...searches),
);

test('an export holds exactly the logs that fit all of its parameters, the newest of them when they are too many', async () => {
  const wishes = fc.uniqueArray(wish, { maxLength: 4, selector: ({ form }) => Object.keys(form).join() });
  await fc.assert(
    fc.asyncProperty(wishes, fc.integer({ min: 1, max: 4000 }), async (chosen, num) => {
      const form = Object.assign(
        { startTime: String(incidentEnd), logLevel: 'DEBUG', stackTraces: 'true', num: String(num) },
        ...chosen.map((each) => each.form),
      );
      const expected = logs.filter((log) => chosen.every(({ isWanted }) => isWanted(log)));
      const exported = await exportLogs(deployment, form);
      expect(exported).toHaveLength(Math.min(num, expected.length));
      expect(exported.map(({ time }) => time)).toEqual(
        expected
          .map(({ time }) => time)
          .reverse()
          .slice(0, num),
      );
      const known = new Set(expected.map(toText));
      expect(exported.filter((log) => !known.has(toText(log)))).toEqual([]);
      expect(new Set(exported.map(toText)).size).toBe(new Set(exported).size);
    }),
    { numRuns: rounds(60, 6) },
  );
});

function toText(log: Log): string {
  return JSON.stringify(Object.entries({ ...log, logCode: String(log.logCode) }).sort());
}
