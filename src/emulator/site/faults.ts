import type { Failure, FailureShape } from '../../protocol/index.ts';
import type { ZipOddity } from '../archive/archive.ts';
import type { OperationName } from './operation-name.ts';

/**
 * A fault on demand, as data. Without `skip` and `times` every call of the operation fails.
 *
 * ```ts
 * const fault: Fault = { on: 'job', skip: 2, times: 1, effect: 'status', status: 503 };
 * ```
 */
export type Fault = Effect & {
  readonly on: OperationName;
  /** Number of calls before the first fault. Default 0. */
  readonly skip?: number;
  /** Largest number of faults. Default: no limit. */
  readonly times?: number;
  /** Distance between faults in calls. Default 1: every call. */
  readonly every?: number;
};

/** The effect of a fault. Effects that name an operation do nothing on others. */
export type Effect =
  /** The answer comes late. */
  | { readonly effect: 'delay'; readonly milliseconds: number }
  /** An answer with this HTTP status and no body of the interface. `retryAfter` is in seconds. */
  | { readonly effect: 'status'; readonly status: number; readonly retryAfter?: number }
  /** The connection breaks before the operation runs. */
  | { readonly effect: 'reset' }
  /** The connection breaks after the operation has run: the answer is lost. */
  | { readonly effect: 'loseAnswer' }
  /** A page instead of JSON. */
  | { readonly effect: 'page' }
  /** A refusal, in any of the known shapes. */
  | { readonly effect: 'refuse'; readonly failure: Failure; readonly shape?: FailureShape }
  /** All tokens end before the call is checked. */
  | { readonly effect: 'expireTokens' }
  /** On `exportLogs`: the job ends in this state, with these messages, and without a result. */
  | { readonly effect: 'endJob'; readonly state: string; readonly messages: readonly string[] }
  /** On `exportLogs`: two jobs are submitted, and the answer names the second. */
  | { readonly effect: 'submitTwice' }
  /** On `exportLogs`: the job takes longer. */
  | { readonly effect: 'delayJob'; readonly milliseconds: number }
  /** On `exportLogs`: the zip holds no entry at all. */
  | { readonly effect: 'noEntries' }
  /** On `exportLogs`: this share of the logs, 0 to 1, is not in the zip: the oldest of them. */
  | { readonly effect: 'loseLogs'; readonly share: number }
  /** On `exportLogs`: further logs than these are left out without a notice; `silentCap` for this call alone. */
  | { readonly effect: 'lowerCap'; readonly cap: number }
  /** On `exportLogs`: the zip holds one more entry, whose path climbs out of the folder. */
  | { readonly effect: 'climbingPath' }
  /** On `exportLogs`: the zip is odd in these ways. */
  | { readonly effect: 'oddZip'; readonly kinds: readonly ZipOddity[] }
  /** On `upgrade` and `rollback`: it fails after this share of its time, 0 to 1. */
  | { readonly effect: 'failUpgrade'; readonly after: number }
  /** On `download`: the bytes end after this share, 0 to 1, without an error. */
  | { readonly effect: 'truncate'; readonly keep: number }
  /** On `download`: some bytes in the middle are changed. */
  | { readonly effect: 'corrupt' }
  /** On `download`: the connection breaks after this share of the bytes. */
  | { readonly effect: 'breakOff'; readonly keep: number }
  /** On `download`: the bytes arrive in pieces, with a pause before each. */
  | { readonly effect: 'slow'; readonly pieces: number; readonly milliseconds: number };

/** Returns the effects on the next call of an operation, and counts that call. */
export type NextEffects = (operation: OperationName) => readonly Effect[];

/** Counts the calls of each operation and returns the effects that are due. */
export function createFaults(faults: readonly Fault[]): NextEffects {
  const calls = new Map<OperationName, number>();
  return (operation) => {
    const before = calls.get(operation) ?? 0;
    calls.set(operation, before + 1);
    return faults.filter(
      ({ on, skip = 0, times = Number.POSITIVE_INFINITY, every = 1 }) =>
        on === operation && skip <= before && (before - skip) % every === 0 && before - skip < times * every,
    );
  };
}

/** The effect of a kind among those due, if any. */
export function effectOf<K extends Effect['effect']>(
  effects: readonly Effect[],
  kind: K,
): Extract<Effect, { effect: K }> | undefined {
  return effects.find((effect): effect is Extract<Effect, { effect: K }> => effect.effect === kind);
}

/** Rejection of `fetch` for a fault that breaks the connection. The caller has to break it. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
}
