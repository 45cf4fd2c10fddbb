import { describe, expect, test } from 'vitest';
import {
  checkTemplate,
  diffTemplates,
  editPropertyTemplate,
  type PropertyTemplate,
  readPropertyTemplate,
  readPropertyTemplates,
  setMember,
} from '../../src/client/index.ts';
import { profiles, templateModes, templateProviders, templateTypes } from '../../src/protocol/index.ts';
import { autoscaled, autoscaledFirst } from '../administration/a-template.ts';
import { guest, postForm, type Running, startRunning, tokenOf } from './running.ts';

/** The template that the tests edit: of a GIS service. */
async function editable({ client }: Running): Promise<PropertyTemplate> {
  const templates = await readPropertyTemplates(client);
  const found = templates.find(({ type, mode }) => type === 'GPServer' && mode === 'Dedicated');
  if (!found) throw new Error('There is no template to edit');
  return found;
}

function changed(template: PropertyTemplate, ...assignments: readonly string[]): PropertyTemplate {
  let result = template;
  for (const assignment of assignments) {
    const set = setMember(result, assignment);
    const checked = 'template' in set ? checkTemplate(set.template).template : undefined;
    if (!checked) throw new Error(`${assignment} cannot be set`);
    result = checked;
  }
  return result;
}

describe.each(['default', 'arcgis'] as const)('section 2.3 under the profile %s', (profile) => {
  test('every mode, provider and type occurs, and every field has its type', async () => {
    await using running = await startRunning({ profile });
    const templates = await readPropertyTemplates(running.client);
    const valuesOf = (key: 'mode' | 'provider' | 'type') =>
      [...new Set(templates.map((each) => each[key]))].toSorted();
    expect(valuesOf('mode')).toEqual([...templateModes].toSorted());
    expect(valuesOf('provider')).toEqual([...templateProviders(profiles[profile])].toSorted());
    expect(valuesOf('type')).toEqual([...templateTypes].toSorted());
    for (const template of templates) {
      expect(template).toMatchObject({
        id: expect.any(String),
        revision: expect.any(Number),
        spec: { replicas: { min: 1, max: 1, scalingMode: 'manual' }, containers: expect.any(Array) },
      });
      const [main, filebeat] = template.spec.containers ?? [];
      expect(main).toMatchObject({ name: 'main-container', containerImageKey: expect.any(String) });
      expect(main?.resources).toMatchObject({ memoryMin: '500Mi', cpuMin: '0.125', cpuMax: '2' });
      expect(filebeat).toMatchObject({ name: 'filebeat', containerImageKey: 'FILEBEAT' });
      expect(checkTemplate(template, { original: template, version: '11.2' }).findings).toEqual([]);
    }
  });
});

test('the system related microservices are of the mode "Undefined", and only GIS services are shared or dedicated', async () => {
  await using running = await startRunning();
  for (const { mode, type } of await readPropertyTemplates(running.client)) {
    if (type === 'System') expect(mode).toBe('Undefined');
    if (mode === 'Shared' || mode === 'Dedicated') expect(type).toMatch(/Server$/);
  }
});

describe('section 4.2.2', () => {
  test('an edit is kept, with a revision of its own, and changes nothing else', async () => {
    await using running = await startRunning();
    const before = await editable(running);
    const others = (await readPropertyTemplates(running.client)).filter(({ id }) => id !== before.id);
    const edited = changed(
      before,
      'spec.replicas.min=2',
      'spec.replicas.max=2',
      'spec.containers[0].resources.cpuMax=4',
    );
    await editPropertyTemplate(running.client, edited);
    const after = await readPropertyTemplate(running.client, before.id);
    expect(diffTemplates(before, after).map(({ path, after: value }) => [path, value])).toEqual([
      ['spec.replicas.min', 2],
      ['spec.replicas.max', 2],
      ['spec.containers[0].resources.cpuMax', '4'],
      ['revision', after.revision],
    ]);
    expect(Number(after.revision)).toBeGreaterThan(Number(before.revision));
    expect((await readPropertyTemplates(running.client)).filter(({ id }) => id !== before.id)).toEqual(
      others,
    );
  });

  test('the answer is the status "success"', async () => {
    await using running = await startRunning();
    const template = await editable(running);
    const address = `${running.client.addresses.properties}/${template.id}/edit`;
    const form = { propertyJson: JSON.stringify(template), token: await tokenOf(running) };
    expect(await postForm(address, form)).toEqual({ status: 'success' });
  });

  test.each(['mode', 'provider', 'id', 'type', 'revision'])(
    '"%s" must be passed through unchanged',
    async (member) => {
      await using running = await startRunning();
      const template = await editable(running);
      const address = `${running.client.addresses.properties}/${template.id}/edit`;
      const token = await tokenOf(running);
      const other = { ...template, [member]: member === 'revision' ? 1 : 'other' };
      const { [member]: _, ...without } = template;
      expect(await postForm(address, { propertyJson: JSON.stringify(other), token })).toMatchObject({
        error: { code: 400, details: [expect.stringContaining(`"${member}" cannot be edited`)] },
      });
      expect(await postForm(address, { propertyJson: JSON.stringify(without), token })).toMatchObject({
        error: { code: 400, details: [`"${member}" requires a value`] },
      });
    },
  );

  test('an edit of a revision that is no longer the latest is refused', async () => {
    await using running = await startRunning();
    const template = await editable(running);
    await editPropertyTemplate(running.client, changed(template, 'spec.containers[0].resources.cpuMax=4'));
    await expect(
      editPropertyTemplate(running.client, changed(template, 'spec.containers[0].resources.cpuMax=3')),
    ).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('may have been edited in between'),
    });
  });

  test('with manual scaling "min" and "max" must be equal', async () => {
    await using running = await startRunning();
    const template = changed(await editable(running), 'spec.replicas.max=4');
    await expect(editPropertyTemplate(running.client, template)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('requires "min" and "max" to be equal'),
    });
  });

  test('autoscaling (section 2.4) of version 2', async () => {
    await using running = await startRunning();
    const before = await editable(running);
    const template = { ...before, spec: { ...before.spec, replicas: autoscaled('75') } };
    await editPropertyTemplate(running.client, template);
    expect((await readPropertyTemplate(running.client, before.id)).spec.replicas).toEqual(autoscaled('75'));
  });

  test('autoscaling of version 1, on a deployment of its time', async () => {
    await using running = await startRunning({ version: '10.9.1' });
    const before = await editable(running);
    expect(before.spec.replicas).toEqual({ min: 1, max: 1 });
    expect(before).not.toHaveProperty('podPlacementPolicy');
    const with1 = { ...before, spec: { ...before.spec, replicas: autoscaledFirst } };
    await editPropertyTemplate(running.client, with1);
    const after = await readPropertyTemplate(running.client, before.id);
    expect(after.spec.replicas).toEqual(autoscaledFirst);
    const with2 = { ...after, spec: { ...after.spec, replicas: autoscaled() } };
    await expect(editPropertyTemplate(running.client, with2)).rejects.toMatchObject({
      message: expect.stringContaining('"autoscaling/v2" requires version 11.2'),
    });
  });

  test('node affinity and tolerations (section 2.5), in either place', async () => {
    await using running = await startRunning();
    const expression = { key: 'disk', operator: 'In', values: ['ssd', 'nvme'] };
    const policy = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [expression] }],
        },
      },
      tolerations: [{ effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'gis' }],
    };
    const before = await editable(running);
    await editPropertyTemplate(running.client, { ...before, podPlacementPolicy: policy });
    const after = await readPropertyTemplate(running.client, before.id);
    expect(after.podPlacementPolicy).toEqual(policy);
    const { podPlacementPolicy: _, ...elsewhere } = after;
    const inside = { ...elsewhere, spec: { ...after.spec, podPlacementPolicy: policy } };
    await editPropertyTemplate(running.client, inside);
    expect((await readPropertyTemplate(running.client, before.id)).spec.podPlacementPolicy).toEqual(policy);
  });

  test('requires the privilege', async () => {
    await using running = await startRunning();
    await using client = running.open({ credentials: { kind: 'password', ...guest } });
    await expect(readPropertyTemplates(client)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(editPropertyTemplate(client, await editable(running))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  test('of a template that there is not', async () => {
    await using running = await startRunning();
    await expect(readPropertyTemplate(running.client, 'other')).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining('Template not found'),
    });
    for (const id of ['', '.', '..']) {
      await expect(readPropertyTemplate(running.client, id)).rejects.toMatchObject({
        code: 'REFUSED',
        arrived: false,
      });
    }
  });

  test('whose answer gets lost says that it may have been made, and is not repeated', async () => {
    await using running = await startRunning({ faults: [{ on: 'editTemplate', effect: 'loseAnswer' }] });
    const template = await editable(running);
    const edited = changed(template, 'spec.containers[0].resources.cpuMax=4');
    await expect(editPropertyTemplate(running.client, edited)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('The edit may have been made all the same'),
    });
    const after = await readPropertyTemplate(running.client, template.id);
    expect(after.spec.containers?.[0]?.resources?.cpuMax).toBe('4');
  });
});
