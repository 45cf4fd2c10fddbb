import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentEnd, incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { exportLogs, exportPath, postJson, signIn, startDeployment, type TestDeployment } from './calls.ts';

const logs = [...incidentLogs({ count: 9000 })];
const aRequest = logs.find(({ logCode }) => logCode === 9003)?.requestID ?? '';
const noon = Date.UTC(2025, 2, 11, 12);
/** Nothing that the deployment itself logs is older than the end of the incident. */
const whole = { num: '10000', stackTraces: 'true', startTime: String(incidentEnd) };

let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await startDeployment({ logs });
});
afterAll(() => deployment[Symbol.asyncDispose]());

const severe = ['SEVERE'];
const warning = [...severe, 'WARNING'];
const among = (values: readonly Log[keyof Log][], value: Log[keyof Log]) =>
  value !== undefined && values.includes(value);

/** Each filter, and what it means in plain words of this language. */
const cases: [string, Record<string, string>, (log: Log) => boolean][] = [
  ['nothing but the current level', {}, ({ logLevel }) => logLevel !== 'DEBUG'],
  ['the least severe level', { logLevel: 'DEBUG' }, () => true],
  ['a level', { logLevel: 'SEVERE' }, ({ logLevel }) => among(severe, logLevel)],
  ['a level and the more severe ones', { logLevel: 'WARNING' }, ({ logLevel }) => among(warning, logLevel)],
  [
    'a newest time',
    { startTime: String(noon) },
    ({ time = 0, logLevel }) => time <= noon && logLevel !== 'DEBUG',
  ],
  [
    'a window, both ends included',
    { startTime: String(logs[5000]?.time), endTime: String(logs[4000]?.time) },
    ({ time = 0, logLevel }) =>
      (logs[4000]?.time ?? 0) <= time && time <= (logs[5000]?.time ?? 0) && logLevel !== 'DEBUG',
  ],
  [
    'a window as text',
    { startTime: '2025-03-12T09:00:00', endTime: '2025-03-12T08:00:00' },
    ({ time = 0 }) => Date.UTC(2025, 2, 12, 8) <= time && time <= Date.UTC(2025, 2, 12, 9),
  ],
  ['a window the wrong way round', { startTime: String(noon), endTime: String(incidentEnd) }, () => false],
  ['a code', { logCode: '9003' }, ({ logCode }) => logCode === 9003],
  ['codes', { logCode: '9003, 7615,1312' }, ({ logCode }) => among([9003, 7615, 1312], logCode)],
  ['a user', { users: 'maria.lopez' }, ({ username }) => username === 'maria.lopez'],
  [
    'a user with blanks in the name',
    { users: 'Anonymous user' },
    ({ username }) => username === 'Anonymous user',
  ],
  ['a part of the name of users', { users: 'maria' }, () => false],
  ['a request', { requestIDs: aRequest }, ({ requestID }) => requestID === aRequest],
  ['a part of a request identifier', { requestIDs: aRequest.slice(0, 8) }, () => false],
  ['a service type', { serviceTypes: 'MapServer' }, ({ serviceTypes }) => serviceTypes === 'MapServer'],
  [
    'a source',
    { source: 'Utilities/Water.FeatureServer', logLevel: 'DEBUG' },
    ({ source }) => source === 'Utilities/Water.FeatureServer',
  ],
  [
    'everything at once',
    {
      logLevel: 'SEVERE',
      users: 'maria.lopez',
      serviceTypes: 'FeatureServer',
      logCode: '9003',
      source: 'Rest Catalog',
    },
    (log) => log.username === 'maria.lopez' && log.serviceTypes === 'FeatureServer' && log.logCode === 9003,
  ],
  [
    'a search',
    { searchQuery: 'msg:"timed out" AND logCode:[9000 TO 9999]' },
    ({ msg = '', logCode = 0 }) => /\btimed out\b/.test(msg) && 9000 <= logCode && logCode <= 9999,
  ],
  [
    'a search, which has no level unless it is given',
    { searchQuery: 'logLevel:DEBUG' },
    ({ logLevel }) => logLevel === 'DEBUG',
  ],
  [
    'a search for words in any default field',
    { searchQuery: 'Kubernetes secret' },
    ({ msg = '' }) => /\b(kubernetes|secrets?)\b/i.test(msg) && /\b(kubernetes|secret)\b/i.test(msg),
  ],
  [
    'a search with NOT',
    { searchQuery: 'logLevel:SEVERE AND NOT source:"Rest Catalog"' },
    ({ logLevel, source }) => logLevel === 'SEVERE' && source !== 'Rest Catalog',
  ],
  ['a search with an open range', { searchQuery: 'elapsed:[5 TO *]' }, ({ elapsed = 0 }) => 5 <= elapsed],
  ['a search for an escaped sign', { searchQuery: 'source:"Soap Catalog" AND msg:What\\?' }, () => false],
  [
    'a search and a filter, which hold both',
    { searchQuery: 'logLevel:SEVERE', users: 'maria.lopez', endTime: String(noon) },
    ({ logLevel, username, time = 0 }) => logLevel === 'SEVERE' && username === 'maria.lopez' && noon <= time,
  ],
];

describe('what is exported is what was asked for', () => {
  test.each(sampled(cases, 6))('%s', async (_, form, isWanted) => {
    const exported = await exportLogs(deployment, { ...whole, ...form });
    const expected = logs.filter(isWanted);
    expect(exported).toHaveLength(expected.length);
    expect(inOrder(exported)).toEqual(inOrder(expected));
  });

  test('most of these select something, and less than everything', () => {
    const sizes = cases.map(([, , isWanted]) => logs.filter(isWanted).length);
    expect(sizes.filter((size) => 0 < size && size < logs.length).length).toBeGreaterThan(18);
  });
});

/** Logs of one millisecond have no order of their own. */
function inOrder(given: readonly Log[]): string[] {
  return given.map((log) => JSON.stringify(Object.entries(log).sort())).sort();
}

const timesOf = (given: readonly Log[]) => given.map(({ time = 0 }) => time);
const newestFirst = timesOf(logs.filter(({ logLevel }) => logLevel !== 'DEBUG')).reverse();

test.each(
  sampled(
    [
      ['time', 'desc', newestFirst],
      ['time', 'asc', newestFirst.toReversed()],
      ['bestMatch', 'asc', newestFirst],
    ],
    1,
  ),
)('sorted by %s %s, the first of them are taken', async (sortBy, sortOrder, times) => {
  const exported = await exportLogs(deployment, { ...whole, num: '123', sortBy, sortOrder });
  expect(timesOf(exported)).toEqual(times.slice(0, 123));
});

test.each(
  sampled(
    [
      ['1', 1],
      ['', 1000],
      ['8500', 8500],
    ],
    1,
  ),
)('num=%s gives %i logs', async (num, expected) => {
  expect(await exportLogs(deployment, { ...whole, num })).toHaveLength(expected);
});

largeTest('no more than 10,000 logs are given', async () => {
  await using large = await startDeployment({ logs: incidentLogs({ count: 12_000 }) });
  expect(await exportLogs(large, { ...whole, num: '10000' })).toHaveLength(10_000);
});

test('stack traces are left out unless asked for', async () => {
  const form = { ...whole, logCode: '110036' };
  const withTraces = await exportLogs(deployment, form);
  expect(withTraces.every(({ stackTraces }) => stackTraces?.includes('\n\tat '))).toBe(true);
  const without = await exportLogs(deployment, { ...form, stackTraces: 'false' });
  expect(without).toEqual(withTraces.map(({ stackTraces, ...log }) => log));
  expect(await exportLogs(deployment, { ...form, stackTraces: '' })).toEqual(without);
});

largeTest('without a newest time the window ends now, so that nothing is lost or invented', async () => {
  await using young = await startDeployment({ logs, now: () => noon });
  const { startTime, ...form } = whole;
  const token = await signIn(young);
  await postJson(young, exportPath, { ...form, token });
  const expected = logs.filter(({ time = 0, logLevel }) => time <= noon && logLevel !== 'DEBUG');
  await using later = await startDeployment({
    logs,
    pace: { queued: 0, running: 0, perLog: 0 },
    now: () => noon,
  });
  const exported = (await exportLogs(later, form)).filter(
    ({ machine }) => machine !== 'reference-deployment',
  );
  expect(inOrder(exported)).toEqual(inOrder(expected));
});

test('the current level of the deployment is what an export without a level is limited to', async () => {
  await using quiet = await startDeployment({ logs, logLevel: 'WARNING' });
  const exported = await exportLogs(quiet, whole);
  expect(inOrder(exported)).toEqual(inOrder(logs.filter(({ logLevel }) => among(warning, logLevel))));
});

const parameters = (...details: string[]) => ({
  error: { code: 400, message: 'Invalid parameters.', details },
});
test.each(
  sampled(
    [
      [{ num: '0' }, parameters('"num" requires a whole number from 1 to 10000')],
      [{ num: '10001' }, parameters('"num" requires a whole number from 1 to 10000')],
      [{ num: 'all' }, parameters('"num" requires a whole number from 1 to 10000')],
      [{ stackTraces: 'yes' }, parameters('"stackTraces" requires true or false')],
      [
        { logLevel: 'WARN' },
        parameters('"logLevel" requires one of "SEVERE", "WARNING", "INFO", "FINE", "VERBOSE", "DEBUG"'),
      ],
      [
        { startTime: 'yesterday' },
        parameters('"startTime" requires milliseconds since the epoch or yyyy-mm-ddThh:mm:ss'),
      ],
      [{ logCode: '9003,nine' }, parameters('"logCode" requires whole numbers')],
      [
        { sortBy: 'name', sortOrder: 'up' },
        parameters(
          '"sortBy" requires one of "bestMatch", "time"',
          '"sortOrder" requires one of "desc", "asc"',
        ),
      ],
      [{ f: 'xml' }, parameters('"f" requires one of "html", "json", "pjson"')],
      [{ logCode: '1,'.repeat(1025) }, parameters('"logCode" requires at most 1024 values, not 1025')],
      [{ requestIDs: 'a,'.repeat(2000) }, parameters('"requestIDs" requires at most 1024 values, not 2000')],
    ],
    2,
  ),
)('%o is refused', async (form, body) => {
  expect(await postJson(deployment, exportPath, { token: await signIn(deployment), ...form })).toEqual(body);
});

test.each(
  sampled(
    [
      ['(logLevel:SEVERE', /^Character 1: .*not closed/],
      ['"timed out', /^Character 1: .*not closed/],
      ['logCode:[9000 to 9999]', /^Character 15: /],
      ['time* AND out', /^Character 1: "time\*" holds \? \* \^ or \+/],
      ['msg:t?me', /holds \? \* \^ or \+/],
      ['timeout^2', /holds \? \* \^ or \+/],
      ['+timeout', /holds \? \* \^ or \+/],
      ['a/b*c/d', /^Character 2: "\/b\*c\/" holds/],
      ['https://h/a/b?c=d', /^Character 13: "b\?c=d" holds/],
      ['/a(/', /^Character 4: A character is missing/],
      ['timeout~-1', /^Character 8: The similarity/],
      ['a+b', /holds \? \* \^ or \+/],
      ['*:*', /holds \? \* \^ or \+/],
      ['   ', /selects no logs/],
      ['word '.repeat(200), /at most 1024 clauses, not 1401/],
      ['source:x-'.padEnd(3000, 'y-'), /at most 1024 clauses, not 1497/],
      ['('.repeat(100_000), /not closed|nested/],
    ],
    2,
  ),
)('the search %j is refused', async (searchQuery, detail) => {
  const body = await postJson(deployment, exportPath, { token: await signIn(deployment), searchQuery });
  expect(body).toEqual({
    error: {
      code: 400,
      message: expect.stringMatching(/^Failed to parse query \[/),
      details: expect.arrayContaining([expect.stringMatching(detail)]),
    },
  });
});

test.each(
  sampled(['"time* out?"', 'msg:What\\?', 'C\\+\\+', 'elapsed:[5 TO *]', 'elapsed:[* TO 5]', '"a^b"'], 2),
)('the search %j holds no wildcard', async (searchQuery) => {
  const body = await postJson(deployment, exportPath, { token: await signIn(deployment), searchQuery });
  expect(body).toMatchObject({ status: 'SUBMITTED' });
});
