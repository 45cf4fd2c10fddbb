import { upgradeMessageCodes } from '../upgrades/message-codes.ts';
import { type UpgradeMessage, type UpgradeStatus, upgradeStageOf } from '../upgrades/upgrade-status.ts';

/** Progress of an upgrade, from its messages. */
export interface UpgradeProgress {
  readonly stage: ReturnType<typeof upgradeStageOf>;
  /** Numbers of finished and of all microservices; absent until a message counts them. */
  readonly counted?: { readonly done: number; readonly of: number };
  /** True in read-only mode. */
  readonly readOnly: boolean;
  /**
   * Times of the first and the last message, milliseconds since the epoch; absent without messages that have a
   * time.
   */
  readonly started?: number;
  readonly latest?: number;
}

/**
 * Computes the progress of an upgrade from its messages, in the order of their times. A message without a time
 * stays after its predecessor.
 *
 * ```ts
 * progressOf(await readUpgradeStatus(client));
 * ```
 */
export function progressOf(status: UpgradeStatus): UpgradeProgress {
  const messages = inOrderOfTime(status.messages);
  const times = messages.flatMap(({ when }) => (when === undefined ? [] : [when]));
  const [started] = times;
  const latest = times.at(-1);
  const counted = messages.map(countOf).findLast((count) => count !== undefined);
  const mode = messages
    .map(({ code }) => upgradeMessageCodes[code]?.enters)
    .findLast((enters) => enters !== undefined);
  const stage = upgradeStageOf(status);
  return {
    stage,
    ...(counted && { counted }),
    // A failed upgrade may still be in read-only mode; a successful one is not.
    readOnly: mode === 'read-only' && stage !== 'succeeded',
    ...(started !== undefined && { started }),
    ...(latest !== undefined && { latest }),
  };
}

function inOrderOfTime(messages: readonly UpgradeMessage[]): readonly UpgradeMessage[] {
  let time = Number.NEGATIVE_INFINITY;
  const timed = messages.map((message) => {
    time = message.when ?? time;
    return { message, time };
  });
  return timed.toSorted((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ message }) => message);
}

/** The numbers in a message such as `3 out of 44 deployments updated`; undefined if it counts nothing. */
export function countOf({ code, message }: UpgradeMessage): UpgradeProgress['counted'] {
  const [, done, of] = /(\d{1,6})\s+(?:out\s+)?of\s+(\d{1,6})/i.exec(message) ?? [];
  if (!upgradeMessageCodes[code]?.counts || done === undefined || of === undefined) return undefined;
  return { done: Math.min(Number(done), Number(of)), of: Number(of) };
}

/** The messages of the second status that the first lacks, in their order. Equal messages count separately. */
export function newMessages(
  before: readonly UpgradeMessage[],
  now: readonly UpgradeMessage[],
): readonly UpgradeMessage[] {
  const seen = new Map<string, number>();
  const keyOf = ({ code, message, when }: UpgradeMessage) => JSON.stringify([code, when, message]);
  for (const message of before) seen.set(keyOf(message), (seen.get(keyOf(message)) ?? 0) + 1);
  return now.filter((message) => {
    const left = seen.get(keyOf(message)) ?? 0;
    seen.set(keyOf(message), left - 1);
    return left <= 0;
  });
}
