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
  /** One of `upgradeMessageCodes`, or another; 0 where the deployment gives none. */
  readonly code: number;
  /** Milliseconds since the epoch; absent where the deployment gives no time. */
  readonly when?: number | undefined;
}

/** The states and their codes: two from the interface document, `no_upgrade` and `failed` from the field notes. */
export const upgradeStates = { no_upgrade: 0, in_progress: 1, failed: 2, success: 3 } as const;

/** Stage of an upgrade, whatever its state is called; `unknown` for a state that no source describes. */
export type UpgradeStage = 'none' | 'running' | 'succeeded' | 'failed' | 'unknown';

const stages: Readonly<Record<number, UpgradeStage>> = {
  [upgradeStates.no_upgrade]: 'none',
  [upgradeStates.in_progress]: 'running',
  [upgradeStates.failed]: 'failed',
  [upgradeStates.success]: 'succeeded',
};

/** Stage of an upgrade in a state. An unknown state is classified by its code. */
export function upgradeStageOf({ state, code }: Pick<UpgradeStatus, 'state' | 'code'>): UpgradeStage {
  const name = state
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const known = Object.entries(upgradeStates).find(([each]) => each === name);
  if (!known && /(^|_)(fail|failed|failure|error)(_|$)/.test(name)) return 'failed';
  return stages[known?.[1] ?? code] ?? 'unknown';
}

/** Times outside this are no dates, and 0 is what software writes where it knows none. Milliseconds since the epoch. */
const maxTime = 8.64e15;
const number = v.pipe(v.union([v.number(), v.pipe(v.string(), v.nonEmpty())]), v.transform(Number));
const integer = v.pipe(number, v.integer());
const time = v.pipe(number, v.gtValue(0), v.maxValue(maxTime));
const words = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

const message = v.looseObject({
  message: v.fallback(words, ''),
  code: v.fallback(integer, 0),
  when: v.fallback(v.optional(time), undefined),
});
const status = v.looseObject({
  state: v.pipe(words, v.nonEmpty()),
  code: v.fallback(v.optional(integer), undefined),
  messages: v.optional(v.unknown()),
});

/**
 * The status in a body, bare or as its member `status`; undefined where the
 * body is something else. Numbers may be texts and the other way round, and
 * members may be missing or more than are known.
 */
export function upgradeStatusOf(body: unknown): UpgradeStatus | undefined {
  const wrapped = v.safeParse(v.looseObject({ status: v.unknown() }), body);
  for (const candidate of wrapped.success ? [wrapped.output.status, body] : [body]) {
    const result = v.safeParse(status, candidate);
    if (!result.success) continue;
    const { state, code = codeOfState(state), messages } = result.output;
    return { state, code, messages: messagesOf(messages) };
  }
  return undefined;
}

/** The code of a state that came without one: a state may be a number itself; -1 where there is none. */
function codeOfState(state: string): number {
  const known = Object.entries(upgradeStates).find(([name]) => name === state.toLowerCase())?.[1];
  return known ?? (/^\d{1,9}$/.test(state) ? Number(state) : -1);
}

/** The messages of a list, or the one that stands in place of it. An odd message does not hide the others. */
function messagesOf(value: unknown): readonly UpgradeMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesOf);
  if (typeof value === 'string') return value === '' ? [] : [{ message: value, code: 0 }];
  const result = v.safeParse(message, value);
  if (!result.success) return [];
  const { message: text, code, when } = result.output;
  return [{ message: text, code, ...(when !== undefined && { when }) }];
}

/** The body of the upgrades resource. */
export function toStatusBody({ state, code, messages }: UpgradeStatus): object {
  return { status: { state, code, messages } };
}
