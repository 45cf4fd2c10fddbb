import type { Failure, FailureShape } from '../protocol/index.ts';
import type { Oddity } from './archive.ts';
import type { OperationName } from './operation-name.ts';

/**
 * Something that goes wrong on demand, as data. Without `skip` and `times` it
 * goes wrong on every call of the operation.
 *
 * ```ts
 * const fault: Fault = { on: 'job', skip: 2, times: 1, effect: 'status', status: 503 };
 * ```
 */
export type Fault = Effect & {
  readonly on: OperationName;
  /** So many calls go well first. */
  readonly skip?: number;
  /** At most so many calls go wrong. */
  readonly times?: number;
  /** Of those it is every so many-th that goes wrong. Default 1: all of them. */
  readonly every?: number;
};

/** What goes wrong. The effects that name an operation have no effect on others. */
export type Effect =
  /** The answer comes late. */
  | { readonly effect: 'delay'; readonly milliseconds: number }
  /** An answer with this HTTP status and no body of the interface; with the seconds after which to come again. */
  | { readonly effect: 'status'; readonly status: number; readonly retryAfter?: number }
  /** The connection breaks before anything is done. */
  | { readonly effect: 'reset' }
  /** The connection breaks when all is done: the answer is lost. */
  | { readonly effect: 'loseAnswer' }
  /** A page, although JSON was asked for. */
  | { readonly effect: 'page' }
  /** A refusal, in any of the shapes that are known. */
  | { readonly effect: 'refuse'; readonly failure: Failure; readonly shape?: FailureShape }
  /** All tokens end now, before the call is looked at. */
  | { readonly effect: 'expireTokens' }
  /** On `exportLogs`: the job ends in this state, with these messages, and without a result. */
  | { readonly effect: 'endJob'; readonly state: string; readonly messages: readonly string[] }
  /** On `exportLogs`: two jobs are submitted, and the answer names the second. */
  | { readonly effect: 'submitTwice' }
  /** On `exportLogs`: the job takes so much longer. */
  | { readonly effect: 'delayJob'; readonly milliseconds: number }
  /** On `exportLogs`: the zip holds no entry at all. */
  | { readonly effect: 'noEntries' }
  /** On `exportLogs`: this share of the logs, 0 to 1, is not in the zip: the oldest of them. */
  | { readonly effect: 'loseLogs'; readonly share: number }
  /** On `exportLogs`: the zip holds one more entry, whose path climbs out of the folder. */
  | { readonly effect: 'climbingPath' }
  /** On `exportLogs`: the zip is odd in these ways. */
  | { readonly effect: 'oddZip'; readonly kinds: readonly Oddity[] }
  /** On `upgrade` and `rollback`: it fails after this share of its time, 0 to 1. */
  | { readonly effect: 'failUpgrade'; readonly after: number }
  /** On `download`: only this share of the bytes arrives, 0 to 1, as if they were all. */
  | { readonly effect: 'truncate'; readonly keep: number }
  /** On `download`: some bytes in the middle are others. */
  | { readonly effect: 'corrupt' }
  /** On `download`: the connection breaks after this share of the bytes. */
  | { readonly effect: 'breakOff'; readonly keep: number }
  /** On `download`: the bytes arrive in so many pieces, with a pause before each. */
  | { readonly effect: 'slow'; readonly pieces: number; readonly milliseconds: number };

/** The effects on the next call of an operation; it counts as called. */
export type NextEffects = (operation: OperationName) => readonly Effect[];

/** Counts the calls of each operation and tells which faults are due. */
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

/** What a deployment rejects with where a fault wants the connection to break: whoever listens has to break it. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
}
