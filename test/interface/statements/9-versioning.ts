import { expect } from 'vitest';
import { getMessageVersion } from '../../../src/client/catalog.ts';
import { submitExport } from '../../../src/client/exports.ts';
import { getUpgradeSettings } from '../../../src/client/upgrades.ts';
import { deploymentVersions } from '../../../src/emulator/upgrade.ts';
import { checkTemplate } from '../../../src/protocol/check-template.ts';
import { newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import type { PropertyTemplate, Replicas } from '../../../src/protocol/property-template.ts';
import { autoscalingV1, autoscalingV2, placementExample, templateExample } from '../parties/examples.ts';
import { wsdlOf } from '../parties/read-wsdl.ts';
import { editable, edited, type Reference, updateOf, withReplicas } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { byHand, type ClientProof, client, deployment, type Section, type Statement } from './statement.ts';

const versions = ['10.9', '10.9.1', '11.0', '11.1', '11.2', '11.3'];

const isSince = (version: string, since: string) => versions.indexOf(since) <= versions.indexOf(version);

/** An operation that is there from a version on. */
function operation(name: string, path: string, since: string, proof?: ClientProof): Statement {
  return {
    id: `9 ${name}`,
    says: `\`${name}\` was introduced at ${since}`,
    ...(proof && { client: proof }),
    deployment: byHand(
      since === '10.9' ? 'Each version has it' : 'Older versions have it not: HTTP 404',
      async ({ at }) => {
        for (const version of versions) {
          const { running } = await at(version);
          const body = new URLSearchParams({ token: await sharedToken(running), f: 'json' });
          const address = running.client.addresses.root + path;
          const { status } = await fetch(address, { method: 'POST', body });
          expect([version, status !== 404]).toEqual([version, isSince(version, since)]);
        }
      },
    ),
  };
}

const notThere = { error: { code: 404, message: 'Not found', details: [] } };

/** A member or a value of templates that is known from a version on. */
function member(
  id: string,
  since: string,
  change: (template: PropertyTemplate) => PropertyTemplate,
): Statement {
  return {
    id: `9 ${id.replaceAll('`', '')}`,
    says: `${id} was introduced at ${since}`,
    client: client('`properties check` finds it for an older version', () => {
      for (const version of versions) {
        const { findings } = checkTemplate(change(templateExample), { version });
        const needs = findings.filter(
          ({ code, severity }) => code === 'needs-version' && severity === 'error',
        );
        expect([version, needs.some(({ message }) => message.includes(since))]).toEqual([
          version,
          !isSince(version, since),
        ]);
      }
    }),
    deployment: deployment('Older versions refuse it', async (reference) => {
      for (const version of versions) {
        const at = await reference.at(version);
        const template = change(await editable(at));
        if (isSince(version, since)) expect((await edited(at, template)).spec).toEqual(template.spec);
        else await expect(at.calls.edit(template)).rejects.toThrow(`requires version ${since}`);
      }
    }),
  };
}

const withAutoscaling = (autoscaling: Replicas['autoscaling']) => (template: PropertyTemplate) =>
  withReplicas(template, { min: 1, max: 3, scalingMode: 'auto', autoscaling });

async function releaseIds({ at }: Reference): Promise<readonly string[]> {
  return Promise.all(
    versions.slice(0, -1).map(async (version) => (await updateOf(await at(version), 'release')).id),
  );
}

const template = '9375dd81-30d1-41c0-a802-cabb425159b1';

export const versioning: Section = {
  number: '9',
  title: 'Versioning',
  file: '9-versioning.ts',
  statements: [
    operation(
      'export logs',
      '/logs/export',
      '11.0',
      client('Says so where it is not there', async (own, other) => {
        other.answer('/admin/logs/export', notThere);
        await expect(submitExport(own, newestLogsRequest)).rejects.toThrow(
          'the operation requires version 11.0',
        );
      }),
    ),
    operation('edit default properties', `/system/deployments/properties/${template}/edit`, '10.9'),
    member('`scalingMode` = `manual`', '11.0', (each) =>
      withReplicas(each, { min: 2, max: 2, scalingMode: 'manual' }),
    ),
    member('Autoscaling v1', '10.9.1', withAutoscaling(autoscalingV1)),
    member('Autoscaling v2', '11.2', withAutoscaling(autoscalingV2)),
    member('`podPlacementPolicy`', '11.2', (each) => ({ ...each, podPlacementPolicy: placementExample })),
    {
      id: '9 scalingMode in templates',
      says: 'The member `scalingMode` was introduced at 11.0',
      deployment: deployment('The templates of older versions have none', async ({ at }) => {
        for (const version of versions) {
          const templates = await (await at(version)).calls.templates();
          const untouched = templates.filter(({ type }) => type !== 'GPServer');
          for (const { spec } of untouched)
            expect([version, spec.replicas?.scalingMode]).toEqual([
              version,
              isSince(version, '11.0') ? 'manual' : undefined,
            ]);
        }
      }),
    },
    {
      id: '9 WebhookProcessor',
      says: 'The type `WebhookProcessor` was introduced at 11.0',
      client: client('`properties check` finds it for an older version', () => {
        const webhooks = { ...templateExample, type: 'WebhookProcessor' };
        const needs = (version: string) =>
          checkTemplate(webhooks, { version }).findings.some(
            ({ code, path }) => code === 'needs-version' && path === 'type',
          );
        expect([needs('11.0'), needs('10.9.1')]).toEqual([false, true]);
      }),
      deployment: deployment('Older versions have no template of it', async ({ at }) => {
        for (const version of versions) {
          const types = (await (await at(version)).calls.templates()).map(({ type }) => type);
          expect([version, types.includes('WebhookProcessor')]).toEqual([version, isSince(version, '11.0')]);
        }
      }),
    },
    {
      id: '9 templates after an upgrade',
      says: 'What a version introduced is there after an upgrade to it',
      deployment: deployment('Brings templates to the version', ({ alone }) =>
        alone({ version: '10.9.1' }, async (reference) => {
          const { calls, running } = reference;
          const { id } = await updateOf(reference, 'release');
          const licenseFile = { name: 'license.json', bytes: new TextEncoder().encode('{}') };
          await calls.upgrade({ id, licenseFile });
          running.wait(100_000);
          const templates = await calls.templates();
          expect(templates.map(({ type }) => type)).toContain('WebhookProcessor');
          expect(new Set(templates.map(({ spec }) => spec.replicas?.scalingMode))).toEqual(
            new Set(['manual']),
          );
        }),
      ),
    },
    operation(
      'getUpgradeSettings',
      '/system/upgrades/getUpgradeSettings',
      '11.0',
      client('Says so where it is not there', async (own, other) => {
        other.answer('/admin/system/upgrades/getUpgradeSettings', notThere);
        await expect(getUpgradeSettings(own, 'rel_1_1')).rejects.toThrow(
          'the operation requires version 11.0',
        );
      }),
    ),
    operation('checkRollback', '/system/upgrades/checkRollback', '10.9'),
    operation('upgrade', '/system/upgrades/upgrade', '10.9'),
    {
      id: '9 upgradeSettings',
      says: '`upgradeSettings` is required at 11.0, where the earlier license and patch parameters are deprecated',
      deployment: deployment('Older versions take a release without it', async ({ alone, at }) => {
        await alone({ version: '10.9' }, async (reference) => {
          const { id } = await updateOf(reference, 'release');
          expect(await reference.calls.upgrade({ id })).toMatchObject({ state: 'in_progress' });
        });
        for (const version of versions.slice(2, -1)) {
          const reference = await at(version);
          const { id } = await updateOf(reference, 'release');
          await expect(reference.calls.upgrade({ id })).rejects.toThrow(
            '"upgradeSettings" requires the settings',
          );
        }
      }),
    },
    {
      id: '9 versions',
      says: 'The interface has been described from 10.9 to 11.2',
      deployment: byHand('Begins as each, and as 11.3; refuses others', async ({ alone }) => {
        expect(deploymentVersions).toEqual(versions);
        await expect(alone({ version: '9.3' }, async () => {})).rejects.toThrow('not "9.3"');
      }),
    },
    {
      id: '9 message version',
      says: 'The message version of the catalog is readable with `GetMessageVersion`',
      client: client('Reads it', async (own) => {
        expect(await getMessageVersion(own)).toEqual({
          messageVersion: 'vendorVersion107',
          proMessageVersion: 'vendorProVersion2_9',
        });
      }),
      deployment: deployment('Answers the latest of section 2.1', async ({ calls }) => {
        expect(await calls.messageVersion()).toEqual({
          MessageVersion: 'vendorVersion108',
          ProMessageVersion: 'vendorProVersion3_3',
        });
      }),
    },
    {
      id: '9 namespace',
      says: 'The SOAP namespace of the catalog carries version 3.3.0',
      client: client('Sends it', async (own, other) => {
        await getMessageVersion(own);
        expect(other.last().text).toMatch(/xmlns:\w+="[^"]+\/3\.3\.0"/);
      }),
      deployment: byHand('Its WSDL has it', async ({ running }) => {
        expect(await wsdlOf(running)).toMatch(/targetNamespace="[^"]+\/3\.3\.0"/);
      }),
    },
    {
      id: '9 identifiers of updates',
      says: 'The identifier of a release is a string of the form `rel_<number>_<build>`',
      client: client('Takes it for a string, whatever its form', async (own, other) => {
        await getUpgradeSettings(own, 'rel_1234_5678');
        expect(other.last().form.get('upgradeId')).toBe('{"id":"rel_1234_5678"}');
      }),
      deployment: deployment('Each release has one', async (reference) => {
        const ids = await releaseIds(reference);
        for (const id of ids) expect(id).toMatch(/^rel_\d+_\d+$/);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    },
  ],
};
