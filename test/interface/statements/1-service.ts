import { expect } from 'vitest';
import {
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
  getTokenServiceUrl,
  requiresTokens,
} from '../../../src/client/catalog.ts';
import { readJob, submitExport } from '../../../src/client/exports.ts';
import { editPropertyTemplate } from '../../../src/client/properties.ts';
import {
  checkRollback,
  getUpgradeSettings,
  readUpgradeStatus,
  startUpgrade,
} from '../../../src/client/upgrades.ts';
import { addressesOf } from '../../../src/protocol/addresses.ts';
import { newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import { templateExample } from '../parties/examples.ts';
import { editable, edited, updateOf, withReplicas } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import { byHand, client, deployment, type Section } from './statement.ts';

const log = { logCode: 1, source: 'Rest', machine: 'm', process: '1' } as const;
const time = Date.UTC(2025, 2, 12);

export const service: Section = {
  number: '1',
  title: 'What the service does',
  file: '1-service.ts',
  options: {
    logs: [
      { ...log, time, logLevel: 'SEVERE', msg: 'a bridge is closed' },
      { ...log, time: time + 1000, logLevel: 'INFO', msg: 'a road is open' },
    ],
  },
  statements: [
    {
      id: '1 {root}',
      says: 'The paths of the administrative operations are relative to {root}, the administrative base address',
      client: client('Sends all of them to paths below one address', async (own, other) => {
        await submitExport(own, newestLogsRequest);
        await editPropertyTemplate(own, templateExample);
        await getUpgradeSettings(own, 'rel_1_1');
        await checkRollback(own);
        await startUpgrade(own, { id: 'rel_1_1' });
        const paths = new Set(other.arrived.map(({ path }) => path));
        expect([...paths]).toEqual([
          '/admin/logs/export',
          '/admin/system/deployments/properties/template-17/edit',
          '/admin/system/upgrades/getUpgradeSettings',
          '/admin/system/upgrades/checkRollback',
          '/admin/system/upgrades',
          '/admin/system/upgrades/upgrade',
        ]);
      }),
      deployment: byHand('Has all of them below `/gis/admin`, and none elsewhere', async ({ running }) => {
        const form = { token: await sharedToken(running) };
        const [template] = (
          (await postForm(`${running.url}/admin/system/deployments/properties`, form)) as {
            properties: { id: string }[];
          }
        ).properties;
        for (const path of [
          'logs/export',
          `system/deployments/properties/${template?.id}/edit`,
          'system/upgrades/getUpgradeSettings',
          'system/upgrades/checkRollback',
          'system/upgrades/upgrade',
        ]) {
          const inside = await fetch(`${running.url}/admin/${path}`, { method: 'POST' });
          const outside = await fetch(`${running.url}/${path}`, { method: 'POST' });
          expect([path, inside.status === 404, outside.status]).toEqual([path, false, 404]);
        }
      }),
    },
    {
      id: '1 {base_url}',
      says: 'The SOAP endpoint has an address of its own, {base_url}',
      client: client('Finds it beside `/admin`, and by its own address', async (own, other) => {
        await requiresTokens(own);
        expect(other.last().path).toBe('/services');
        expect(addressesOf('https://gis.example/enterprise/services')).toMatchObject({
          catalog: 'https://gis.example/enterprise/services',
          root: 'https://gis.example/enterprise/admin',
        });
      }),
      deployment: byHand('Answers at `/gis/services`, which its WSDL names', async ({ running }) => {
        const wsdl = await (await fetch(`${running.url}/services?wsdl`)).text();
        expect(wsdl).toContain(`location="${running.url}/services"`);
      }),
    },
    {
      id: '1 catalog',
      says: 'The catalog describes services, folders, version, formats, and whether and where tokens are given',
      client: client('Has a function for each', async (own, other) => {
        expect(await getServiceDescriptions(own)).toHaveLength(1);
        expect(await getFolders(own)).toEqual(['Roads', 'Rail']);
        expect(await getMessageVersion(own)).toMatchObject({ messageVersion: 'vendorVersion107' });
        expect(await getMessageFormats(own)).toBe('vendorServiceCatalogMessageFormatSoapOrBin');
        expect(await requiresTokens(own)).toBe(false);
        expect(await getTokenServiceUrl(own)).toBe(`${other.url}/tokens`);
      }),
      deployment: deployment('Answers all of it', async ({ calls, running }) => {
        expect((await calls.services()).length).toBeGreaterThan(5);
        expect(await calls.folders()).toHaveLength(6);
        expect((await calls.messageVersion()).MessageVersion).toBe('vendorVersion108');
        expect(await calls.messageFormats()).toBe('vendorServiceCatalogMessageFormatSoap');
        expect(await calls.requiresTokens()).toBe(true);
        expect(await calls.tokenServiceUrl()).toBe(`${running.url}/sharing/rest/generateToken`);
      }),
    },
    {
      id: '1 export',
      says: 'Logs are exported into a .zip by structured filters or by full-text search',
      client: client('Sends either', async (own, other) => {
        await submitExport(own, { ...newestLogsRequest, users: 'maria' });
        expect(other.last().form.get('users')).toBe('maria');
        expect(other.last().form.get('searchQuery')).toBe('');
        await submitExport(own, { ...newestLogsRequest, searchQuery: 'bridge' });
        expect(other.last().form.get('searchQuery')).toBe('bridge');
      }),
      deployment: deployment('Evaluates either', async ({ exported }) => {
        const found = async (form: Record<string, string>) =>
          (await exported({ startTime: String(time + 9000), ...form })).map(({ msg }) => msg);
        expect(await found({ logLevel: 'SEVERE' })).toEqual(['a bridge is closed']);
        expect(await found({ searchQuery: 'road' })).toEqual(['a road is open']);
      }),
    },
    {
      id: '1 edit',
      says: 'An edit changes the default properties of one type of microservice',
      client: client('Sends one template to its own address', async (own, other) => {
        await editPropertyTemplate(own, templateExample);
        expect(other.arrived.map(({ path }) => path)).toEqual([
          '/admin/system/deployments/properties/template-17/edit',
        ]);
      }),
      deployment: deployment('Changes that template and no other', async (reference) => {
        const before = await editable(reference);
        const others = async () => (await reference.calls.templates()).filter(({ id }) => id !== before.id);
        const untouched = await others();
        const replicas = { min: 3, max: 3, scalingMode: 'manual' };
        const after = await edited(reference, withReplicas(before, replicas));
        expect(after.spec.replicas).toEqual(replicas);
        expect(await others()).toEqual(untouched);
      }),
    },
    {
      id: '1 settings',
      says: 'The settings that an upgrade to a patch or a release requires can be read',
      client: client('Reads them', async (own) => {
        expect((await getUpgradeSettings(own, 'rel_1_1')).map(({ id }) => id)).toEqual([
          'updateToLatestPatch',
          'licenseUpload',
          'volumesConfig',
        ]);
      }),
      deployment: deployment('Requires settings of a release, and none of a patch', async (reference) => {
        const idOf = async (kind: 'release' | 'patch') => (await updateOf(reference, kind)).id;
        expect((await reference.calls.settings(await idOf('release'))).map(({ id }) => id)).toEqual([
          'updateToLatestPatch',
          'volumesConfig',
        ]);
        expect(await reference.calls.settings(await idOf('patch'))).toEqual([]);
      }),
    },
    {
      id: '1 rollback',
      says: 'The rollback options of the installed patch can be listed',
      client: client('Lists them', async (own) => {
        expect((await checkRollback(own)).map(({ id }) => id)).toEqual(['rel_1100_17']);
      }),
      deployment: deployment('Lists the release without the patch', ({ alone }) =>
        alone({ version: '11.1' }, async (reference) => {
          await reference.calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
          reference.running.wait(100_000);
          const [option, ...others] = await reference.calls.rollbackOptions();
          expect(option).toMatchObject({ type: 'release', version: '11.1' });
          expect(others).toEqual([]);
        }),
      ),
    },
    {
      id: '1 upgrade',
      says: 'The deployment is upgraded by a patch or a release, with live job messages',
      client: client('Starts it and reads the messages', async (own) => {
        expect((await startUpgrade(own, { id: 'rel_1_1' })).messages).toHaveLength(1);
        expect((await readUpgradeStatus(own)).messages).toHaveLength(2);
      }),
      deployment: deployment('Writes one message after the other', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { calls, running } = reference;
          const started = await calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
          running.wait(10_000);
          const underWay = await calls.status();
          running.wait(90_000);
          const counts = [started, underWay, await calls.status()].map(({ messages }) => messages.length);
          expect(counts).toEqual(counts.toSorted((a, b) => a - b));
          expect(new Set(counts).size).toBe(3);
          const settings = await calls.settings((await updateOf(reference, 'release')).id);
          const release = await calls.upgrade({ id: (await updateOf(reference, 'release')).id, settings });
          expect(release).toMatchObject({ state: 'in_progress' });
        }),
      ),
    },
    {
      id: '1 jobs',
      says: 'Long operations run as jobs: the call returns at once, and the result is read later',
      client: client('Returns the job, and reads it when asked', async (own, other) => {
        const { jobsUrl, status } = await submitExport(own, newestLogsRequest);
        expect([status, other.arrived.length]).toEqual(['SUBMITTED', 1]);
        expect(await readJob(own, jobsUrl)).toMatchObject({ status: 'COMPLETED' });
      }),
      deployment: deployment('Has no result at once, and one after a while', async ({ calls, running }) => {
        const { jobsUrl } = await calls.submit({});
        expect(await calls.job(jobsUrl)).not.toHaveProperty('result');
        running.wait(10_000);
        expect(await calls.job(jobsUrl)).toHaveProperty('result.URL');
      }),
    },
  ],
};
