import { expect } from 'vitest';
import { getFolders } from '../../../src/client/catalog.ts';
import { readUpgradeStatus, watchUpgrade } from '../../../src/client/upgrades.ts';
import { updateOf } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { byHand, client, deployment, type Section } from './statement.ts';

export const events: Section = {
  number: '6',
  title: 'Events',
  file: '6-events-and-errors.ts',
  statements: [
    {
      id: '6 webhooks',
      says: 'Webhooks, notifications and other emitted events are not shown',
      client: client('Has no function for them', async () => {
        const functions = Object.keys(await import('../../../src/client.ts'));
        expect(functions.length).toBeGreaterThan(40);
        expect(functions.filter((name) => /webhook|notif|subscri/i.test(name))).toEqual([]);
      }),
      deployment: byHand('Has no resource for them: HTTP 404', async ({ running }) => {
        const body = new URLSearchParams({ token: await sharedToken(running), f: 'json' });
        for (const path of ['webhooks', 'notifications', 'system/webhooks']) {
          const response = await fetch(`${running.client.addresses.root}/${path}`, { method: 'POST', body });
          expect(response.status).toBe(404);
        }
      }),
    },
    {
      id: '6 progress messages',
      says: 'The upgrade produces progress messages that are read from the upgrades resource',
      client: client('Reads them there, each once', async (own, other) => {
        const messages = [1, 2, 3].map((at) => ({
          message: `Step ${at}`,
          code: 2038,
          when: 1_663_000_000_000 + at,
        }));
        const looks = [1, 2, 2, 3];
        other.answer('/admin/system/upgrades', () => {
          const count = looks.shift() ?? 3;
          const state =
            looks.length === 0 ? { state: 'success', code: 3 } : { state: 'in_progress', code: 1 };
          return { status: { ...state, messages: messages.slice(0, count) } };
        });
        const seen = [];
        for await (const event of watchUpgrade(own, { pause: 1 }))
          if (event.kind === 'message') seen.push(event.message);
        expect(seen).toEqual(messages);
      }),
      deployment: deployment('Adds to them while it goes on', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { calls, running } = reference;
          await calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
          running.wait(10_000);
          const before = (await calls.status()).messages;
          running.wait(4000);
          const after = (await calls.status()).messages;
          expect(after.length).toBeGreaterThan(before.length);
          expect(after.slice(0, before.length)).toEqual(before);
        }),
      ),
    },
  ],
};

const refusal = { code: 400, message: 'No such thing', details: ['It is gone'] };

export const errors: Section = {
  number: '7',
  title: 'Errors',
  file: '6-events-and-errors.ts',
  statements: [
    {
      id: '7 error responses',
      says: 'Error responses are not shown',
      client: client(
        'Understands all shapes that have been seen, under HTTP 200 as well',
        async (own, other) => {
          for (const answer of [
            { error: refusal },
            { error: { ...refusal, details: 'It is gone' } },
            { error: { message: 'No such thing', details: null } },
            { status: 'error', messages: ['No such thing', 'It is gone'] },
            { status: 'failed', statusMessage: 'No such thing' },
            { success: false, message: 'No such thing' },
          ]) {
            other.answer('/admin/system/upgrades', answer);
            await expect(readUpgradeStatus(own)).rejects.toMatchObject({
              code: 'REFUSED',
              message: expect.stringContaining('No such thing'),
            });
          }
        },
      ),
      deployment: byHand('Answers `error` with `code`, `message` and `details`', async ({ running }) => {
        const body = new URLSearchParams({ token: await sharedToken(running), f: 'json', num: '0' });
        const response = await fetch(running.client.addresses.exportLogs, { method: 'POST', body });
        expect(await response.json()).toEqual({
          error: { code: 400, message: expect.any(String), details: [expect.any(String)] },
        });
      }),
    },
    {
      id: '7 error codes',
      says: 'Error codes are not shown',
      client: client('Tells by 498, 499 and 403 what to do', async (own, other) => {
        for (const [code, expected] of [
          [498, 'TOKEN_EXPIRED'],
          [499, 'TOKEN_EXPIRED'],
          [403, 'FORBIDDEN'],
          [500, 'SERVER_ERROR'],
          [400, 'REFUSED'],
        ] as const) {
          other.answer('/admin/system/upgrades', { error: { ...refusal, code } });
          await expect(readUpgradeStatus(own)).rejects.toMatchObject({ code: expected });
        }
      }),
      deployment: byHand(
        '498 and 499 for tokens, 403 for privileges, 400 for requests',
        async ({ running }) => {
          const guest = await sharedToken(running, { username: 'guest', password: 'a guest is welcome' });
          for (const [form, code] of [
            [{ token: '' }, 499],
            [{ token: 'invented' }, 498],
            [{ token: guest }, 403],
            [{ token: await sharedToken(running), num: '0' }, 400],
          ] as const) {
            const body = new URLSearchParams({ f: 'json', ...form });
            const response = await fetch(running.client.addresses.exportLogs, { method: 'POST', body });
            expect(await response.json()).toMatchObject({ error: { code } });
          }
        },
      ),
    },
    {
      id: '7 HTTP status codes',
      says: 'HTTP status codes of failures are not shown',
      deployment: byHand(
        '200 for a refusal, 404 for what is not there, 405 for another method',
        async ({ running }) => {
          const { root } = running.client.addresses;
          const post = { method: 'POST', body: new URLSearchParams({ f: 'json' }) };
          expect((await fetch(`${root}/logs/export`, post)).status).toBe(200);
          expect((await fetch(`${root}/nothing`, post)).status).toBe(404);
          expect((await fetch(`${root}/logs/export?f=json`)).status).toBe(405);
        },
      ),
    },
    {
      id: '7 SOAP mustUnderstand',
      says: 'Headers and versions of SOAP are not shown',
      deployment: byHand('Faults as SOAP has them: MustUnderstand, and SOAP 1.2', async ({ running }) => {
        const post = async (namespace: string, header: string, content: string) => {
          const body = `<e:Envelope xmlns:e="${namespace}">${header}<e:Body>${content}</e:Body></e:Envelope>`;
          const headers = { 'content-type': 'text/xml', soapaction: '""' };
          return (await fetch(`${running.url}/services`, { method: 'POST', headers, body })).text();
        };
        const first = 'http://schemas.xmlsoap.org/soap/envelope/';
        const header = '<e:Header><x:other xmlns:x="urn:x" e:mustUnderstand="1"/></e:Header>';
        expect(await post(first, header, '<RequiresTokens/>')).toMatch(
          /Fault><faultcode>\w+:MustUnderstand</,
        );
        const second = 'http://www.w3.org/2003/05/soap-envelope';
        expect(await post(second, '', '<GetOther/>')).toMatch(/VersionMismatch|2003\/05\/soap-envelope/);
      }),
    },
    {
      id: '7 SOAP faults',
      says: 'SOAP faults are not shown',
      client: client('Reads those of SOAP 1.1 and 1.2', async (own, other) => {
        const envelope = (fault: string) =>
          `<s:Envelope xmlns:s="s"><s:Body><s:Fault>${fault}</s:Fault></s:Body></s:Envelope>`;
        for (const fault of [
          '<faultcode>s:Client</faultcode><faultstring>Token Required</faultstring>',
          '<s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>Token Required</s:Text></s:Reason>',
        ]) {
          other.answer('GetFolders', envelope(fault));
          await expect(getFolders(own)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
        }
      }),
      deployment: byHand('Answers one of SOAP 1.1 with HTTP 500', async ({ running }) => {
        const body =
          '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><GetFolders/></e:Body></e:Envelope>';
        const headers = { 'content-type': 'text/xml', soapaction: '""' };
        const response = await fetch(`${running.url}/services`, { method: 'POST', headers, body });
        expect(response.status).toBe(500);
        expect(await response.text()).toMatch(
          /<(\w+):Fault><faultcode>\1:Client<\/faultcode><faultstring>Token Required/,
        );
      }),
    },
  ],
};
