import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, runDeployment } from '../e2e/deployment.ts';
import { compileFaults, faultsAt } from './fault.ts';
import { mapInPool } from './pool.ts';
import { logs, type Scenario, scenarios } from './scenarios.ts';
import { rehearse, type Tried, tryFault } from './try-fault.ts';

/*
 * A fault at every call that changes a file, in all scenarios: npm run torture.
 * `TORTURE=parquet` does those whose name has this word.
 */

let base: string;
let deployment: Running;
const rows: string[][] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'logquarry-torture-'));
  deployment = await runDeployment({ logs, pace: { queued: 0, running: 5, perLog: 0 }, jobLimit: 1_000_000 });
});

afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
  for (const row of [['scenario', 'calls', 'kills', 'failures', 'missed', 'lost'], ...rows])
    console.log(`| ${row.join(' | ')} |`);
});

const chosen = scenarios.filter(({ name }) => name.includes(process.env.TORTURE ?? ''));

test.each(chosen.map((scenario, index) => [scenario.name, scenario, index] as const))(
  '%s',
  async (_, scenario, index) => {
    const compiled = await compileFaults(base);
    if ('missing' in compiled) throw new Error(`No fault can be made: ${compiled.missing}`);
    const rehearsed = await rehearse(scenario, {
      ...compiled,
      base: join(base, String(index)),
      environment: scenario.isOnline ? deployment.environment : {},
    });
    const faults = rehearsed.calls.flatMap((call, number) => faultsAt(call, number + 1));
    const tried = await mapInPool(faults, 2, (fault) => tryFault(rehearsed, fault));
    rows.push(rowOf(scenario, rehearsed.calls.length, tried));
    const found = tried.flatMap(({ fault: { at, effect }, complaints }) =>
      complaints.map(
        (each) =>
          `${effect} at ${at} (${rehearsed.calls[at - 1]?.name} ${rehearsed.calls[at - 1]?.path}): ${each}`,
      ),
    );
    expect(found).toEqual([]);
  },
  7_200_000,
);

function rowOf({ name }: Scenario, calls: number, tried: readonly Tried[]): string[] {
  const isKill = ({ fault: { effect } }: Tried) => effect === 'kill' || effect === 'torn';
  const kills = tried.filter(isKill).length;
  const missed = tried.filter(({ isMissed }) => isMissed).length;
  const lost = tried.filter(({ complaints }) => 0 < complaints.length).length;
  return [name, ...[calls, kills, tried.length - kills, missed, lost].map(String)];
}
