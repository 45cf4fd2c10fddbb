import { toUpgradeForm, type UpgradeRequest } from '../../protocol/index.ts';
import type { Client } from '../calls/client.ts';
import { type StartedUpgrade, type StartOptions, submitUpgrade } from './submit-upgrade.ts';
import { checkUpdateId } from './upgrade-resources.ts';

/**
 * Upgrades the deployment by a release or a patch and gives back how the
 * upgrade stands (section 4.2.5 of the interface document). It is sent once:
 * where the answer gets lost, the deployment is asked whether an upgrade has
 * begun, and where that stays open, the error is `inDoubt` and says so. An
 * upgrade that is under way already, before the request or by the words of its
 * refusal, is an error with the code `UPGRADE_RUNNING`.
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
