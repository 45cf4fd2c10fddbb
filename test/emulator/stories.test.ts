import { describe, expect, test } from 'vitest';
import { fewestIncidentLogs, incidentEnd } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { storyLogs, storyNames, storyTruth } from './story-logs.ts';

const hour = 3_600_000;
const begin = incidentEnd - 36 * hour;
const isSevere = ({ logLevel }: Log) => logLevel === 'SEVERE';

describe.each(storyNames)('the story "%s"', (name) => {
  const logs = [...storyLogs(name)];
  const truth = storyTruth(name);

  test('is exactly as long as asked for, in order, the same for the same seed', () => {
    for (const count of [fewestIncidentLogs, 3000]) {
      const some = [...storyLogs(name, { count, seed: 3 })];
      expect(some).toHaveLength(count);
      expect(some).toEqual([...storyLogs(name, { count, seed: 3 })]);
      const times = some.map(({ time }) => time ?? Number.NaN);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThanOrEqual(begin);
      expect(times.at(-1)).toBeLessThanOrEqual(incidentEnd);
    }
  });

  test('has each code from its time on, and hardly later', () => {
    for (const { logCode, since } of truth.codes) {
      const times = logs
        .filter((log) => log.logCode === logCode && hasStoryOrigin(log))
        .map(({ time = 0 }) => time);
      expect(Math.min(...times), String(logCode)).toBeGreaterThanOrEqual(since);
      expect(Math.min(...times), String(logCode)).toBeLessThan(since + hour);
    }
  });

  test('hits the named users and services, and no others', () => {
    const severe = new Set(truth.codes.map(({ logCode }) => logCode));
    const hit = logs.filter((log) => isSevere(log) && severe.has(Number(log.logCode)));
    const named = (field: 'source' | 'username') =>
      new Set(hit.map((log) => log[field]).filter((value) => value !== undefined));
    expect(named('username')).toEqual(new Set(truth.users));
    for (const service of truth.services) expect(named('source')).toContain(service);
  });

  test('has the events before it at their times', () => {
    for (const event of truth.before) {
      expect(logs).toContainEqual(expect.objectContaining(event));
      expect(event.time).toBeLessThanOrEqual(truth.began);
    }
  });

  test('moves as a whole with its end', () => {
    const moved = [...storyLogs(name, { count: 1000, until: incidentEnd + 777 })];
    expect(moved.map(({ time = 0 }) => time - 777)).toEqual(
      [...storyLogs(name, { count: 1000 })].map(({ time }) => time),
    );
    expect(storyTruth(name, incidentEnd + 777).began).toBe(truth.began + 777);
  });

  test('takes longer where it says so', () => {
    if (!truth.slower) return;
    const { source, since } = truth.slower;
    const requests = logs.filter((log) => log.source === source && log.logCode === 100004);
    const mean = (chosen: readonly Log[]) =>
      chosen.reduce((sum, { elapsed = 0 }) => sum + elapsed, 0) / chosen.length;
    const [before, after] = [true, false].map((early) =>
      mean(requests.filter(({ time = 0 }) => time < since === early)),
    );
    expect(after).toBeGreaterThan(2 * (before ?? Number.POSITIVE_INFINITY));
  });
});

/** The incident has crashes of another service on its first day. */
function hasStoryOrigin({ msg }: Log): boolean {
  return msg !== "Process of 'Analysis/Drainage.GPServer' crashed and was started again.";
}

test('ordinary days have no failures but those of bad data', () => {
  const severe = [...storyLogs('quiet')].filter(isSevere);
  expect(new Set(severe.map(({ logCode }) => logCode))).toEqual(new Set([20010]));
});

test('a number of logs that is no whole number is refused', () => {
  expect(() => [...storyLogs('leak', { count: 10.5 })]).toThrow(
    'requires a whole number of logs from 200, not 10.5',
  );
});
