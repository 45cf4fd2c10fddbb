import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDeployment } from '../e2e/deployment.ts';
import { compileFaults, type Fault, faultsAt } from './fault.ts';
import { mapInPool } from './pool.ts';
import { logs, type Scenario } from './scenarios.ts';
import { namedTooEarly, rehearse, type Tried, tryFault } from './try-fault.ts';

/** A machine on which faults can be made. */
export interface Bench extends AsyncDisposable {
  /** Tries some of the faults of a scenario, two at a time. */
  readonly torture: (
    scenario: Scenario,
    choose: (faults: readonly Fault[]) => readonly Fault[],
  ) => Promise<Report>;
}

/** Report on the faults of a scenario. */
export interface Report {
  readonly calls: number;
  readonly tried: readonly Tried[];
  /** One text for each deviation from what is promised. */
  readonly found: readonly string[];
}

/** Prepares this machine, or returns the reason why no faults can be made on it. */
export async function openBench(): Promise<Bench | { readonly missing: string }> {
  const base = await mkdtemp(join(tmpdir(), 'logquarry-torture-'));
  const compiled = await compileFaults(base);
  if ('missing' in compiled) {
    await rm(base, { recursive: true });
    return compiled;
  }
  const pace = { queued: 0, running: 5, perLog: 0 };
  const deployment = await runDeployment({ logs, pace, jobLimit: 1_000_000 });
  return {
    async torture(scenario, choose) {
      const folder = await mkdtemp(join(base, 'scenario-'));
      const environment = scenario.isOnline ? deployment.environment : {};
      const rehearsed = await rehearse(scenario, { ...compiled, base: folder, environment });
      const faults = choose(rehearsed.calls.flatMap((call, index) => faultsAt(call, index + 1)));
      const tried = await mapInPool(faults, 2, (fault) => tryFault(rehearsed, fault));
      const early = namedTooEarly(rehearsed.calls).map((each) => `not on the disk yet: ${each}`);
      const broken = tried.flatMap(({ fault: { at, effect }, complaints }) => {
        const { name = '', path = '' } = rehearsed.calls[at - 1] ?? {};
        return complaints.map((each) => `${effect} at call ${at}, ${name} ${path}: ${each}`);
      });
      return { calls: rehearsed.calls.length, tried, found: [...early, ...broken] };
    },
    async [Symbol.asyncDispose]() {
      await deployment[Symbol.asyncDispose]();
      await rm(base, { recursive: true, force: true });
    },
  };
}
