import * as v from 'valibot';

/**
 * The status of an upgrade: the upgrades resource and the answer to an upgrade (section 2.8 of the interface
 * document).
 */
export interface UpgradeStatus {
  /** One of `upgradeStates`, or another. */
  readonly state: string;
  /** The number of the state. */
  readonly code: number;
  /** In the order of the deployment. */
  readonly messages: readonly UpgradeMessage[];
}

/** A message of an upgrade about one step. */
export interface UpgradeMessage {
  readonly message: string;
  /** One of `upgradeMessageCodes`, or another; 0 if the deployment gives none. */
  readonly code: number;
  /** Milliseconds since the epoch; absent if the deployment gives no time. */
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

/**
 * Stage of an upgrade in a state. An unknown state is classified by its code.
 *
 * ```ts
 * upgradeStageOf(await readUpgradeStatus(client));
 * ```
 */
export function upgradeStageOf({ state, code }: Pick<UpgradeStatus, 'state' | 'code'>): UpgradeStage {
  const name = state
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const known = Object.entries(upgradeStates).find(([each]) => each === name);
  if (!known && /(^|_)(fail|failed|failure|error)(_|$)/.test(name)) return 'failed';
  return stages[known?.[1] ?? code] ?? 'unknown';
}

/** The largest time, milliseconds since the epoch. Larger ones are no dates, and 0 stands for a missing one. */
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
 * Reads the status in a body, bare or as its member `status`; undefined if the body is something else. Accepts
 * numbers as texts and texts as numbers, missing and unknown members.
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

/** The code of a state without one; a state may itself be a number. -1 if there is none. */
function codeOfState(state: string): number {
  const known = Object.entries(upgradeStates).find(([name]) => name === state.toLowerCase())?.[1];
  return known ?? (/^\d{1,9}$/.test(state) ? Number(state) : -1);
}

/** Reads a list of messages, or a single one in its place. Skips unreadable messages. */
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
