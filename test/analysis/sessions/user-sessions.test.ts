import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSessions } from '../../../src/analysis/find-sessions.ts';
import { matchAllFilter } from '../../../src/language/meaning/filter.ts';
import type { Log } from '../../../src/records/log.ts';
import { rounds } from '../../effort.ts';
import { withCases } from '../with-cases.ts';

const filter = matchAllFilter;
const minute = 60_000;

test('activity is split at pauses, over all cases', async () => {
  const at = (minutes: number, username = 'ann', more: Log = {}): Log => ({
    time: minutes * minute,
    username,
    source: 'Map',
    ...more,
  });
  const logs = [
    [
      at(0, 'ann', { requestID: 'a' }),
      at(30, 'ann', { logLevel: 'SEVERE' }),
      at(61),
      { time: 3, msg: 'nobody' },
    ],
    [
      at(10, 'ann', { requestID: 'a', source: 'Rest' }),
      at(5, 'bob\u202e'),
      { username: 'ann', msg: 'no time' },
    ],
  ];
  await withCases(logs, async (cases) => {
    expect(await findSessions(cases, { filter })).toEqual({
      users: 2,
      withoutUser: 1,
      timeless: 1,
      sessions: [
        {
          user: 'ann',
          first: 0,
          last: 30 * minute,
          logs: 3,
          requests: 1,
          errors: 1,
          services: [
            { value: 'Map', count: 2 },
            { value: 'Rest', count: 1 },
          ],
          longestGap: 20 * minute,
        },
        expect.objectContaining({ user: 'bob\u202e', first: 5 * minute, last: 5 * minute, logs: 1 }),
        expect.objectContaining({ user: 'ann', first: 61 * minute, logs: 1, requests: 0, longestGap: 0 }),
      ],
    });
    const { sessions } = await findSessions(cases, { filter, idle: 31 * minute });
    expect(sessions.map(({ user, logs }) => [user, logs])).toEqual([
      ['ann', 4],
      ['bob\u202e', 1],
    ]);
  });
});

const log: fc.Arbitrary<Log> = fc
  .record({
    time: fc.option(fc.integer({ min: -30, max: 30 }), { nil: undefined }),
    username: fc.constantFrom(undefined, 'a', 'b', 'Anonymous user'),
    requestID: fc.constantFrom(undefined, 'r1', 'r2'),
    logLevel: fc.constantFrom('SEVERE', 'severe', 'INFO', undefined),
    source: fc.constantFrom(undefined, 'A', 'B'),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));

test('sessions of any logs have all logs of users, no pause within and longer ones between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(log, { maxLength: 15 }), { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 0, max: 10 }),
      (logs, idle) =>
        withCases(logs, async (cases) => {
          const found = await findSessions(cases, { filter, idle });
          const all = logs.flat();
          const inSessions = all.filter(({ username, time }) => username !== undefined && time !== undefined);
          expect(found.sessions.reduce((sum, each) => sum + each.logs, 0)).toBe(inSessions.length);
          expect(found.withoutUser).toBe(all.filter(({ username }) => username === undefined).length);
          expect(found.withoutUser + found.timeless + inSessions.length).toBe(all.length);
          for (const [index, session] of found.sessions.entries()) {
            const { user, first, last } = session;
            const own = inSessions
              .filter(({ username, time = 0 }) => username === user && first <= time && time <= last)
              .sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
            const gaps = own.slice(1).map(({ time = 0 }, before) => time - (own[before]?.time ?? 0));
            expect(session.longestGap).toBe(Math.max(0, ...gaps));
            expect(session.longestGap).toBeLessThanOrEqual(idle);
            expect([session.logs, session.requests, session.errors]).toEqual([
              own.length,
              new Set(own.flatMap(({ requestID = [] }) => requestID)).size,
              own.filter(({ logLevel = '' }) => logLevel.toUpperCase() === 'SEVERE').length,
            ]);
            expect(session.services.reduce((sum, { count }) => sum + count, 0)).toBe(
              own.filter(({ source }) => source !== undefined).length,
            );
            const next = found.sessions.slice(index + 1).find((each) => each.user === user);
            if (next) expect(next.first - last).toBeGreaterThan(idle);
          }
        }),
    ),
    { numRuns: rounds(60, 6) },
  );
});
