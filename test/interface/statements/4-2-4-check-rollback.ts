import { expect } from 'vitest';
import { checkRollback } from '../../../src/client/index.ts';
import { updateExample } from '../parties/examples.ts';
import { updateOf } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import { byHand, client, deployment, type Section } from './statement.ts';

const path = '/admin/system/upgrades/checkRollback';

export const checkRollbackOptions: Section = {
  number: '4.2.4',
  title: 'Check rollback',
  file: '4-2-4-check-rollback.ts',
  statements: [
    {
      id: '4.2.4 parameters',
      says: 'The only parameter is `f`',
      client: client('Sends no other beside the token', async (own, other) => {
        await checkRollback(own);
        expect([...other.last().form.keys()].toSorted()).toEqual(['f', 'token']);
      }),
      deployment: byHand('Needs no other', async ({ running }) => {
        const form = { token: await sharedToken(running) };
        expect(await postForm(`${running.client.addresses.upgrades}/checkRollback`, form)).toEqual({
          updates: [],
        });
      }),
    },
    {
      id: '4.2.4 response',
      says: 'The response is an object with `updates`, an array of rollback options',
      client: client('Takes nothing else for one', async (own, other) => {
        expect(await checkRollback(own)).toEqual([updateExample]);
        for (const answer of [{ updates: {} }, { options: [] }, []]) {
          other.answer(path, answer);
          await expect(checkRollback(own)).rejects.toMatchObject({ code: 'BAD_REPLY' });
        }
      }),
      deployment: deployment('Lists the release and the earlier patches', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          for (const expected of [['release'], ['release', 'patch']]) {
            await reference.calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
            reference.running.wait(40_000);
            expect((await reference.calls.rollbackOptions()).map(({ type }) => type)).toEqual(expected);
          }
        }),
      ),
    },
    {
      id: '4.2.4 no patch',
      says: 'Without an installed patch, `updates` is an empty array',
      client: client('Gives an empty list', async (own, other) => {
        other.answer(path, { updates: [] });
        expect(await checkRollback(own)).toEqual([]);
      }),
      deployment: deployment('Is empty at each release', async ({ at }) => {
        for (const version of ['10.9', '11.1', '11.2'])
          expect(await (await at(version)).calls.rollbackOptions()).toEqual([]);
      }),
    },
    {
      id: '4.2.4 rollback',
      says: 'The identifier of an option is the input of the rollback operation, whose shape is not shown',
      client: client('Gives the identifier; has no function for that operation', async (own) => {
        expect((await checkRollback(own)).map(({ id }) => id)).toEqual(['rel_1100_17']);
        const functions = Object.keys(await import('../../../src/client/index.ts'));
        expect(functions.filter((name) => /rollback/i.test(name))).toEqual(['checkRollback']);
      }),
      deployment: byHand('Answers it as what is not there: HTTP 404', async ({ running }) => {
        for (const f of ['json', 'html']) {
          const body = new URLSearchParams({
            token: await sharedToken(running),
            f,
            versionManifest: '{"id":"rel_1_1"}',
          });
          const response = await fetch(`${running.client.addresses.upgrades}/rollback`, {
            method: 'POST',
            body,
          });
          expect([response.status, await response.json()]).toEqual([
            404,
            expect.objectContaining({ error: expect.objectContaining({ code: 404 }) }),
          ]);
        }
      }),
    },
  ],
};
