import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import {
  editPropertyTemplate,
  readPropertyTemplate,
  readPropertyTemplates,
} from '../../src/client/properties.ts';
import {
  checkRollback,
  getUpgradeSettings,
  readAvailableUpdates,
  readUpgradeStatus,
  startUpgrade,
} from '../../src/client/upgrades.ts';
import { uploadFile } from '../../src/client/uploads.ts';
import { failureOfFault } from '../../src/protocol/catalog.ts';
import { template } from '../administration/a-template.ts';
import { clientOf, deploymentOf, type Seen } from './deployment.ts';

const json = (body: unknown) => new Response(JSON.stringify(body));
const status = (state: string, code: number, ...messages: object[]) =>
  json({ status: { state, code, messages } });
const file = { name: 'license.json', bytes: new Uint8Array([123, 125]) };

describe('JSON that is none of the interface', () => {
  test.each<[string, (client: Client) => Promise<unknown>, string]>([
    ['a list of templates', (client) => readPropertyTemplates(client), 'that is not a property template'],
    ['a template', (client) => readPropertyTemplate(client, 'a'), 'that is not a property template'],
    ['an edit', (client) => editPropertyTemplate(client, template), 'that is not the success of an edit'],
    ['an upload', (client) => uploadFile(client, file), 'that is not an uploaded item'],
    ['the upgrades', (client) => readUpgradeStatus(client), 'that is not the state of an upgrade'],
    ['available updates', (client) => readAvailableUpdates(client), 'that is not a list of updates'],
    ['settings', (client) => getUpgradeSettings(client, 'rel_1_1'), 'that is not settings of an upgrade'],
    ['rollback options', (client) => checkRollback(client), 'that is not rollback options'],
  ])('in the place of %s is a bad reply', async (_, call, message) => {
    await using client = clientOf(async () => json({ hello: 'world' }));
    await expect(call(client)).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining(`${message} ("{"hello":"world"}")`),
    });
  });

  test('in the place of a started upgrade leaves open whether there is one', async () => {
    const { fetch } = deploymentOf(({ path }) =>
      path.endsWith('/upgrade') ? json({ ok: 1 }) : status('no_upgrade', 0),
    );
    const clock = { now: () => 0, sleep: async () => {} };
    await using client = clientOf(fetch, { clock });
    await expect(startUpgrade(client, { id: 'rel_1_1' }, { patience: 0 })).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining('Whether the upgrade has started is not known'),
    });
  });
});

test('more than one template in the place of one is a bad reply', async () => {
  await using client = clientOf(async () => json([template, template]));
  await expect(readPropertyTemplate(client, 'a')).rejects.toMatchObject({ code: 'BAD_REPLY' });
});

test('resources are read by GET where POST is not allowed, and the token stays out of the address', async () => {
  const { fetch, seen } = deploymentOf(({ method }) =>
    method === 'POST' ? new Response('', { status: 405 }) : status('no_upgrade', 0),
  );
  await using client = clientOf(fetch);
  expect(await readUpgradeStatus(client)).toMatchObject({ state: 'no_upgrade' });
  expect(seen.map(({ method, search }: Seen) => [method, search])).toEqual([
    ['POST', ''],
    ['GET', '?f=json'],
  ]);
  expect(seen[1]?.headers.get('authorization')).toBe('Bearer token-1');
});

test('an identifier is one step of an address', async () => {
  const { fetch, seen } = deploymentOf(() => json({ ...template, id: 'a/../b?c#d' }));
  await using client = clientOf(fetch);
  await readPropertyTemplate(client, 'a/../b?c#d');
  expect(seen[0]?.path).toBe('/arcgis/admin/system/deployments/properties/a%2F..%2Fb%3Fc%23d');
});

test('a multipart form carries the token as a field, and its files unchanged', async () => {
  const bytes = new Uint8Array([0, 255, 13, 10, 45, 45]);
  const forms: FormData[] = [];
  await using client = clientOf(async (request) => {
    forms.push(await request.formData());
    return json({ item: 'i1' });
  });
  expect(await uploadFile(client, { name: 'a "b" ü.json', bytes })).toEqual({ itemID: 'i1' });
  const [form] = forms;
  const sent = form?.get('itemFile');
  expect(form?.get('token')).toBe('token-1');
  expect(sent instanceof File && [sent.name, new Uint8Array(await sent.arrayBuffer())]).toEqual([
    'a "b" ü.json',
    bytes,
  ]);
});

test.each([
  ['an upgrade that was over before is none that has started', 'success', 'UNREACHABLE'],
  ['an upgrade with other messages is', 'other', undefined],
])('%s', async (_, after, code) => {
  let started = false;
  const before = { message: 'a', code: 2012, when: 1 };
  const { fetch } = deploymentOf(({ path }) => {
    if (!path.endsWith('/upgrade')) {
      const messages = started && after === 'other' ? [{ message: 'b', code: 2012, when: 2 }] : [before];
      return status('success', 3, ...messages);
    }
    started = true;
    throw new TypeError('fetch failed');
  });
  const transport = async (request: Request) => {
    try {
      return await fetch(request);
    } catch {
      throw new ClientError('UNREACHABLE', 'The connection broke');
    }
  };
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const clock = { now: () => now, sleep };
  await using client = clientOf(transport, { clock });
  const starting = startUpgrade(client, { id: 'rel_1_1' }, { patience: 10_000 });
  if (code) await expect(starting).rejects.toMatchObject({ code });
  else expect(await starting).toMatchObject({ state: 'success', messages: [{ message: 'b' }] });
});

test.each([
  ['Token Required', '', 499],
  ['A token is required', '', 499],
  ['Invalid Token', '', 498],
  ['The token has expired', '', 498],
  ['Error', '498: no', 498],
  ['Access denied', 'code 403', 403],
  ['Something else', '', undefined],
])('the fault "%s" (%s) stands for the code %s', (message, detail, code) => {
  expect(failureOfFault({ code: 'Client', message, detail })).toMatchObject({
    ...(code !== undefined && { code }),
    message,
    details: detail === '' ? [] : [detail],
  });
  expect('code' in failureOfFault({ code: 'Client', message, detail })).toBe(code !== undefined);
});
