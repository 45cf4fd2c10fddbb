import { expect, test } from 'vitest';
import type { PropertyTemplate } from '../../src/protocol/property-template.ts';
import { post, postJson, signIn, startDeployment, type TestDeployment, textOf } from './calls.ts';

const properties = '/gis/admin/system/deployments/properties';
const upgrades = '/gis/admin/system/upgrades';
const day = 24 * 3_600_000;

async function templatesOf(deployment: TestDeployment): Promise<readonly PropertyTemplate[]> {
  const reply = await postJson(deployment, properties, { token: await signIn(deployment) });
  return (reply as { properties: readonly PropertyTemplate[] }).properties;
}

async function templateOf(deployment: TestDeployment, type: string, mode?: string) {
  const found = (await templatesOf(deployment)).find(
    (each) => each.type === type && (mode === undefined || each.mode === mode),
  );
  if (!found) throw new Error(`There is no template of the type ${type}`);
  return found;
}

async function edit(deployment: TestDeployment, template: PropertyTemplate): Promise<unknown> {
  const form = { token: await signIn(deployment), propertyJson: JSON.stringify(template) };
  return postJson(deployment, `${properties}/${template.id}/edit`, form);
}

/** Starts the upgrade to the next release. */
async function startUpgrade(deployment: TestDeployment): Promise<void> {
  const token = await signIn(deployment);
  const { versions } = (await postJson(deployment, `${upgrades}/available`, { token })) as {
    versions: readonly { id: string; type: string }[];
  };
  const update = JSON.stringify({ id: versions.find(({ type }) => type === 'release')?.id });
  const form = { token, versionManifest: update };
  const answer = await postJson(deployment, `${upgrades}/upgrade`, {
    ...form,
    upgradeSettings: JSON.stringify(await settingsFor(deployment, token, update)),
  });
  expect(answer).toMatchObject({ status: { state: 'in_progress' } });
}

/** The settings of an upgrade, with a license where one is wanted; none before 11.0. */
async function settingsFor(deployment: TestDeployment, token: string, upgradeId: string): Promise<object> {
  const asked = await post(deployment, `${upgrades}/getUpgradeSettings`, { token, upgradeId });
  if (asked.status === 404) return {};
  const { userInputs } = (await asked.json()) as { userInputs: readonly { id: string }[] };
  const value = await uploadLicense(deployment, token);
  return { userInputs: userInputs.map((each) => (each.id === 'licenseUpload' ? { ...each, value } : each)) };
}

async function uploadLicense(deployment: TestDeployment, token: string): Promise<string> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ token, f: 'json' })) body.set(name, value);
  body.set('itemFile', new Blob(['{}']), 'license.json');
  const request = new Request('http://gis.test/gis/admin/uploads/upload', { method: 'POST', body });
  return textOf(await (await deployment.fetch(request)).json(), 'item', 'itemID');
}

async function upgrade(deployment: TestDeployment): Promise<void> {
  await startUpgrade(deployment);
  deployment.wait(day);
}

const hpa = (percentage: number) => ({
  hpaSpec: { targetCPUUtilizationPercentage: percentage },
  hpaVersion: 'autoscaling/v1',
});

test('an upgrade brings templates what its release brought, and no earlier', async () => {
  await using deployment = await startDeployment({ version: '11.1' });
  const before = await templatesOf(deployment);
  expect(before.some((each) => 'podPlacementPolicy' in each)).toBe(false);
  await startUpgrade(deployment);
  // The interface is away in the middle of an upgrade, so this is before that.
  deployment.wait(1000);
  expect(await templatesOf(deployment)).toEqual(before);
  deployment.wait(day);
  const after = await templatesOf(deployment);
  const revision = expect.any(Number);
  expect(after).toEqual(
    before.map((each) =>
      ['Shared', 'Dedicated'].includes(each.mode)
        ? { ...each, revision, podPlacementPolicy: { tolerations: [] } }
        : each,
    ),
  );
  expect(Number(after[0]?.revision)).toBeGreaterThan(Number(before[0]?.revision));
  // The present template is that of any deployment of this release, but for the time.
  await using fresh = await startDeployment({ version: '11.2' });
  const withoutRevision = ({ revision: _, ...rest }: PropertyTemplate) => rest;
  expect(after.map(withoutRevision)).toEqual((await templatesOf(fresh)).map(withoutRevision));
});

test('a template that was read before the upgrade can no longer be sent', async () => {
  await using deployment = await startDeployment({ version: '11.1' });
  const before = await templateOf(deployment, 'GPServer', 'Dedicated');
  await upgrade(deployment);
  expect(await edit(deployment, before)).toMatchObject({
    error: { code: 400, details: [expect.stringContaining('"revision" cannot be edited')] },
  });
  const after = await templateOf(deployment, 'GPServer', 'Dedicated');
  const podPlacementPolicy = { tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }] };
  expect(await edit(deployment, { ...after, podPlacementPolicy })).toEqual({ status: 'success' });
  expect(await templateOf(deployment, 'GPServer', 'Dedicated')).toMatchObject({ podPlacementPolicy });
});

test('an upgrade that fails brings nothing', async () => {
  const faults = [{ on: 'upgrade', effect: 'failUpgrade', after: 0.9 }] as const;
  await using deployment = await startDeployment({ version: '11.1', faults });
  const before = await templatesOf(deployment);
  await upgrade(deployment);
  expect(await templatesOf(deployment)).toEqual(before);
});

test('from 10.9.1 on: scaling modes, webhooks, placement, and the second version of autoscaling', async () => {
  await using deployment = await startDeployment({ version: '10.9.1' });
  const [manual, auto] = [
    await templateOf(deployment, 'GPServer', 'Shared'),
    await templateOf(deployment, 'MapServer', 'Shared'),
  ];
  const manyPods = { ...manual, spec: { ...manual.spec, replicas: { min: 2, max: 5 } } };
  const scaled = { min: 1, max: 4, scalingMode: 'auto', autoscaling: hpa(70) };
  expect(await edit(deployment, manyPods)).toEqual({ status: 'success' });
  expect(await edit(deployment, { ...auto, spec: { ...auto.spec, replicas: scaled } })).toEqual({
    status: 'success',
  });
  expect((await templatesOf(deployment)).map(({ type }) => type)).not.toContain('WebhookProcessor');

  const token = await signIn(deployment);
  const { versions } = (await postJson(deployment, `${upgrades}/available`, { token })) as {
    versions: readonly { id: string; type: string }[];
  };
  const body = new FormData();
  const id = versions.find(({ type }) => type === 'release')?.id;
  for (const [name, value] of Object.entries({ token, f: 'json', versionManifest: JSON.stringify({ id }) }))
    body.set(name, value);
  body.set('licenseFile', new Blob(['{}']), 'license.json');
  await deployment.fetch(new Request(`http://gis.test${upgrades}/upgrade`, { method: 'POST', body }));
  deployment.wait(day);
  // 11.0: the number of pods that is fixed now is the least one of before.
  expect((await templateOf(deployment, 'GPServer', 'Shared')).spec.replicas).toEqual({
    min: 2,
    max: 2,
    scalingMode: 'manual',
  });
  expect((await templateOf(deployment, 'MapServer', 'Shared')).spec.replicas).toEqual(scaled);
  const webhooks = await templateOf(deployment, 'WebhookProcessor');
  expect(webhooks.spec.replicas).toEqual({ min: 1, max: 1, scalingMode: 'manual' });

  await upgrade(deployment);
  expect((await templateOf(deployment, 'MapServer', 'Shared')).spec.replicas).toEqual(scaled);
  await upgrade(deployment);
  expect((await templateOf(deployment, 'MapServer', 'Shared')).spec.replicas).toEqual({
    ...scaled,
    autoscaling: {
      hpaSpec: {
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: '70' } },
          },
        ],
        hpaVersion: 'autoscaling/v2',
      },
    },
  });
  const kinds = (await templatesOf(deployment)).map(({ id: each }) => each);
  expect(kinds).toEqual([...new Set(kinds)].toSorted());
});
