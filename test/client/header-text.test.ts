import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFolders } from '../../src/client/catalog.ts';
import { type Credentials, openClient } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import { addressesFor } from './deployment.ts';

/** Requests to a catalog, and errors; nothing is there that could answer. */
async function ask(credentials: Credentials) {
  const sent: Request[] = [];
  const transport = async (request: Request) => {
    sent.push(request);
    return Response.json({ error: { code: 400, message: 'no' } });
  };
  await using client = openClient({ addresses: addressesFor('http://gis.test/gis'), credentials, transport });
  const thrown: unknown = await getFolders(client).catch((error: unknown) => error);
  return { sent, thrown };
}

/** All that an error shows. */
function shownBy(error: unknown): string {
  return error instanceof Error ? `${error.stack} ${shownBy(error.cause)}` : String(error);
}

describe.each([
  ['a line break', 'secret\r\nX-Evil: 1'],
  ['a zero', 'secret\u0000'],
  ['a letter of another alphabet', 'secretЖ'],
])('a secret with %s', (_, secret) => {
  test.each<[string, Credentials]>([
    ['token', { kind: 'token', token: secret }],
    ['supplied token', { kind: 'supplied', supply: async () => secret }],
    ['referer', { kind: 'token', token: 'good', referer: secret }],
    ['referer of a sign-in', { kind: 'password', username: 'a', password: 'b', referer: secret }],
  ])('as the %s is neither sent nor quoted', async (_name, credentials) => {
    const { sent, thrown } = await ask(credentials);
    expect(sent).toEqual([]);
    expect(thrown).toMatchObject({ code: 'REFUSED', arrived: false });
    expect(shownBy(thrown)).not.toContain('secret');
  });
});

test('whatever a token holds, it makes one header or none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (token) => {
      const { sent, thrown } = await ask({ kind: 'token', token });
      expect(thrown).toBeInstanceOf(ClientError);
      for (const { headers } of sent) {
        expect([...headers.keys()].toSorted()).toEqual(['authorization', 'content-type', 'soapaction']);
      }
    }),
  );
});
