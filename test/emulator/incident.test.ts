import { expect, test } from 'vitest';
import { fewestIncidentLogs, incidentEnd, incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { sampled } from '../effort.ts';

const logs = [...incidentLogs()];
const hour = 3_600_000;
const begin = incidentEnd - 36 * hour;
const at = (log: Log | undefined) =>
  log?.time === undefined ? '' : new Date(log.time).toISOString().slice(5, 16);

test('the same options give the same logs, another seed gives others', () => {
  expect([...incidentLogs({ count: 2000 })]).toEqual([...incidentLogs({ count: 2000 })]);
  expect([...incidentLogs({ count: 2000, seed: 2 })]).not.toEqual([...incidentLogs({ count: 2000 })]);
});

test.each(sampled([fewestIncidentLogs, 1000, 20_000, 50_000], 1))(
  'there are exactly %i logs, in order, within 36 hours',
  (count) => {
    for (const seed of [1, 7]) {
      const times = [...incidentLogs({ count, seed })].map(({ time }) => time ?? Number.NaN);
      expect(times).toHaveLength(count);
      expect(times.every(Number.isInteger)).toBe(true);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThanOrEqual(begin);
      expect(times.at(-1)).toBeLessThanOrEqual(incidentEnd);
    }
  },
);

test('another end moves every log by the same time', () => {
  const moved = [...incidentLogs({ until: incidentEnd + 12_345 })];
  expect(moved).toEqual(logs.map((log) => ({ ...log, time: (log.time ?? 0) + 12_345 })));
});

test.each([0, 199, 1000.5, Number.NaN])('a count of %d is refused', (count) => {
  expect(() => [...incidentLogs({ count })]).toThrow(
    `The incident requires a whole number of logs from 200, not ${count}`,
  );
});

test('the first sign is the rotated secret; the refusals, the waits and the failures come after it, in this order', () => {
  const first = (test: (log: Log) => boolean) => at(logs.find(test));
  expect(first(({ msg }) => msg === "Updated Kubernetes Secret 'relational-store-credentials'.")).toBe(
    '03-12T02:15',
  );
  expect(first(({ logCode }) => logCode === 110031)).toBe('03-12T02:41');
  expect(first(({ logCode, elapsed = 0 }) => logCode === 7615 && 5 < elapsed)).toMatch(/^03-12T08/);
  expect(first(({ logCode }) => logCode === 9003)).toMatch(/^03-12T08/);
  expect(first(({ msg }) => msg?.startsWith('Restart of') ?? false)).toBe('03-12T10:03');
  const last = logs.findLast(({ logCode }) => logCode === 9003);
  expect(at(last)).toMatch(/^03-12T10:0/);
});

test('the failures hit hundreds of requests of users with and without a name, who try again', () => {
  const failed = logs.filter(({ logCode }) => logCode === 9003);
  const failedFor = (user: string) => failed.filter(({ username }) => username === user);
  expect(failed.length).toBeGreaterThan(200);
  expect(new Set(failed.map(({ requestID }) => requestID)).size).toBe(failed.length);
  expect(failedFor('Anonymous user').length).toBeGreaterThan(20);
  expect(failedFor('maria.lopez').length).toBeGreaterThan(20);
  const retried = failed.filter(({ username, time = 0, source }) =>
    failed.some(
      (other) =>
        other.username === username &&
        other.source === source &&
        0 < (other.time ?? 0) - time &&
        (other.time ?? 0) - time < 75_000,
    ),
  );
  expect(retried.length).toBeGreaterThan(50);
});

test('one request identifier joins what happened to a request in front of a service and in it', () => {
  const failed = logs.find(({ logCode }) => logCode === 9003);
  const joined = logs.filter(({ requestID }) => requestID === failed?.requestID);
  expect(joined.map(({ logCode }) => logCode)).toEqual([9029, 7615, 110036, 9003]);
  expect(joined.map(({ source }) => source).filter((source) => source === 'Rest Catalog')).toHaveLength(2);
  expect(joined[2]?.stackTraces).toMatch(
    /^java\.sql\.SQLTransientConnectionException.*\n\tat .*Caused by: org\.postgresql/s,
  );
});

test('a day has its rhythm', () => {
  const during = (from: number) =>
    logs.filter(({ time = 0 }) => begin + from * hour <= time && time < begin + (from + 1) * hour).length;
  expect(during(10)).toBeGreaterThan(5 * during(3));
});

test('the messages have the forms that the deployments write', () => {
  const messages = (code: number) => logs.filter(({ logCode }) => logCode === code).map(({ msg }) => msg);
  expect(messages(7615)[0]).toMatch(/^Wait time for '[^']+' service request is \d+ milliseconds\.$/);
  expect(messages(7718)[0]).toMatch(/Elapsed time '\d+' ms/);
  expect(messages(1312)).toHaveLength(3);
  for (const code of [100004, 9999, 9000, 9001, 9002, 9502, 9526, 8002, 7569, 20010, 217041]) {
    expect(messages(code).length, String(code)).toBeGreaterThan(0);
  }
});

test('a time that was not measured is absent, not zero', () => {
  expect(logs.filter(({ elapsed }) => elapsed === 0)).toEqual([]);
  expect(logs.filter(({ elapsed }) => elapsed === undefined).length).toBeGreaterThan(5000);
  expect(logs.every((log) => Object.values(log).every((value) => value !== '' && value !== undefined))).toBe(
    true,
  );
});
