import * as v from 'valibot';
import { parseZone } from '../records/index.ts';
import { timeForms, zipOddities } from './archive.ts';
import { type BurstOptions, burstLogs } from './bursts.ts';
import type { DeploymentOptions } from './deployment.ts';
import { type Fault, operationNames } from './operation.ts';
import { exportOrders } from './site.ts';
import { deploymentVersions } from './upgrade.ts';

const whole = (min: number) => v.pipe(v.number(), v.integer(), v.minValue(min));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const maybe = v.exactOptional;
const isoTime = v.pipe(v.string(), v.isoTimestamp(), v.transform(Date.parse));
const nowOrIsoTime = v.union([
  v.pipe(
    v.literal('now'),
    v.transform(() => Date.now()),
  ),
  isoTime,
]);

const when = {
  on: v.picklist(operationNames),
  skip: maybe(whole(0)),
  times: maybe(whole(1)),
  every: maybe(whole(1)),
};

const failure = v.strictObject({
  code: maybe(v.number()),
  message: v.string(),
  details: v.array(v.string()),
});

const shapes = ['error', 'status error', 'status failed', 'success false'] as const;

const fault = v.variant('effect', [
  v.strictObject({ ...when, effect: v.literal('delay'), milliseconds: whole(0) }),
  v.strictObject({ ...when, effect: v.literal('status'), status: whole(100), retryAfter: maybe(whole(0)) }),
  v.strictObject({ ...when, effect: v.literal('reset') }),
  v.strictObject({ ...when, effect: v.literal('loseAnswer') }),
  v.strictObject({ ...when, effect: v.literal('page') }),
  v.strictObject({ ...when, effect: v.literal('refuse'), failure, shape: maybe(v.picklist(shapes)) }),
  v.strictObject({ ...when, effect: v.literal('expireTokens') }),
  v.strictObject({ ...when, effect: v.literal('endJob'), state: v.string(), messages: v.array(v.string()) }),
  v.strictObject({ ...when, effect: v.literal('submitTwice') }),
  v.strictObject({ ...when, effect: v.literal('delayJob'), milliseconds: whole(0) }),
  v.strictObject({ ...when, effect: v.literal('noEntries') }),
  v.strictObject({ ...when, effect: v.literal('loseLogs'), share }),
  v.strictObject({ ...when, effect: v.literal('lowerCap'), cap: whole(1) }),
  v.strictObject({ ...when, effect: v.literal('hideLogs'), from: maybe(isoTime), until: maybe(isoTime) }),
  v.strictObject({ ...when, effect: v.literal('dropLogs'), share }),
  v.strictObject({ ...when, effect: v.literal('climbingPath') }),
  v.strictObject({ ...when, effect: v.literal('oddZip'), kinds: v.array(v.picklist(zipOddities)) }),
  v.strictObject({ ...when, effect: v.literal('failUpgrade'), after: share }),
  v.strictObject({ ...when, effect: v.literal('truncate'), keep: share }),
  v.strictObject({ ...when, effect: v.literal('corrupt') }),
  v.strictObject({ ...when, effect: v.literal('breakOff'), keep: share }),
  v.strictObject({ ...when, effect: v.literal('slow'), pieces: whole(1), milliseconds: whole(0) }),
]);

const logs = v.strictObject({
  count: whole(1),
  seed: maybe(whole(0)),
  until: maybe(nowOrIsoTime),
  pause: maybe(v.pipe(v.number(), v.minValue(0))),
  spread: maybe(v.pipe(v.number(), v.minValue(0))),
  every: maybe(whole(1)),
  equal: maybe(share),
  disorder: maybe(whole(0)),
  crowds: maybe(v.array(v.strictObject({ count: whole(1), place: share, alike: maybe(v.boolean()) }))),
});

// Without this check a list is accepted for an object without keys.
const isObject = v.custom<object>(
  (value) => typeof value === 'object' && !Array.isArray(value),
  'An object is expected',
);

const settings = v.strictObject({
  /** For people. */
  about: maybe(v.string()),
  /** Options of `burstLogs`. */
  logs: maybe(logs),
  exports: maybe(
    v.strictObject({
      cap: maybe(v.pipe(whole(1), v.maxValue(10_000))),
      bounds: maybe(v.picklist(['included', 'excluded'])),
      order: maybe(v.picklist(exportOrders)),
      silentCap: maybe(whole(1)),
      byteCap: maybe(whole(1)),
      levelCap: maybe(whole(1)),
      late: maybe(v.strictObject({ share, milliseconds: whole(0) })),
      jobBase: maybe(v.pipe(v.string(), v.url())),
      missing: maybe(v.picklist(['refused', 'default'])),
      windowWithSearch: maybe(v.boolean()),
      sortOrderInSearchOnly: maybe(v.boolean()),
      counts: maybe(v.boolean()),
      commaTimes: maybe(v.boolean()),
      userLists: maybe(v.boolean()),
    }),
  ),
  archive: maybe(
    v.strictObject({
      format: maybe(v.picklist(['ndjson', 'json', 'csv'])),
      entries: maybe(whole(1)),
      folder: maybe(v.string()),
      emptyWithoutEntry: maybe(v.boolean()),
      times: maybe(v.picklist(timeForms)),
      zone: maybe(
        v.pipe(
          v.string(),
          v.check((name) => parseZone(name) !== undefined, 'no time zone'),
        ),
      ),
    }),
  ),
  pace: maybe(
    v.strictObject({ queued: whole(0), running: whole(0), perLog: v.pipe(v.number(), v.minValue(0)) }),
  ),
  upgradePace: maybe(v.strictObject({ release: whole(0), patch: whole(0) })),
  version: maybe(v.picklist(deploymentVersions)),
  requiresTokens: maybe(v.boolean()),
  logLevel: maybe(v.string()),
  tokenMinutes: maybe(v.pipe(v.number(), v.gtValue(0))),
  jobLimit: maybe(whole(1)),
  jobMinutes: maybe(v.pipe(v.number(), v.gtValue(0))),
  jobsAtOnce: maybe(whole(1)),
  jobsWaiting: maybe(whole(0)),
  profile: maybe(v.picklist(['default', 'arcgis'])),
  /** Milliseconds by which its clock is ahead of this machine's; negative if it is behind. */
  clockAhead: maybe(v.pipe(v.number(), v.integer())),
  /** Milliseconds by which the header `Date` is ahead of its clock; negative if it is behind. */
  dateAhead: maybe(v.pipe(v.number(), v.integer())),
  faults: maybe(v.array(fault)),
});

const scenario = v.pipe(isObject, settings);

/** The behaviour of a reference deployment: its logs, its choices within the interface, and its faults. */
export type Scenario = v.InferOutput<typeof scenario>;

/**
 * Reads a scenario from JSON text, or returns the problem with it.
 *
 * ```ts
 * const read = readScenario('{"exports":{"cap":100}}');
 * if ('problem' in read) throw new Error(read.problem);
 * const deployment = await createDeployment(scenarioOptions(read.scenario));
 * ```
 */
export function readScenario(text: string): { readonly scenario: Scenario } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const result = v.safeParse(scenario, value);
  if (result.success) return { scenario: result.output };
  const [issue] = result.issues;
  const what = issue.expected === 'never' ? 'no such key' : issue.message;
  return { problem: `${v.getDotPath(issue) ?? 'the whole'}: ${what}` };
}

/**
 * The options of a deployment with this scenario. Each call makes new logs.
 *
 * ```ts
 * const read = readScenario('{"exports":{"cap":100}}');
 * if ('problem' in read) throw new Error(read.problem);
 * const deployment = await createDeployment(scenarioOptions(read.scenario));
 * ```
 */
export function scenarioOptions({
  logs,
  clockAhead,
  about: _,
  faults,
  ...rest
}: Scenario): DeploymentOptions {
  const burst: BurstOptions | undefined = logs;
  const wrong: readonly Fault[] | undefined = faults;
  return {
    ...rest,
    ...(burst && { logs: burstLogs(burst) }),
    ...(wrong && { faults: wrong }),
    ...(clockAhead !== undefined && { now: () => Date.now() + clockAhead }),
  };
}
