import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Case } from '../../src/case/file/case.ts';
import type { ExportDoubt } from '../../src/export/decide/doubts.ts';
import { readCoverage } from '../../src/export/run/open-export.ts';
import { rounds } from '../effort.ts';
import { firstTime, servedLogs, startAwkward } from '../export/awkward-export.ts';
import {
  bytes,
  counted,
  dropping,
  ordered,
  perLevel,
  type Rule,
  rules,
  type ServedLog,
  type ServedOrder,
  scatter,
} from '../export/awkward-server.ts';
import { textOf, textsOf } from '../export/exporting-windows.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Now and then something, else nothing of it. */
function sometimes<T, U>(weight: number, none: U, some: fc.Arbitrary<T>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: some });
}

const share = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** What cuts the replies of a server. It never says so. */
const limits: fc.Arbitrary<Rule> = fc.oneof(
  fc.constant(counted()),
  fc.integer({ min: 12, max: 60 }).map(counted),
  fc.integer({ min: 2500, max: 12_000 }).map(bytes),
  fc.integer({ min: 5, max: 30 }).map(perLevel),
  // A limit that falls on the way.
  fc
    .tuple(
      fc.integer({ min: 30, max: 80 }),
      fc.integer({ min: 12, max: 29 }),
      fc.integer({ min: 2, max: 12 }),
    )
    .map(
      ([first, later, from]): Rule =>
        (logs, call) =>
          counted(call.number < from ? first : later)(logs, call),
    ),
);

/** A server, the logs that it holds, and an export of them. */
const servers = fc.record({
  count: fc.integer({ min: 0, max: 130 }),
  seed: fc.nat({ max: 10_000 }),
  order: fc.constantFrom<ServedOrder>('as asked', 'oldest first', 'changing', 'shuffled'),
  limit: limits,
  dropped: sometimes(3, 0, share(0.01, 0.3)),
  /** Number of logs that each reply has twice. */
  doubled: sometimes(4, 0, fc.integer({ min: 1, max: 20 })),
  /** By how much `Date` is ahead in milliseconds, and in which reply: 0 for all. */
  ahead: sometimes(2, 0, fc.integer({ min: -day, max: day })),
  aheadIn: fc.constantFrom(0, 1, 2, 5),
  /** The share of the newest logs that arrive late, and by how much. */
  late: sometimes(2, 0, share(0.05, 0.6)),
  lateness: fc.integer({ min: 1000, max: 20 * minute }),
  /** When the server begins to delete its oldest logs, and the time from one to the next. */
  deletion: sometimes(
    3,
    undefined,
    fc.record({ begin: fc.integer({ min: 0, max: 400 }), every: fc.integer({ min: 1, max: 30 }) }),
  ),
  /** The time from the newest log to the export. */
  after: fc.constantFrom(1, 1000, 10 * minute, day),
  pace: fc.constantFrom(1, 7, 900),
  jobs: fc.integer({ min: 1, max: 4 }),
  isOpenEnded: fc.boolean(),
  twice: sometimes(4, false, fc.constant(true)),
});
type Server = typeof servers extends fc.Arbitrary<infer T> ? T : never;

function logsOf({ count, seed, after, late, lateness, deletion }: Server) {
  const plain = servedLogs(count, seed);
  const now = (plain.at(-1)?.time ?? firstTime) + after;
  const logs = plain.map((log, index): ServedLog => {
    const isLate = now - 30 * minute < log.time && scatter(log.time, index) < late;
    return {
      ...log,
      ...(isLate && { arrives: log.time + lateness }),
      ...(deletion && { leaves: now + deletion.begin + index * deletion.every }),
    };
  });
  return { logs, now };
}

type LossKind = 'at random' | 'at ends';

/** How a server loses logs that an export can have missed. */
function kindOfLoss({ dropped }: Server): LossKind {
  return 0 < dropped ? 'at random' : 'at ends';
}

/** The losses that the verdict of an export names as possible. */
function namedKinds(doubts: readonly ExportDoubt[]): readonly LossKind[] {
  return doubts.flatMap(({ code }): LossKind[] => {
    if (code === 'AT_RANDOM') return ['at random'];
    // Any loss at an end of a window, if that was not among those requested again or only sizes count.
    return code === 'SAMPLED' || code === 'UNSORTED' || code === 'NOT_SAMPLED' ? ['at ends'] : [];
  });
}

async function savedDoubts(from: Case): Promise<readonly object[]> {
  const [coverage] = await readCoverage(from);
  return (coverage?.doubts ?? []).map(({ export: _, ...doubt }) => doubt);
}

test('an export of an awkward server has every log that was there, or says that it may lack some', async () => {
  await fc.assert(
    fc.asyncProperty(servers, async (server) => {
      const { order, limit, dropped, doubled, ahead, aheadIn, pace, jobs, isOpenEnded, twice } = server;
      const { logs, now } = logsOf(server);
      const shown = new Set<ServedLog>();
      const cut = rules(ordered(order), limit, counted(), dropping(dropped));
      const rule: Rule = (matching, call) => {
        const reply = cut(matching, call);
        for (const log of reply) shown.add(log);
        return [...reply, ...reply.slice(0, doubled)];
      };
      const date = (time: number, request: number) =>
        time + (aheadIn === 0 || request === aheadIn ? ahead : 0);
      await using setting = await startAwkward({ logs, rule, now, date, pace });
      const { clock } = setting.server;
      const newest = now + (isOpenEnded ? day : -minute);
      const result = await setting.run({ newest }, { jobs, twice });
      const stored = new Set(await textsOf(setting.options.into));
      const ended = clock.now();
      const textOfServed = ({ arrives: _, leaves: _gone, ...log }: ServedLog) => textOf(log);
      // What the server deleted before it had shown it can be known to nobody.
      const due = logs.filter((log) => {
        const { time, arrives = time, leaves = Number.POSITIVE_INFINITY } = log;
        const isThere = arrives <= now && now < leaves && time <= result.newest;
        return isThere && (ended < leaves || shown.has(log));
      });
      const lost = due.filter((log) => !stored.has(textOfServed(log)));
      if (!result.complete) expect(result.gaps.length).toBeGreaterThan(0);
      else if (0 < lost.length) expect(namedKinds(result.doubts)).toContain(kindOfLoss(server));
      expect(await savedDoubts(setting.options.into)).toEqual(result.doubts);
      // It claims no time that is not over, and no log that the server does not have.
      if (isOpenEnded && result.complete) expect(result.newest).toBeLessThanOrEqual(now);
      const served = new Set(logs.map(textOfServed));
      expect([...stored].filter((text) => !served.has(text))).toEqual([]);
    }),
    { numRuns: rounds(60) },
  );
});

test('the loss that the verdict says would show goes unseen as rarely as it says', async () => {
  const count = rounds(40, 2);
  let [claimed, unseen] = [0, 0];
  for (let seed = 1; seed <= count; seed += 1) {
    const logs = servedLogs(120, seed);
    const now = (logs.at(-1)?.time ?? firstTime) + day;
    // From one log in 25 to one in 8, as an export of so many logs can show it.
    const dropped = 0.04 + 0.085 * scatter(seed, 1);
    const shift = Math.floor(scatter(seed, 2) * 1e6);
    const leaveOut = dropping(dropped);
    const rule = rules(ordered('as asked'), counted(), (matching, call) =>
      leaveOut(matching, { ...call, number: call.number + shift }),
    );
    await using setting = await startAwkward({ logs, rule, now });
    const { complete, lost, doubts } = await setting.run({}, { twice: seed % 2 === 0 });
    const [{ message = '' } = {}] = doubts.filter(({ code }) => code === 'AT_RANDOM');
    const [, oneIn = '0'] = /one log in (\d+) or more/.exec(message) ?? [];
    const isClaimed = 1 / Number(oneIn) <= dropped || message.startsWith('All');
    if (!isClaimed) continue;
    claimed += 1;
    if (complete && 0 < lost) unseen += 1;
  }
  // Three deviations above one in twenty.
  expect(unseen).toBeLessThanOrEqual(0.05 * count + 3 * Math.sqrt(0.05 * 0.95 * count));
  if (count === 40) expect(claimed).toBeGreaterThan(10);
});
