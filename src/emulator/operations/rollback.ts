import { fromRollbackForm, introducedIn, toStatusBody, type Update } from '../../protocol/index.ts';
import { effectOf } from '../site/faults.ts';
import { type Answer, type CheckedRequest, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import type { UpgradeRun } from '../state/state.ts';
import { progressAt, releaseAt } from '../upgrade/progress.ts';
import { rollbackOptions } from '../upgrade/releases.ts';
import { upgradesChild } from './upgrades.ts';

/** Rolls the deployment back to an earlier patch or to its release (the vendor's public documentation). */
export function rollbackOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'rollback', 'Rollback'),
    since: introducedIn.rollback,
    fields: [{ name: 'versionManifest' }, { name: 'rollbackSettings', type: 'lines', value: '{}' }],
    run: (call) => start(site, call),
  };
}

async function start(site: Site, call: CheckedRequest): Promise<Answer> {
  const { request, findings } = fromRollbackForm(call.form);
  if (findings.length > 0)
    return refuseWith(400, 'Invalid parameters.', ...findings.map(({ message }) => message));
  const option = rollbackOptions(releaseAt(site.state.read(), site.now())).find(
    ({ id }) => id === request.id,
  );
  if (!option) {
    return refuseWith(400, 'Invalid parameters.', 'There is no rollback option with this identifier.');
  }
  const run = toRun(site, call, option);
  await site.state.change((state) => ({ ...state, upgrades: [...state.upgrades, run] }));
  return { kind: 'body', body: toStatusBody(progressAt(site.state.read(), site.now()).status) };
}

function toRun(site: Site, call: CheckedRequest, option: Update): UpgradeRun {
  const failsAfter = effectOf(call.effects, 'failUpgrade')?.after;
  const started = site.now();
  return {
    update: option.id,
    kind: 'rollback',
    from: releaseAt(site.state.read(), started),
    to: { version: option.version ?? '', build: option.build ?? '' },
    started,
    duration: site.settings.upgradePace.patch,
    ...(failsAfter !== undefined && { failsAfter }),
    username: call.user?.username ?? '',
    requestID: call.requestID,
  };
}
