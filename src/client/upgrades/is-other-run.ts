import { newMessages, type UpgradeStatus, upgradeStageOf } from '../../protocol/index.ts';

/**
 * Reports if a state belongs to another upgrade than an earlier state: it is running, has a new
 * message, or ended differently. Messages are compared by code, text and time. No upgrade is not
 * another one.
 *
 * ```ts
 * const before = await readUpgradeStatus(client);
 * isOtherRun(await readUpgradeStatus(client), before);
 * ```
 */
export function isOtherRun(now: UpgradeStatus, before: UpgradeStatus): boolean {
  const stage = upgradeStageOf(now);
  if (stage === 'running') return true;
  if (newMessages(before.messages, now.messages).length > 0) return true;
  return stage !== 'none' && now.state !== before.state;
}
