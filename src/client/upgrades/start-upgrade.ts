import { toUpgradeForm, type UpgradeRequest } from '../../protocol/index.ts';
import type { Client } from '../calls/client.ts';
import { type StartedUpgrade, type StartOptions, submitUpgrade } from './submit-upgrade.ts';
import { checkUpdateId } from './upgrade-resources.ts';

/**
 * Upgrades the deployment with a release or a patch and returns the state of the upgrade (section
 * 4.2.5 of the interface document). Sends the request once. If the reply is lost, it looks for a new
 * upgrade; if that stays unclear, the error is `inDoubt`. If an upgrade is running already, before
 * the request or by its refusal, the error has the code `UPGRADE_RUNNING`.
 *
 * A token that lives less than `upgradeTokenLife` is renewed first; how long a
 * new one lives is up to `minutes` of the credentials, and to the deployment.
 */
export async function startUpgrade(
  client: Client,
  request: UpgradeRequest,
  options: StartOptions = {},
): Promise<StartedUpgrade> {
  checkUpdateId(request.id);
  const job = { operation: 'upgrade', name: 'upgrade', form: toUpgradeForm(request) };
  return submitUpgrade(client, job, options);
}
