import * as v from 'valibot';

/** How an upgrade stands: the upgrades resource and the answer to an upgrade (section 2.8 of the interface document). */
export interface UpgradeStatus {
  /** One of `upgradeStates`, or another. */
  readonly state: string;
  /** The number that goes with the state. */
  readonly code: number;
  /** In the order in which the deployment gives them. */
  readonly messages: readonly UpgradeMessage[];
}

/** What an upgrade has to say about one step. */
export interface UpgradeMessage {
  readonly message: string;
  /** One of `upgradeMessageCodes`, or another. */
  readonly code: number;
  /** Milliseconds since the epoch. */
  readonly when: number;
}

/** The states and their codes: two from the interface document, `no_upgrade` and `failed` from the field notes. */
export const upgradeStates = { no_upgrade: 0, in_progress: 1, failed: 2, success: 3 } as const;

/** How far an upgrade is, whatever its state is called. */
export type UpgradeStage = 'none' | 'running' | 'succeeded' | 'failed';

const stages: Readonly<Record<number, UpgradeStage>> = {
  [upgradeStates.no_upgrade]: 'none',
  [upgradeStates.in_progress]: 'running',
  [upgradeStates.failed]: 'failed',
  [upgradeStates.success]: 'succeeded',
};

/** How far an upgrade in this state is. A state that is not known is taken by its code, and else may still come to something. */
export function upgradeStageOf({ state, code }: Pick<UpgradeStatus, 'state' | 'code'>): UpgradeStage {
  const known = Object.entries(upgradeStates).find(([name]) => name === state.toLowerCase());
  if (/fail|error/i.test(state)) return 'failed';
  return stages[known?.[1] ?? code] ?? 'running';
}

/** Times outside these are no dates: milliseconds since the epoch. */
const maxTime = 8.64e15;
const time = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform(Number),
  v.minValue(-maxTime),
  v.maxValue(maxTime),
);

const message = v.looseObject({
  message: v.fallback(v.string(), ''),
  code: v.fallback(v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.integer()), 0),
  when: v.fallback(time, 0),
});
const status = v.looseObject({
  state: v.pipe(v.string(), v.nonEmpty()),
  code: v.fallback(v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.integer()), -1),
  messages: v.fallback(v.array(message), []),
});

/** The status in a body, bare or as its member `status`; undefined where the body is something else. */
export function upgradeStatusOf(body: unknown): UpgradeStatus | undefined {
  const wrapped = v.safeParse(v.looseObject({ status: v.unknown() }), body);
  for (const candidate of wrapped.success ? [wrapped.output.status, body] : [body]) {
    const result = v.safeParse(status, candidate);
    if (!result.success) continue;
    const { state, code, messages } = result.output;
    const read = messages.map(({ message, code, when }) => ({ message, code, when }));
    return { state, code, messages: read };
  }
  return undefined;
}

/** The body of the upgrades resource. */
export function toStatusBody({ state, code, messages }: UpgradeStatus): object {
  return { status: { state, code, messages } };
}
