import { newMessages } from '../administration/index.ts';
import { type UpgradeMessage, type UpgradeStatus, upgradeStageOf } from '../protocol/index.ts';
import type { CallOptions } from './call.ts';
import type { Client } from './client.ts';
import { ClientError, type ClientErrorCode } from './client-error.ts';
import { receiveUpgradeStatus } from './upgrade-resources.ts';

/** What is seen of an upgrade while it is watched. */
export type UpgradeEvent =
  /** A message that was not there before. */
  | { readonly kind: 'message'; readonly message: UpgradeMessage }
  /** How the upgrade stands after new messages, and the reply that said so, as it came. */
  | { readonly kind: 'status'; readonly status: UpgradeStatus; readonly received: unknown }
  /** The deployment cannot be reached or does not answer, which is usual in the middle of an upgrade. */
  | { readonly kind: 'lost'; readonly error: ClientError }
  /** It answers again. */
  | { readonly kind: 'found' }
  /** The upgrade is over, well or not, or there is none. */
  | { readonly kind: 'ended'; readonly status: UpgradeStatus };

/** How an upgrade is watched. */
export interface WatchOptions extends CallOptions {
  /** Milliseconds between two looks. Default 5 s. */
  readonly pause?: number | undefined;
  /** Milliseconds without an answer after which the last error is thrown. Default one hour. */
  readonly patience?: number | undefined;
}

/**
 * Watches the upgrade that is under way until it is over (section 2.8 of the
 * interface document). Lost connections and a deployment that does not answer
 * are told and waited out. The messages that the upgrade has written so far
 * come first.
 */
export async function* watchUpgrade(
  client: Client,
  options: WatchOptions = {},
): AsyncGenerator<UpgradeEvent, void> {
  const { signal, pause = 5000, patience = 3_600_000 } = options;
  let seen: readonly UpgradeMessage[] = [];
  let lostSince: number | undefined;
  for (;;) {
    const look = await lookAt(client, { signal });
    if ('error' in look) {
      if (lostSince === undefined) yield { kind: 'lost', error: look.error };
      lostSince ??= client.clock.now();
      if (lostSince + patience <= client.clock.now()) throw look.error;
    } else {
      if (lostSince !== undefined) yield { kind: 'found' };
      lostSince = undefined;
      const { status, received } = look;
      const fresh = newMessages(seen, status.messages);
      for (const message of fresh) yield { kind: 'message', message };
      if (fresh.length > 0) yield { kind: 'status', status, received };
      seen = status.messages;
      if (upgradeStageOf(status) !== 'running') return yield { kind: 'ended', status };
    }
    await client.clock.sleep(pause, signal);
  }
}

/** What a deployment in the middle of an upgrade has been seen or may be expected to answer. */
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
