import {
  type UpgradeMessage,
  type UpgradeStatus,
  upgradeMessageCodes,
  upgradeStageOf,
} from '../../protocol/index.ts';

/** What the messages of an upgrade come to. */
export interface UpgradeProgress {
  readonly stage: ReturnType<typeof upgradeStageOf>;
  /** How many microservices are done, of how many; absent until a message counts them. */
  readonly counted?: { readonly done: number; readonly of: number };
  /** Whether the deployment is in read-only mode. */
  readonly readOnly: boolean;
  /** When the first and the last message were written, milliseconds since the epoch; absent without messages that have a time. */
  readonly started?: number;
  readonly latest?: number;
}

/**
 * What an upgrade has come to, from its messages. They are taken in the order of
 * their times; one without a time stays behind the one that it came after.
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
    // What failed in read-only mode may still be in it; what succeeded is not.
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

/** The numbers in a message such as `3 out of 44 deployments updated`; undefined where it counts nothing. */
export function countOf({ code, message }: UpgradeMessage): UpgradeProgress['counted'] {
  const [, done, of] = /(\d{1,6})\s+(?:out\s+)?of\s+(\d{1,6})/i.exec(message) ?? [];
  if (!upgradeMessageCodes[code]?.counts || done === undefined || of === undefined) return undefined;
  return { done: Math.min(Number(done), Number(of)), of: Number(of) };
}

/** The messages of the second status that the first has not, in their order. A message may occur more than once. */
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
