import {
  introducedIn,
  toSettingsBody,
  toStatusBody,
  toUpdateId,
  type Update,
  updateIdOf,
  upgradesPath,
} from '../../protocol/index.ts';
import { type Answer, type Link, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { progressAt, releaseAt } from '../upgrade/progress.ts';
import { availableUpdates, installedUpdates, rollbackOptions } from '../upgrade/releases.ts';
import { settingsOf } from '../upgrade/settings.ts';

/** The upgrades resource: the status of the latest upgrade (section 2.8 of the interface document). */
export function upgradesOperation(site: Site): Operation {
  return {
    name: 'upgrades',
    title: 'Upgrades',
    path: site.root + upgradesPath,
    methods: ['GET', 'POST'],
    privilege: 'manageUpgrades',
    fields: [],
    run: () => ({ kind: 'body', body: toStatusBody(progressAt(site.state.read(), site.now()).status) }),
  };
}

/** The version manifest: available updates (field notes). */
export function availableOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'available', 'Available updates'),
    links: ({ id, containers }) => (typeof id === 'string' && containers ? linksOfUpdate(site, id) : []),
    run: () => ({ kind: 'body', body: { versions: availableTo(site), signature: '' } }),
  };
}

/** Installed releases and patches (public documentation of the vendor). */
export function installedOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'installed', 'Installed updates'),
    since: introducedIn.installed,
    run: () => {
      const versions = installedUpdates(releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: { versions } };
    },
  };
}

/** The settings that an upgrade requires (section 4.2.3 of the interface document). */
export function getUpgradeSettingsOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'getUpgradeSettings', 'Get upgrade settings'),
    since: introducedIn.getUpgradeSettings,
    reads: 'urlencoded',
    fields: [{ name: 'upgradeId', required: true, hint: 'An available update, as {"id":"rel_..."}' }],
    links: ({ userInputs }, form) => {
      const id = userInputs ? updateIdOf(form.get('upgradeId') ?? '') : undefined;
      return id === undefined ? [] : linksOfUpdate(site, id).slice(1);
    },
    related: ['available'],
    run: ({ form }) => {
      const id = updateIdOf(form.get('upgradeId') ?? '');
      if (id === undefined)
        return refuseWith(400, 'Invalid parameters.', '"upgradeId" requires JSON with the member "id"');
      const update = availableTo(site).find((each) => each.id === id);
      if (!update) return unknownUpdate;
      const settings = settingsOf(update, releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: toSettingsBody(settings) };
    },
  };
}

/** The rollback options (section 4.2.4 of the interface document). */
export function checkRollbackOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'checkRollback', 'Check rollback'),
    since: introducedIn.checkRollback,
    run: () => {
      const updates = rollbackOptions(releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: { updates } };
    },
  };
}

/** Links to the forms that take an update. */
function linksOfUpdate({ root }: Site, id: string): readonly Link[] {
  const path = root + upgradesPath;
  const named = (parameter: string) => new URLSearchParams({ [parameter]: toUpdateId(id) });
  return [
    { label: 'Get upgrade settings', href: `${path}/getUpgradeSettings?${named('upgradeId')}` },
    { label: 'Upgrade', href: `${path}/upgrade?${named('versionManifest')}` },
  ];
}

/** The updates that are available now. */
export function availableTo(site: Site): readonly Update[] {
  return availableUpdates(releaseAt(site.state.read(), site.now()));
}

/** The refusal of an unavailable update. */
export const unknownUpdate: Answer = refuseWith(
  400,
  'Invalid parameters.',
  'There is no available update with this identifier.',
);

/** Common properties of the operations below the upgrades resource. */
export function upgradesChild<N extends string>(site: Site, name: N, title: string) {
  return {
    name,
    title,
    path: `${site.root}${upgradesPath}/${name}`,
    methods: ['POST'],
    privilege: 'manageUpgrades',
    closed: 'during upgrades',
    fields: [],
  } as const;
}
