import { describe, expect, test } from 'vitest';
import { type Investigation, investigate, onsetOf } from '../../src/analysis/investigate.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { withCases } from './with-cases.ts';

const minute = 60_000;
const begin = Date.UTC(2025, 2, 11);
/** The failures begin here, within an interval of ten minutes. */
const failure = begin + 29 * 60 * minute + 7 * minute;

const investigated = (logs: readonly Log[]): Promise<Investigation> =>
  withCases([logs], (cases) => investigate(cases, { filter: matchAllFilter, requested: [] }));

/** A request of each minute for 36 hours. */
const traffic: readonly Log[] = Array.from({ length: 36 * 60 }, (_, at) => ({
  time: begin + at * minute,
  logLevel: 'FINE',
  logCode: 9000,
  source: 'Maps.MapServer',
  msg: 'Request was handled.',
}));

function repeated(log: Log, from: number, until: number, every: number): readonly Log[] {
  return Array.from({ length: Math.floor((until - from) / every) }, (_, at) => ({
    ...log,
    time: from + at * every,
  }));
}

const severe: Log = {
  logLevel: 'SEVERE',
  logCode: 8252,
  source: 'Maps.MapServer',
  msg: 'The service does not answer.',
};
const failures = repeated(severe, failure, failure + 4 * 60 * minute, minute);

const reload: Log = {
  time: failure - 12 * minute - 5000,
  logLevel: 'VERBOSE',
  logCode: 991234,
  source: 'Adaptor',
  msg: 'Configuration of the adaptor was read again: poolSize is 2 now',
};
const odd: Log = {
  time: failure - 2 * minute,
  logLevel: 'DEBUG',
  source: 'Adaptor',
  msg: 'Peer hung up while draining',
};
const words = [
  'ape',
  'bee',
  'cat',
  'dog',
  'elk',
  'fox',
  'gnu',
  'hen',
  'ibis',
  'jay',
  'kite',
  'lynx',
  'mole',
  'newt',
];

describe('rare logs before the main change', () => {
  test('are found whatever their code and level, those of settings first', async () => {
    const { main, rare } = await investigated([...traffic, ...failures, reload, odd]);
    expect(main?.subject).toMatchObject({ type: 'code', code: '8252' });
    expect(rare?.kinds).toMatchObject([
      {
        isConfiguration: true,
        level: 'VERBOSE',
        source: 'Adaptor',
        first: reload.time,
        count: 1,
        logs: { count: 1 },
      },
      { isConfiguration: false, level: 'DEBUG', first: odd.time, count: 1 },
    ]);
    expect(rare?.kinds[0]?.template).toMatch(/^Configuration of the adaptor was read again/);
    expect(rare).toMatchObject({ inHour: 2, usual: 0 });
  });

  test('are left out where each hour has some of them, but for those of settings', async () => {
    const usual = Array.from({ length: 36 * 6 }, (_, at): Log => {
      // Messages of as many words are of one pattern sooner than others.
      const text = Array.from(
        { length: 3 + Math.floor(at / 14) },
        (_each, index) => words[(at + index * (1 + (at % 13))) % 14],
      );
      return { time: begin + at * 10 * minute + 17, logLevel: 'DEBUG', msg: text.join(' ') };
    });
    const { rare } = await investigated([...traffic, ...failures, ...usual, reload, odd]);
    expect(rare?.usual).toBeGreaterThan(1);
    expect(rare?.kinds.map(({ level }) => level)).toEqual(['VERBOSE']);
  });

  test('are no finding without a change, and none after it', async () => {
    expect((await investigated([...traffic, reload, odd])).rare).toBeUndefined();
    const later = { ...reload, time: failure + minute };
    expect((await investigated([...traffic, ...failures, later])).rare?.kinds).toEqual([]);
  });
});

describe('a lead of less than two intervals', () => {
  const warning: Log = {
    logLevel: 'WARNING',
    logCode: 7615,
    source: 'Maps.MapServer',
    msg: 'No instance is free.',
  };

  test.each([1, 3, 8])('of %i min is found by the first log of a new kind', async (lead) => {
    const warnings = repeated(warning, failure - lead * minute, failure + 4 * 60 * minute, 2 * minute);
    const { main, firstSign, every } = await investigated([...traffic, ...failures, ...warnings]);
    expect(every).toBe(10 * minute);
    expect(main?.subject).toMatchObject({ code: '8252' });
    expect(firstSign?.subject).toMatchObject({ type: 'code', code: '7615' });
    expect(main && firstSign && onsetOf(main) - onsetOf(firstSign)).toBe(lead * minute);
  });

  test('of a known kind that becomes more is found to a twentieth of an interval', async () => {
    const before = repeated(warning, begin, failure, 45 * minute);
    const more = repeated(warning, failure - 6 * minute, failure + 4 * 60 * minute, 20_000);
    const { main, firstSign } = await investigated([...traffic, ...failures, ...before, ...more]);
    expect(firstSign).toMatchObject({ kind: 'more', subject: { type: 'code', code: '7615' } });
    const lead = main && firstSign && onsetOf(main) - onsetOf(firstSign);
    expect(Math.abs((lead ?? 0) - 6 * minute)).toBeLessThanOrEqual(minute);
  });

  test('is none where the warnings come later', async () => {
    const warnings = repeated(warning, failure + 2 * minute, failure + 4 * 60 * minute, 2 * minute);
    expect((await investigated([...traffic, ...failures, ...warnings])).firstSign).toBeUndefined();
  });
});
