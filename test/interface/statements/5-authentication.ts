import { expect } from 'vitest';
import { getTokenServiceUrl, requiresTokens } from '../../../src/client/catalog.ts';
import { openClient } from '../../../src/client/client.ts';
import { fetchToken } from '../../../src/client/sign-in.ts';
import { readUpgradeStatus } from '../../../src/client/upgrades.ts';
import { addressesFor, noPause } from '../../client/deployment.ts';
import { soapReply } from '../parties/independent-deployment.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { admin, postForm } from '../running.ts';
import { byHand, client, deployment, type Section } from './statement.ts';

export const authentication: Section = {
  number: '5',
  title: 'Authentication',
  file: '5-authentication.ts',
  statements: [
    {
      id: '5 token',
      says: 'Every administrative operation accepts `token` in the body, an access token',
      client: client('Gets one by itself, and sends it in the body', async (_, other) => {
        other.answer('/sharing/rest/generateToken', {
          token: 'issued-17',
          expires: Date.now() + 9e6,
          ssl: false,
        });
        await using own = openClient({
          addresses: addressesFor(other.url),
          credentials: { kind: 'password', username: 'operator', password: 'a password' },
          retry: noPause,
        });
        await readUpgradeStatus(own);
        expect(other.arrived.map(({ path, form }) => [path, form.get('token')])).toEqual([
          ['/sharing/rest/generateToken', null],
          ['/admin/system/upgrades', 'issued-17'],
        ]);
      }),
      deployment: byHand('Takes the token of its token service so', async ({ running }) => {
        const { token } = (await postForm(`${running.url}/sharing/rest/generateToken`, {
          ...admin,
          client: 'requestip',
        })) as { token: string };
        for (const path of ['logs/export', 'system/upgrades/checkRollback']) {
          const address = `${running.client.addresses.root}/${path}`;
          expect(await postForm(address, { token })).not.toHaveProperty('error');
          expect(await postForm(address, {})).toMatchObject({ error: { code: 499 } });
        }
      }),
    },
    {
      id: '5 RequiresTokens',
      says: '`RequiresTokens` tells whether tokens are required',
      client: client('Reads `true`, `false`, `1` and `0`', async (own, other) => {
        for (const [text, expected] of [
          ['true', true],
          ['1', true],
          ['false', false],
          ['0', false],
        ] as const) {
          other.answer('RequiresTokens', soapReply('RequiresTokens', `<Result>${text}</Result>`));
          expect(await requiresTokens(own)).toBe(expected);
        }
      }),
      deployment: deployment('Tells it, and acts on it', async ({ calls, running, alone }) => {
        expect(await calls.requiresTokens()).toBe(true);
        await using anonymous = running.open({ credentials: { kind: 'none' } });
        const { getFolders } = await import('../../../src/client/catalog.ts');
        await expect(getFolders(anonymous)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
        await alone({ requiresTokens: false }, async (open) => {
          expect(await open.calls.requiresTokens()).toBe(false);
          await using nobody = open.running.open({ credentials: { kind: 'none' } });
          expect(await getFolders(nobody)).toHaveLength(6);
        });
      }),
    },
    {
      id: '5 GetTokenServiceURL',
      says: '`GetTokenServiceURL` returns the address of the token service',
      client: client('Gives it back; empty where there is none', async (own, other) => {
        expect(await getTokenServiceUrl(own)).toBe(`${other.url}/tokens`);
        other.answer('GetTokenServiceURL', soapReply('GetTokenServiceURL', '<TokenServiceURL/>'));
        expect(await getTokenServiceUrl(own)).toBe('');
      }),
      deployment: deployment('A token is given at it', async ({ calls }) => {
        const form = { ...admin, client: 'requestip' };
        expect(await postForm(await calls.tokenServiceUrl(), form)).toMatchObject({
          token: expect.stringMatching(/^\S{20,}$/),
          expires: expect.any(Number),
        });
      }),
    },
    {
      id: '5 obtaining a token',
      says: 'How a token is obtained, and how long it lives, is not shown',
      client: client('Signs in at `generateToken`, or takes a token that it is given', async (_, other) => {
        const expires = Date.now() + 1_800_000;
        other.answer('/sharing/rest/generateToken', { token: 'issued-17', expires, ssl: false });
        const { token } = await fetchToken({
          addresses: addressesFor(other.url),
          credentials: { kind: 'password', username: 'operator', password: 'a password', minutes: 30 },
        });
        const { form, search } = other.last();
        expect([token, form.get('username'), form.get('password'), form.get('expiration')]).toEqual([
          'issued-17',
          'operator',
          'a password',
          '30',
        ]);
        expect([...search.keys()]).toEqual([]);
      }),
      deployment: byHand(
        'Gives one for a user and a password, for the minutes asked for',
        async ({ running }) => {
          const ask = (form: Readonly<Record<string, string>>) =>
            postForm(`${running.url}/sharing/rest/generateToken`, { ...admin, client: 'requestip', ...form });
          const { expires } = (await ask({ expiration: '30' })) as { expires: number };
          const inMinutes = (expires - Date.now()) / 60_000;
          // The clock of the deployment is ahead by what other tests waited.
          expect(inMinutes).toBeGreaterThan(29);
          expect(await ask({ password: 'wrong' })).toMatchObject({ error: { code: 400 } });
        },
      ),
    },
    {
      id: '5 token for an address',
      says: 'What a token is bound to is not shown',
      deployment: byHand('`client` = `ip` requires `ip`', async ({ running }) => {
        const form = { ...admin, client: 'ip' };
        expect(await postForm(`${running.url}/sharing/rest/generateToken`, form)).toMatchObject({
          error: { code: 400, details: [expect.stringContaining('"ip"')] },
        });
      }),
    },
    {
      id: '5 portal',
      says: 'Resources of the sharing API are not shown',
      deployment: byHand('Has `portals/self`, which clients of the vendor ask for', async ({ running }) => {
        const token = await sharedToken(running);
        const reply = await postForm(`${running.url}/sharing/rest/portals/self`, { token });
        expect(reply).not.toHaveProperty('error');
        expect(reply).toMatchObject({ user: { username: 'admin' } });
      }),
    },
    {
      id: '5 roles',
      says: 'Which roles may call which operation is not shown',
      client: client('Says which privilege is missing', async (own, other) => {
        other.answer('/admin/system/upgrades', { error: { code: 403, message: 'No access', details: [] } });
        await expect(readUpgradeStatus(own)).rejects.toMatchObject({
          code: 'FORBIDDEN',
          message: expect.stringContaining('lacks the privilege to see upgrades'),
        });
      }),
      deployment: byHand('A user has a list of privileges, or all; 403 without the one', ({ alone }) => {
        const users = [
          admin,
          { username: 'ann', password: 'a password', privileges: ['exportLogs'] },
        ] as const;
        return alone({ users: [...users] }, async ({ running }) => {
          const { username, password } = users[1];
          const { token } = (await postForm(`${running.url}/sharing/rest/generateToken`, {
            username,
            password,
            client: 'requestip',
          })) as { token: string };
          const { exportLogs, upgrades } = running.client.addresses;
          expect(await postForm(exportLogs, { token })).toMatchObject({ status: 'SUBMITTED' });
          expect(await postForm(upgrades, { token })).toMatchObject({ error: { code: 403 } });
        });
      }),
    },
  ],
};
