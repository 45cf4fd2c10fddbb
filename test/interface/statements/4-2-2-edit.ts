import { expect } from 'vitest';
import { editPropertyTemplate, readPropertyTemplate } from '../../../src/client/properties.ts';
import { checkTemplate } from '../../../src/protocol/check-template.ts';
import { affectedBy, setMember } from '../../../src/protocol/edit-template.ts';
import type { PropertyTemplate } from '../../../src/protocol/property-template.ts';
import { placementExample, templateExample } from '../parties/examples.ts';
import { editable, edited, withReplicas } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import { byHand, client, deployment, type Section, type Statement } from './statement.ts';

const path = '/admin/system/deployments/properties/template-17/edit';

export const editProperties: Section = {
  number: '4.2.2',
  title: 'Edit default properties',
  file: '4-2-2-edit.ts',
  statements: [
    {
      id: '4.2.2 <propertyTemplateID>',
      says: 'The path holds the identifier of the template',
      client: client('Writes it, and nothing that leads elsewhere', async (own, other) => {
        await editPropertyTemplate(own, templateExample);
        expect(other.last().path).toBe(path);
        await expect(editPropertyTemplate(own, { ...templateExample, id: 'a/../b' })).rejects.toThrow();
        expect(other.last().path).toBe('/admin/system/deployments/properties/a%2F..%2Fb/edit');
        await expect(editPropertyTemplate(own, { ...templateExample, id: '..' })).rejects.toMatchObject({
          code: 'REFUSED',
          arrived: false,
        });
      }),
      deployment: deployment(
        'Edits that template; there is none with another identifier',
        async (reference) => {
          const template = await editable(reference);
          await reference.calls.edit(template);
          await expect(reference.calls.edit({ ...template, id: 'other' })).rejects.toThrow(
            'Template not found',
          );
        },
      ),
    },
    {
      id: '4.2.2 propertyJson',
      says: '`propertyJson` is required, a JSON object: the property template',
      client: client('Sends it', async (own, other) => {
        await editPropertyTemplate(own, templateExample);
        expect(JSON.parse(String(other.last().form.get('propertyJson')))).toEqual(templateExample);
      }),
      deployment: byHand('Refuses none, no JSON and no object', async (reference) => {
        const { running } = reference;
        const { id } = await editable(reference);
        const address = `${running.client.addresses.properties}/${id}/edit`;
        const token = await sharedToken(running);
        for (const [form, words] of [
          [{}, '"propertyJson" requires a value'],
          [{ propertyJson: '{' }, '"propertyJson" requires JSON'],
          [{ propertyJson: '[]' }, 'A template requires an object'],
          [{ propertyJson: '7' }, 'A template requires an object'],
        ] as const)
          expect(await postForm(address, { token, ...form })).toMatchObject({
            error: { code: 400, details: expect.arrayContaining([words]) },
          });
      }),
    },
    {
      id: '4.2.2 properties passed through',
      says: '`mode`, `provider`, `id`, `type`, `spec` and `revision` must be passed through unchanged',
      client: client('Changes nothing but what is set', async (own, other) => {
        const read = await readPropertyTemplate(own, 'template-17');
        const set = setMember(read, 'spec.replicas.max=7');
        if (!('template' in set)) throw new Error('The member is not set');
        await editPropertyTemplate(own, set.template as PropertyTemplate);
        const sent: PropertyTemplate = JSON.parse(String(other.last(path).form.get('propertyJson')));
        expect(sent.spec.replicas?.max).toBe(7);
        expect(withReplicas(sent, templateExample.spec.replicas ?? {})).toEqual(templateExample);
      }),
      deployment: deployment('Keeps them through an edit of the rest', async (reference) => {
        const before = await edited(reference, await editable(reference));
        const replicas = { min: 7, max: 7, scalingMode: 'manual' };
        const after = await edited(reference, withReplicas(before, replicas));
        const original = before.spec.replicas ?? {};
        expect({ ...withReplicas(after, original), revision: before.revision }).toEqual(before);
      }),
    },
    {
      id: '4.2.2 rule 1',
      says: 'New microservices whose `type`, `provider` and `mode` match the template get the new properties',
      client: client('Says which these are', () => {
        const words = affectedBy(templateExample);
        for (const word of ['GPServer', 'VendorObjects11', 'Dedicated', 'New']) expect(words).toContain(word);
      }),
      deployment: deployment('Publishes no microservices; one template for each kind', async ({ calls }) => {
        const kinds = (await calls.templates()).map(({ type, provider, mode }) =>
          [type, provider, mode].join(),
        );
        expect(new Set(kinds).size).toBe(kinds.length);
      }),
    },
    {
      id: '4.2.2 rule 2',
      says: 'Existing deployments are not changed; each is edited by the edit deployment operation',
      client: client('Says so, and has no function for that operation, which is not shown', async () => {
        expect(affectedBy(templateExample)).toContain('those that exist keep theirs');
        const functions = Object.keys(await import('../../../src/client.ts'));
        expect(functions.filter((name) => name.startsWith('edit') && name !== 'editLogSettings')).toEqual([
          'editPropertyTemplate',
        ]);
      }),
      deployment: byHand('Answers it as what is not there: HTTP 404', async ({ running }) => {
        const address = `${running.client.addresses.root}/system/deployments/9375dd81/edit`;
        const body = new URLSearchParams({
          token: await sharedToken(running),
          f: 'json',
          propertyJson: '{}',
        });
        expect((await fetch(address, { method: 'POST', body })).status).toBe(404);
      }),
    },
    {
      id: '4.2.2 rule 3',
      says: 'With `scalingMode` = `manual`, `min` and `max` must be equal',
      client: client('`properties check` finds it', () => {
        const wrong = withReplicas(templateExample, { min: 1, max: 4, scalingMode: 'manual' });
        expect(checkTemplate(wrong).findings).toMatchObject([{ code: 'manual-range', severity: 'error' }]);
      }),
      deployment: deployment('Refuses it, and changes nothing', async (reference) => {
        const before = await editable(reference);
        const wrong = withReplicas(before, { min: 1, max: 4, scalingMode: 'manual' });
        await expect(reference.calls.edit(wrong)).rejects.toThrow('requires "min" and "max" to be equal');
        expect((await editable(reference)).revision).toBe(before.revision);
      }),
    },
    {
      id: '4.2.2 rule 4',
      says: 'Defaults of node affinity and tolerations can be set from 11.2',
      client: client('`properties check` finds them for an older version', () => {
        const template = { ...templateExample, podPlacementPolicy: placementExample };
        expect(checkTemplate(template, { version: '11.2' }).findings).toEqual([]);
        expect(checkTemplate(template, { version: '11.1' }).findings).toMatchObject([
          { code: 'needs-version', path: 'podPlacementPolicy' },
        ]);
      }),
      deployment: deployment('Refuses them at 11.1, and keeps them at 11.2', async ({ at }) => {
        const [older, newer] = [await at('11.1'), await at('11.2')];
        const template = { ...(await editable(older)), podPlacementPolicy: placementExample };
        await expect(older.calls.edit(template)).rejects.toThrow(
          '"podPlacementPolicy" requires version 11.2',
        );
        const kept = await edited(newer, {
          ...(await editable(newer)),
          podPlacementPolicy: placementExample,
        });
        expect(kept.podPlacementPolicy).toEqual(placementExample);
      }),
    },
    {
      id: '4.2.2 response',
      says: 'The response is an object with `status` = `success`',
      client: client('Takes nothing else for one', async (own, other) => {
        expect(await editPropertyTemplate(own, templateExample)).toEqual([]);
        for (const answer of [{ status: 'pending' }, {}, []]) {
          other.answer(path, answer);
          await expect(editPropertyTemplate(own, templateExample)).rejects.toMatchObject({
            code: 'BAD_REPLY',
          });
        }
      }),
      deployment: byHand('Answers just that', async (reference) => {
        const { running } = reference;
        const template = await editable(reference);
        const address = `${running.client.addresses.properties}/${template.id}/edit`;
        const form = { propertyJson: JSON.stringify(template), token: await sharedToken(running) };
        expect(await postForm(address, form)).toEqual({ status: 'success' });
      }),
    },
  ] satisfies readonly Statement[],
};
