import { newMessages } from '../../administration/index.ts';
import { type UpgradeStatus, upgradeStageOf } from '../../protocol/index.ts';

/**
 * Whether a state is that of another upgrade than the state from before: one
 * is under way, has a message that was not there, or ended otherwise. Messages
 * count by code, text and time. No upgrade at all is no other one.
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
