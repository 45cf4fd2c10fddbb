import { afterAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../src/emulator/incident/random.ts';
import { rounds } from '../effort.ts';
import { runSeed } from '../run-seed.ts';
import type { Fault } from './fault.ts';
import { scenarios } from './scenarios.ts';
import { openBench } from './torture.ts';

/*
 * A sample of what `npm run torture` does: it reaches kills, torn and short
 * writes, a full disk and a broken one, at any of the calls of a command.
 */

const bench = await openBench();
const random = createRandom(runSeed);
const triesEach = rounds(12, 2);

/** Some of the scenarios, which begin anywhere. */
function sampleScenarios(count: number) {
  const first = random.integer(0, scenarios.length - 1);
  return [...scenarios, ...scenarios].slice(first, first + count);
}

/** Faults at equal distances, the first anywhere. */
function sampleFaults(faults: readonly Fault[]): readonly Fault[] {
  const stride = Math.max(1, Math.floor(faults.length / triesEach));
  const first = random.integer(0, stride - 1);
  return faults.filter((_, index) => index % stride === first).slice(0, triesEach);
}

if ('missing' in bench) {
  test(`a fault at a write is left out: ${bench.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => bench[Symbol.asyncDispose]());

  describe('after a fault at a write the same command goes on', () => {
    test.each(sampleScenarios(rounds(scenarios.length, 3)).map((each) => [each.name, each] as const))(
      '%s',
      async (_, scenario) => {
        const { tried, found } = await bench.torture(scenario, sampleFaults);
        expect(tried.length).toBeGreaterThan(0);
        expect(found).toEqual([]);
      },
    );
  });
}
