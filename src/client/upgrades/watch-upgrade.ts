import {
  newMessages,
  type UpgradeMessage,
  type UpgradeStatus,
  upgradeStageOf,
} from '../../protocol/index.ts';
import type { CallOptions } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { ClientError, type ClientErrorCode } from '../transport/client-error.ts';
import { isOtherRun } from './is-other-run.ts';
import { lookingTime } from './submit-upgrade.ts';
import { receiveUpgradeStatus } from './upgrade-resources.ts';

/** An event of a watched upgrade. */
export type UpgradeEvent =
  /** A new message. */
  | { readonly kind: 'message'; readonly message: UpgradeMessage }
  /** The state of the upgrade after new messages, and the unchanged reply with it. */
  | { readonly kind: 'status'; readonly status: UpgradeStatus; readonly received: unknown }
  /** The deployment still shows the state from before the start. */
  | { readonly kind: 'waiting'; readonly status: UpgradeStatus }
  /** An undocumented state; watching continues. */
  | { readonly kind: 'unknown'; readonly status: UpgradeStatus }
  /** The deployment is unreachable or does not reply, which is usual during an upgrade. */
  | { readonly kind: 'lost'; readonly error: ClientError }
  /** The deployment replies again. */
  | { readonly kind: 'found' }
  /** The upgrade ended, successfully or not, or there is none; `wasUnderWay` is false if it had ended before the first request. */
  | { readonly kind: 'ended'; readonly status: UpgradeStatus; readonly wasUnderWay: boolean };

/** Options for watching an upgrade. */
export interface WatchOptions extends CallOptions {
  /** Milliseconds between two requests. Default 5 s. */
  readonly pause?: number | undefined;
  /**
   * Milliseconds without an answer after which the last error is thrown, and
   * milliseconds without a change in a state that is not known. Default one hour.
   */
  readonly patience?: number | undefined;
  /**
   * The state from before the start of the upgrade that is watched. It is not
   * taken for that of the upgrade, whose own has to show within two minutes.
   */
  readonly before?: UpgradeStatus | undefined;
}

/** State between two polls. Times are milliseconds since the epoch. */
interface Watched {
  readonly seen: readonly UpgradeMessage[];
  /** True once a state of the watched upgrade was seen. */
  readonly hasBegun: boolean;
  /** True if it was seen before it ended. */
  readonly wasUnderWay: boolean;
  readonly lostSince?: number | undefined;
  /** The state that it waits in, by its event and its name, and since when. */
  readonly idle?: { readonly key: string; readonly since: number } | undefined;
}

/**
 * Watches the running upgrade to its end (section 2.8 of the interface document). Yields the messages
 * written so far first. Reports and waits out lost connections, a deployment that does not reply, and
 * unknown states.
 *
 * ```ts
 * for await (const event of watchUpgrade(client)) console.log(event);
 * ```
 */
export async function* watchUpgrade(
  client: Client,
  options: WatchOptions = {},
): AsyncGenerator<UpgradeEvent, void> {
  const { signal, pause = 5000, patience = 3_600_000, before } = options;
  let watched: Watched = { seen: before?.messages ?? [], ...begunOf(before) };
  for (;;) {
    const look = await lookAt(client, { signal });
    const now = client.clock.now();
    if ('error' in look) {
      const { lostSince = now } = watched;
      if (watched.lostSince === undefined) yield { kind: 'lost', error: look.error };
      if (lostSince + patience <= now) throw look.error;
      watched = { ...watched, lostSince };
    } else {
      if (watched.lostSince !== undefined) yield { kind: 'found' };
      const { status, received } = look;
      const fresh = newMessages(watched.seen, status.messages);
      for (const message of fresh) yield { kind: 'message', message };
      if (fresh.length > 0) yield { kind: 'status', status, received };
      const hasBegun = watched.hasBegun || (before !== undefined && isOtherRun(status, before));
      const kind = kindOf(status, hasBegun);
      if (kind === 'ended') return yield { kind, status, wasUnderWay: watched.wasUnderWay };
      const idle = idleOf({ kind, status, fresh, now }, watched);
      if (kind && idle?.key !== watched.idle?.key) yield { kind, status };
      if (idle) checkIdle(idle, { kind, status, now, patience });
      watched = { seen: status.messages, hasBegun, wasUnderWay: true, idle };
    }
    await client.clock.sleep(pause, signal);
  }
}

/** With the state from before a start, the upgrade has yet to show, and is one that was not over before. */
function begunOf(before: UpgradeStatus | undefined): Pick<Watched, 'hasBegun' | 'wasUnderWay'> {
  return { hasBegun: before === undefined, wasUnderWay: before !== undefined };
}

/** The event that a state asks for; undefined while the upgrade runs. */
function kindOf(status: UpgradeStatus, hasBegun: boolean): 'waiting' | 'unknown' | 'ended' | undefined {
  const stage = upgradeStageOf(status);
  if (stage === 'running') return undefined;
  if (!hasBegun) return 'waiting';
  return stage === 'unknown' ? 'unknown' : 'ended';
}

interface Look {
  readonly kind: 'waiting' | 'unknown' | undefined;
  readonly status: UpgradeStatus;
  readonly fresh: readonly UpgradeMessage[];
  readonly now: number;
}

/** Start of the current state. A new message in an unknown state restarts its time. */
function idleOf({ kind, status, fresh, now }: Look, { idle }: Watched): Watched['idle'] {
  if (kind === undefined) return undefined;
  const key = `${kind} ${status.state} ${status.code}`;
  if (idle?.key !== key) return { key, since: now };
  if (kind === 'unknown' && fresh.length > 0) return { ...idle, since: now };
  return idle;
}

interface IdleLook extends Omit<Look, 'fresh'> {
  readonly patience: number;
}

/** Throws where a state has been what it is for longer than allowed. */
function checkIdle({ since }: NonNullable<Watched['idle']>, { kind, status, now, patience }: IdleLook): void {
  const limit = kind === 'waiting' ? Math.min(patience, lookingTime) : patience;
  if (now < since + limit) return;
  const state = `"${status.state}" (code ${status.code})`;
  const message =
    kind === 'waiting'
      ? `The deployment still shows the state from before, ${state}, ${limit / 1000} s after the start`
      : `The state of the upgrade has been ${state} for ${limit / 1000} s, which is none that is documented`;
  throw new ClientError('BAD_REPLY', message);
}

/** Failures to expect, or already observed, during an upgrade. */
const passing: readonly ClientErrorCode[] = [
  'UNREACHABLE',
  'UNTRUSTED',
  'TIMED_OUT',
  'READ_ONLY',
  'REFUSED',
  'SERVER_ERROR',
  'BAD_REPLY',
];

async function lookAt(
  client: Client,
  options: CallOptions,
): Promise<Awaited<ReturnType<typeof receiveUpgradeStatus>> | { readonly error: ClientError }> {
  try {
    return await receiveUpgradeStatus(client, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ClientError && passing.includes(error.code)) return { error };
    throw error;
  }
}
