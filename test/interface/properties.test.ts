import { describe, expect, test } from 'vitest';
import {
  editPropertyTemplate,
  readPropertyTemplate,
  readPropertyTemplates,
} from '../../src/client/properties.ts';
import { vendorProfiles } from '../../src/protocol/catalog.ts';
import { checkTemplate } from '../../src/protocol/check-template.ts';
import { setMember } from '../../src/protocol/edit-template.ts';
import {
  type PropertyTemplate,
  templateModes,
  templateProviders,
  templateTypes,
} from '../../src/protocol/property-template.ts';
import { guest, type Running, startRunning } from './running.ts';

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

// The names of the interface document are in `statements/`.
describe('default properties under the profile "arcgis"', () => {
  const profile = 'arcgis';
  test('every mode, provider and type occurs, and every field has its type', async () => {
    await using running = await startRunning({ profile });
    const templates = await readPropertyTemplates(running.client);
    const valuesOf = (key: 'mode' | 'provider' | 'type') =>
      [...new Set(templates.map((each) => each[key]))].toSorted();
    expect(valuesOf('mode')).toEqual([...templateModes].toSorted());
    expect(valuesOf('provider')).toEqual([...templateProviders(vendorProfiles[profile])].toSorted());
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

describe('an edit', () => {
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
