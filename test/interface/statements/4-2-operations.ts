import { expect } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { submitExport } from '../../../src/client/exports.ts';
import { editPropertyTemplate } from '../../../src/client/properties.ts';
import { checkRollback, getUpgradeSettings, startUpgrade } from '../../../src/client/upgrades.ts';
import { newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import { templateExample } from '../parties/examples.ts';
import { sharedToken } from '../parties/shared-token.ts';
import type { Running } from '../running.ts';
import { byHand, client, type Section, type Statement } from './statement.ts';

interface Operation {
  readonly name: string;
  readonly path: string;
  readonly type: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  readonly own: (own: Client) => Promise<unknown>;
}

const template = '9375dd81-30d1-41c0-a802-cabb425159b1';

const operations: readonly Operation[] = [
  {
    name: 'export',
    path: '/logs/export',
    type: 'application/x-www-form-urlencoded',
    own: (own) => submitExport(own, newestLogsRequest),
  },
  {
    name: 'edit',
    path: `/system/deployments/properties/${template}/edit`,
    type: 'application/x-www-form-urlencoded',
    own: (own) => editPropertyTemplate(own, templateExample),
  },
  {
    name: 'getUpgradeSettings',
    path: '/system/upgrades/getUpgradeSettings',
    type: 'application/x-www-form-urlencoded',
    own: (own) => getUpgradeSettings(own, 'rel_1_1'),
  },
  {
    name: 'checkRollback',
    path: '/system/upgrades/checkRollback',
    type: 'application/x-www-form-urlencoded',
    own: checkRollback,
  },
  {
    name: 'upgrade',
    path: '/system/upgrades/upgrade',
    type: 'multipart/form-data',
    own: (own) => startUpgrade(own, { id: 'rel_1_1' }),
  },
];

async function send(running: Running, { path, type }: Operation, fields: Readonly<Record<string, string>>) {
  const all = Object.entries({ token: await sharedToken(running), ...fields });
  const form = new FormData();
  for (const [name, value] of all) form.set(name, value);
  const body = type === 'multipart/form-data' ? form : new URLSearchParams(all);
  const response = await fetch(running.client.addresses.root + path, { method: 'POST', body });
  const text = await response.text();
  return { type: response.headers.get('content-type')?.split(';')[0], text };
}

/** Statements that hold for each operation alike. */
function statementsOf(operation: Operation): readonly Statement[] {
  const { name, path, type, own: call } = operation;
  const format = (f: string, check: (reply: Awaited<ReturnType<typeof send>>) => void) =>
    byHand(`Answers ${f === '' ? 'a page' : `as \`${f}\``}`, async ({ running }) =>
      check(await send(running, operation, f === '' ? {} : { f })),
    );
  const isPage = ({ type, text }: { type: string | undefined; text: string }) =>
    expect([type, text.slice(0, 15)]).toEqual(['text/html', '<!doctype html>']);
  return [
    {
      id: `4.2 ${name} takes POST`,
      says: `\`${name}\` takes POST`,
      client: client('Sends it', async (own, other) => {
        await call(own);
        expect(other.last().method).toBe('POST');
      }),
      deployment: byHand('Answers nothing but a form to GET: HTTP 405', async ({ running }) => {
        const response = await fetch(`${running.client.addresses.root}${path}?f=json`);
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      }),
    },
    {
      id: `4.2 ${name} body`,
      says: `The body of \`${name}\` is a form: ${type}`,
      client: client('Sends it', async (own, other) => {
        await call(own);
        expect(other.last().type.split(';')[0]).toBe(type);
      }),
      deployment: byHand('Reads it; refuses JSON', async ({ running }) => {
        const { text } = await send(running, operation, { f: 'json' });
        expect(text).not.toContain('"code":499');
        const body = JSON.stringify({ token: await sharedToken(running), f: 'json' });
        const headers = { 'content-type': 'application/json' };
        const refused = await fetch(running.client.addresses.root + path, { method: 'POST', body, headers });
        expect(await refused.json()).toMatchObject({ error: { code: 400 } });
      }),
    },
    {
      id: `4.2 ${name} f=html`,
      says: `\`f\` of \`${name}\` can be \`html\``,
      deployment: format('html', isPage),
    },
    {
      id: `4.2 ${name} f=json`,
      says: `\`f\` of \`${name}\` can be \`json\``,
      client: client('Asks for it', async (own, other) => {
        await call(own);
        expect(other.last().form.get('f')).toBe('json');
      }),
      deployment: format('json', ({ type, text }) => {
        expect(type).toBe('application/json');
        expect(text).toBe(JSON.stringify(JSON.parse(text)));
      }),
    },
    {
      id: `4.2 ${name} f=pjson`,
      says: `\`f\` of \`${name}\` can be \`pjson\``,
      deployment: format('pjson', ({ type, text }) => {
        expect(type).toBe('application/json');
        expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
    },
    {
      id: `4.2 ${name} default of f`,
      says: `\`f\` of \`${name}\` is \`html\` by default`,
      deployment: format('', isPage),
    },
    {
      id: `4.2 ${name} other f`,
      says: `\`f\` of \`${name}\` has these three values`,
      deployment: byHand('Refuses any other', async ({ running }) => {
        const { text } = await send(running, operation, { f: 'xml' });
        expect(JSON.parse(text)).toMatchObject({
          error: { code: 400, details: ['"f" requires one of "html", "json", "pjson"'] },
        });
      }),
    },
    {
      id: `4.2 ${name} token`,
      says: `The parameter \`token\` of \`${name}\` carries the access token`,
      client: client('Sends it in the body, and nowhere else', async (own, other) => {
        await call(own);
        const { form, search, headers } = other.last();
        expect([form.get('token'), search.has('token'), headers.authorization]).toEqual([
          'token-17',
          false,
          undefined,
        ]);
      }),
      deployment: byHand(
        'Requires it: 499 without, 498 with a wrong one, 403 without the privilege',
        async ({ running }) => {
          const code = async (token: string) => {
            const { text } = await send(running, operation, { token, f: 'json' });
            return JSON.parse(text).error?.code;
          };
          const guest = await sharedToken(running, { username: 'guest', password: 'a guest is welcome' });
          expect([await code(''), await code('invented'), await code(guest)]).toEqual([499, 498, 403]);
          expect([498, 499, 403]).not.toContain(await code(await sharedToken(running)));
        },
      ),
    },
  ];
}

export const commonParameters: Section = {
  number: '4.2',
  title: 'Administrative operations (HTTP)',
  file: '4-2-operations.ts',
  statements: operations.flatMap(statementsOf),
};
