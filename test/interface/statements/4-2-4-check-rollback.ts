import { expect } from 'vitest';
import { checkRollback, startRollback } from '../../../src/client/upgrades.ts';
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
      client: client('Sends it as the public documentation of the vendor has it', async (own, other) => {
        const [option] = await checkRollback(own);
        expect(option?.id).toBe('rel_1100_17');
        await startRollback(own, { id: option?.id ?? '' });
        const { form } = other.last('/admin/system/upgrades/rollback');
        expect(JSON.parse(String(form.get('versionManifest')))).toEqual({ id: 'rel_1100_17' });
      }),
      deployment: byHand('Takes an option that there is and no other', ({ alone }) =>
        alone({ version: '11.2' }, async (reference) => {
          const { running, calls } = reference;
          await calls.upgrade({ id: (await updateOf(reference, 'patch')).id });
          running.wait(40_000);
          const [option] = await calls.rollbackOptions();
          const send = async (id: string) =>
            postForm(`${running.client.addresses.upgrades}/rollback`, {
              token: await sharedToken(running),
              versionManifest: JSON.stringify({ id }),
            });
          expect(await send('rel_1_1')).toMatchObject({ error: { code: 400 } });
          expect(await send(option?.id ?? '')).toMatchObject({ status: { state: 'in_progress', code: 1 } });
        }),
      ),
    },
  ],
};
