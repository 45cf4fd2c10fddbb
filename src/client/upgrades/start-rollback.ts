import { introducedIn, type RollbackRequest, toRollbackForm } from '../../protocol/index.ts';
import type { Client } from '../calls/client.ts';
import { type StartedUpgrade, type StartOptions, submitUpgrade } from './submit-upgrade.ts';
import { checkUpdateId } from './upgrade-resources.ts';

/**
 * Rolls the deployment back to a release or patch that `checkRollback` names,
 * with the same care as `startUpgrade`: sent once, looked for where its answer
 * gets lost. The request is that of the vendor's public documentation; its
 * progress shows in the upgrades resource, as that of an upgrade does.
 */
export async function startRollback(
  client: Client,
  request: RollbackRequest,
  options: StartOptions = {},
): Promise<StartedUpgrade> {
  checkUpdateId(request.id);
  const form = toRollbackForm(request);
  const job = { operation: 'rollback', name: 'rollback', form, since: introducedIn.rollback };
  return submitUpgrade(client, job, options);
}
