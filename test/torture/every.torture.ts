import { afterAll, expect, test } from 'vitest';
import { scenarios } from './scenarios.ts';
import { openBench } from './torture.ts';
import type { Tried } from './try-fault.ts';

/*
 * A fault at every call that changes a file, in all scenarios: npm run torture.
 * `TORTURE=parquet` does those whose name has this word, `TORTURE_STRIDE=5` every
 * fifth fault, `TORTURE_FIRST=2` from the third one on.
 */

const bench = await openBench();
if ('missing' in bench) throw new Error(`No fault can be made here: ${bench.missing}`);
const stride = Number(process.env.TORTURE_STRIDE ?? 1);
const first = Number(process.env.TORTURE_FIRST ?? 0);
const rows = [['scenario', 'calls', 'kills', 'failures', 'not reached', 'lost'].join(' | ')];

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  for (const row of rows) console.log(`| ${row} |`);
});

test.each(
  scenarios
    .filter(({ name }) => name.includes(process.env.TORTURE ?? ''))
    .map((each) => [each.name, each] as const),
)(
  '%s',
  async (name, scenario) => {
    const { calls, tried, found } = await bench.torture(scenario, (faults) =>
      faults.filter((_, index) => first <= index && (index - first) % stride === 0),
    );
    const kills = tried.filter(isKill).length;
    const missed = tried.filter(({ isMissed }) => isMissed).length;
    const lost = tried.filter(({ complaints }) => 0 < complaints.length).length;
    rows.push([name, calls, kills, tried.length - kills, missed, lost].join(' | '));
    expect(found).toEqual([]);
  },
  7_200_000,
);

function isKill({ fault: { effect } }: Tried): boolean {
  return effect === 'kill' || effect === 'torn';
}
