import { expect } from 'vitest';
import { editPropertyTemplate, readPropertyTemplate } from '../../../src/client/properties.ts';
import { checkTemplate } from '../../../src/protocol/check-template.ts';
import { diffTemplates } from '../../../src/protocol/edit-template.ts';
import type {
  Container,
  PodPlacementPolicy,
  PropertyTemplate,
  Resources,
} from '../../../src/protocol/property-template.ts';
import { placementExample, templateExample } from '../parties/examples.ts';
import { editable, edited, type Reference } from '../parties/reference.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import {
  byHand,
  client,
  deployment,
  isTime,
  isWord,
  type Section,
  type Statement,
  words,
} from './statement.ts';

type Fixed = 'mode' | 'provider' | 'id' | 'type' | 'revision';

/** The template without a member, as no typed program could make it. */
function without(template: PropertyTemplate, member: string): PropertyTemplate {
  const { [member]: _, ...others } = template;
  return others as PropertyTemplate;
}

function fixed(name: Fixed, says: string, is: (value: unknown) => boolean): Statement {
  const other = name === 'revision' ? 1 : 'other';
  return {
    id: `2.3 ${name}`,
    says: `\`${name}\` ${says}; it is not editable and must be passed`,
    client: client('Sends it as it came; `properties check` finds another value', async (own, server) => {
      const read = await readPropertyTemplate(own, 'template-17');
      expect(read[name]).toBe(templateExample[name]);
      await editPropertyTemplate(own, read);
      expect(JSON.parse(String(server.last().form.get('propertyJson')))[name]).toBe(templateExample[name]);
      const { findings } = checkTemplate({ ...read, [name]: other }, { original: read });
      expect(findings).toContainEqual(expect.objectContaining({ code: 'fixed-member', path: name }));
      const { findings: missing } = checkTemplate(without(read, name), { original: read });
      expect(missing).toContainEqual(expect.objectContaining({ severity: 'error', path: name }));
    }),
    deployment: byHand('Each template has it; an edit with another or none is refused', async (reference) => {
      const { calls, running } = reference;
      for (const template of await calls.templates()) expect(template[name]).toSatisfy(is);
      const template = await editable(reference);
      const address = `${running.client.addresses.properties}/${template.id}/edit`;
      const send = async (sent: object) =>
        postForm(address, { propertyJson: JSON.stringify(sent), token: await sharedToken(running) });
      expect(await send({ ...template, [name]: other })).toMatchObject({
        error: { code: 400, details: [expect.stringContaining(`"${name}" cannot be edited`)] },
      });
      expect(await send(without(template, name))).toMatchObject({
        error: { code: 400, details: [`"${name}" requires a value`] },
      });
      expect(await send(template)).toEqual({ status: 'success' });
    }),
  };
}

function enumeration(name: 'mode' | 'provider' | 'type', values: readonly string[]): Statement {
  return {
    id: `2.3 values of ${name}`,
    says: `\`${name}\` is one of ${values.join(', ')}`,
    client: client('Reads each, and any that came later', async (own, other) => {
      for (const value of [...values, 'Later']) {
        const path = '/admin/system/deployments/properties/template-17';
        other.answer(path, { ...templateExample, [name]: value });
        expect((await readPropertyTemplate(own, 'template-17'))[name]).toBe(value);
      }
    }),
    deployment: deployment('Has a template of each, and of no other', async ({ calls }) => {
      const found = new Set((await calls.templates()).map((each) => each[name]));
      expect([...found].toSorted()).toEqual(values.toSorted());
    }),
  };
}

const modes = words('Shared Dedicated Undefined Primary Standby Coordinator');
const providers =
  words(`SDS VendorObjects11 DMaps Undefined Postgres Tiles Ignite MinIO Elasticsearch RabbitMQ
  VendorObjectsRasterRendering`);
const types =
  words(`FeatureServer GeometryServer GPServer GPSyncServer MapServer TileServer System InMemoryStore
  ObjectStore SpatiotemporalIndexStore QueueServer RelationalStore WebhookProcessor`);

/** A rule about how the values of templates go together, which only a deployment decides. */
function kinds(id: string, says: string, check: (template: PropertyTemplate) => void): Statement {
  return {
    id: `2.3 ${id}`,
    says,
    deployment: deployment('So it is in all its templates', async ({ calls }) => {
      for (const template of await calls.templates()) check(template);
    }),
  };
}

const isService = ({ type }: PropertyTemplate) =>
  words('FeatureServer GeometryServer GPServer GPSyncServer MapServer TileServer').includes(type);

function withContainer(template: PropertyTemplate, change: Partial<Container>): PropertyTemplate {
  const [first, ...others] = template.spec.containers ?? [];
  if (!first) throw new Error('There is no container');
  return { ...template, spec: { ...template.spec, containers: [{ ...first, ...change }, ...others] } };
}

const resourcesOf = ({ spec }: PropertyTemplate): Resources => spec.containers?.[0]?.resources ?? {};

function resource(
  name: keyof Resources & string,
  says: string,
  good: readonly string[],
  bad: string,
): Statement {
  return {
    id: `2.3 resources.${name}`,
    says: `\`${name}\` is ${says}; it is editable`,
    client: client('Sends it; `properties check` finds what is none', async (own, other) => {
      for (const value of good) {
        const resources = { ...resourcesOf(templateExample), [name]: value };
        const changed = withContainer(templateExample, { resources });
        expect(checkTemplate(changed, { original: templateExample }).findings).toEqual([]);
        await editPropertyTemplate(own, changed);
        const sent: PropertyTemplate = JSON.parse(String(other.last().form.get('propertyJson')));
        expect(resourcesOf(sent)[name]).toBe(value);
      }
      const { findings } = checkTemplate(withContainer(templateExample, { resources: { [name]: bad } }));
      expect(findings).toMatchObject([{ code: 'quantity', severity: 'error' }]);
    }),
    deployment: deployment('Takes it, and refuses what is none', async (reference) => {
      const template = await editable(reference);
      for (const value of good) {
        const now = await editable(reference);
        const after = await edited(
          reference,
          withContainer(now, { resources: { ...resourcesOf(template), [name]: value } }),
        );
        expect(resourcesOf(after)[name]).toBe(value);
      }
      const wrong = withContainer(await editable(reference), {
        resources: { ...resourcesOf(template), [name]: bad },
      });
      await expect(reference.calls.edit(wrong)).rejects.toThrow(`resources.${name}" requires`);
    }),
  };
}

async function refused({ calls }: Reference, template: PropertyTemplate, words: string) {
  await expect(calls.edit(template)).rejects.toThrow(words);
}

export const template: Section = {
  number: '2.3',
  title: 'Default property template',
  file: '2-3-template.ts',
  statements: [
    fixed('mode', 'is a string', isWord),
    enumeration('mode', modes),
    kinds(
      'mode of system microservices',
      'The mode `Undefined` marks system-related microservices',
      (each) => {
        if (each.type === 'System') expect(each.mode).toBe('Undefined');
        if (each.mode === 'Undefined') expect(each).not.toSatisfy(isService);
      },
    ),
    kinds(
      'mode of services',
      'Only microservices tied to a GIS service type are `Dedicated` or `Shared`',
      (each) => {
        expect(['Dedicated', 'Shared'].includes(each.mode)).toBe(isService(each));
      },
    ),
    fixed('provider', 'is a string', isWord),
    enumeration('provider', providers),
    kinds(
      'provider of others',
      'The provider `Undefined` is for microservices that are not service related',
      (each) => {
        if (each.provider === 'Undefined') expect(each).not.toSatisfy(isService);
        if (each.type === 'System') expect(each.provider).toBe('Undefined');
      },
    ),
    {
      ...fixed('id', 'is the identifier of the template', isWord),
      deployment: byHand('Each has its own; an edit with another or none is refused', async (reference) => {
        const { calls, running } = reference;
        const ids = (await calls.templates()).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const template = await editable(reference);
        const address = `${running.client.addresses.properties}/${template.id}/edit`;
        for (const [sent, words] of [
          [{ ...template, id: 'other' }, '"id" cannot be edited'],
          [without(template, 'id'), '"id" requires a value'],
        ] as const) {
          const form = { propertyJson: JSON.stringify(sent), token: await sharedToken(running) };
          expect(await postForm(address, form)).toMatchObject({
            error: { code: 400, details: [expect.stringContaining(words)] },
          });
        }
      }),
    },
    fixed('type', 'is a string', isWord),
    enumeration('type', types),
    kinds('type System', 'The type `System` is for microservices that are no services', (each) => {
      if (each.type === 'System') expect([each.mode, each.provider]).toEqual(['Undefined', 'Undefined']);
      expect(each.type === 'System' && isService(each)).toBe(false);
    }),
    {
      id: '2.3 spec',
      says: '`spec` is an object that must be passed; it holds `replicas` and `containers`',
      client: client('Sends it whole; `properties check` finds its absence', async (own, other) => {
        const read = await readPropertyTemplate(own, 'template-17');
        await editPropertyTemplate(own, read);
        expect(JSON.parse(String(other.last().form.get('propertyJson'))).spec).toEqual(templateExample.spec);
        expect(checkTemplate(without(read, 'spec')).findings).toMatchObject([
          { code: 'wrong-type', path: 'spec' },
        ]);
      }),
      deployment: deployment('Has both in it, and refuses an edit without it', async (reference) => {
        for (const { spec } of await reference.calls.templates())
          expect(Object.keys(spec).toSorted()).toEqual(expect.arrayContaining(['containers', 'replicas']));
        await refused(reference, without(await editable(reference), 'spec'), '"spec" requires a value');
      }),
    },
    {
      id: '2.3 parts of spec',
      says: '`spec` must be passed with all its parts',
      client: client('`properties check` finds removed replicas and resources', () => {
        const { replicas: _, ...noReplicas } = templateExample.spec;
        for (const changed of [
          { ...templateExample, spec: noReplicas },
          withContainer(templateExample, { resources: undefined }),
        ]) {
          const { findings } = checkTemplate(changed, { original: templateExample });
          expect(findings).toContainEqual(expect.objectContaining({ severity: 'error' }));
        }
      }),
      deployment: deployment('Refuses removed replicas and resources', async (reference) => {
        const template = await editable(reference);
        const { replicas: _, ...noReplicas } = template.spec;
        await refused(reference, { ...template, spec: noReplicas }, 'spec.replicas');
        await refused(reference, withContainer(template, { resources: undefined }), 'resources');
      }),
    },
    {
      id: '2.3 large integers',
      says: 'Members that are not editable are passed through unchanged, whatever they hold',
      client: client('Keeps all digits of integers', async (own, other) => {
        const path = '/admin/system/deployments/properties/template-17';
        const text = JSON.stringify(templateExample).replace('{', '{"later":9007199254740993,');
        other.answer(path, new TextEncoder().encode(text));
        await editPropertyTemplate(own, await readPropertyTemplate(own, 'template-17'));
        expect(other.last(`${path}/edit`).form.get('propertyJson')).toContain('9007199254740993');
      }),
      deployment: byHand('Keeps all digits of integers', async (reference) => {
        const { running } = reference;
        const template = await editable(reference);
        const address = `${running.client.addresses.properties}/${template.id}`;
        const token = await sharedToken(running);
        const propertyJson = JSON.stringify(template).replace('{', '{"later":9007199254740993,');
        expect(await postForm(`${address}/edit`, { token, propertyJson })).toEqual({ status: 'success' });
        const body = new URLSearchParams({ token, f: 'json' });
        const kept = await (await fetch(address, { method: 'POST', body })).text();
        expect(kept).toContain('"later":9007199254740993');
      }),
    },
    {
      ...fixed('revision', 'is the time of the latest revision in milliseconds from epoch', isTime),
      deployment: deployment('Each edit sets it anew; an outdated one is refused', async (reference) => {
        for (const { revision } of await reference.calls.templates()) expect(revision).toSatisfy(isTime);
        const before = await editable(reference);
        const after = await edited(reference, before);
        expect(Number(after.revision)).toBeGreaterThan(Number(before.revision));
        await refused(reference, before, '"revision" cannot be edited');
        await refused(reference, without(after, 'revision'), '"revision" requires a value');
      }),
    },
    {
      id: '2.3 spec.replicas',
      says: '`spec.replicas` is an object; it is editable',
      client: client('Sends what was changed in it', async (own, other) => {
        const replicas = { min: 5, max: 5, scalingMode: 'manual' };
        await editPropertyTemplate(own, { ...templateExample, spec: { ...templateExample.spec, replicas } });
        expect(JSON.parse(String(other.last().form.get('propertyJson'))).spec.replicas).toEqual(replicas);
      }),
      deployment: deployment('An edit of it changes it and the revision alone', async (reference) => {
        const before = await edited(reference, await editable(reference));
        const replicas = { min: 4, max: 4, scalingMode: 'manual' };
        const after = await edited(reference, { ...before, spec: { ...before.spec, replicas } });
        expect(
          diffTemplates(before, after)
            .map(({ path }) => path)
            .toSorted(),
        ).toEqual(['revision', 'spec.replicas.max', 'spec.replicas.min']);
      }),
    },
    {
      id: '2.3 spec.containers',
      says: '`spec.containers` is an array of objects with `name`, `resources` and `containerImageKey`',
      client: client('Reads and sends them as they came', async (own, other) => {
        const read = await readPropertyTemplate(own, 'template-17');
        expect(read.spec.containers).toEqual(templateExample.spec.containers);
        await editPropertyTemplate(own, read);
        const sent = JSON.parse(String(other.last().form.get('propertyJson')));
        expect(sent.spec.containers).toEqual(templateExample.spec.containers);
      }),
      deployment: deployment('Each container has them', async ({ calls }) => {
        for (const { spec } of await calls.templates()) {
          expect(spec.containers?.length).toBeGreaterThan(0);
          for (const { name, resources, containerImageKey } of spec.containers ?? []) {
            expect(name).toSatisfy(isWord);
            expect(resources).toEqual(expect.objectContaining({ memoryMin: expect.any(String) }));
            expect(containerImageKey).toSatisfy(isWord);
          }
        }
      }),
    },
    {
      id: '2.3 names of containers',
      says: 'The names `main-container`, `filebeat` and the image keys `GP_SERVER`, `FILEBEAT` have been seen',
      client: client('Finds a container by its name, and takes any other', async (own, other) => {
        const renamed = withContainer(templateExample, { name: 'later', containerImageKey: 'LATER' });
        other.answer('/admin/system/deployments/properties/template-17', renamed);
        expect(await readPropertyTemplate(own, 'template-17')).toEqual(renamed);
      }),
      deployment: deployment('The template of `GPServer` has them', async (reference) => {
        const { spec } = await editable(reference);
        expect(spec.containers?.map(({ name, containerImageKey }) => [name, containerImageKey])).toEqual([
          ['main-container', 'GP_SERVER'],
          ['filebeat', 'FILEBEAT'],
        ]);
      }),
    },
    {
      id: '2.3 fixed parts of containers',
      says: 'Of `spec.containers` only the resources are editable',
      client: client('`properties check` finds another name, key or number of containers', () => {
        for (const changed of [
          withContainer(templateExample, { name: 'other' }),
          withContainer(templateExample, { containerImageKey: 'OTHER' }),
          { ...templateExample, spec: { ...templateExample.spec, containers: [] } },
        ]) {
          const { findings } = checkTemplate(changed, { original: templateExample });
          expect(findings).toContainEqual(
            expect.objectContaining({ code: 'fixed-member', severity: 'error' }),
          );
        }
      }),
      deployment: deployment('Refuses another name, key or number of containers', async (reference) => {
        const template = await editable(reference);
        await refused(reference, withContainer(template, { name: 'other' }), 'name" cannot be edited');
        const otherKey = withContainer(template, { containerImageKey: 'OTHER' });
        await refused(reference, otherKey, 'containerImageKey" cannot be edited');
        const fewer = { ...template.spec, containers: template.spec.containers?.slice(0, 1) };
        await refused(reference, { ...template, spec: fewer }, '"spec.containers" requires the 2 containers');
      }),
    },
    resource('memoryMin', 'a string with a unit suffix such as Mi or Gi', ['400Mi', '1Gi'], 'much'),
    resource('memoryMax', 'a string with a unit suffix such as Mi or Gi', ['5000Mi', '8Gi'], '2 GB'),
    resource('cpuMin', 'a string with a decimal count of CPUs', ['0.25', '1'], 'half'),
    resource('cpuMax', 'a string with a decimal count of CPUs', ['2.5', '4'], '1,5'),
    {
      id: '2.3 defaults of resources',
      says: 'The defaults are memoryMin 500Mi, memoryMax 2Gi, cpuMin 0.125 and cpuMax 2',
      client: client('`properties check` takes them for what is absent', () => {
        const findings = (resources: Resources) =>
          checkTemplate(withContainer(templateExample, { resources })).findings.map(({ path }) => path);
        const path = (name: string) => `spec.containers[0].resources.${name}`;
        expect(findings({ memoryMax: '500Mi', cpuMax: '0.125' })).toEqual([]);
        expect(findings({ memoryMax: '499Mi' })).toEqual([path('memoryMin')]);
        expect(findings({ cpuMax: '0.124' })).toEqual([path('cpuMin')]);
        expect(findings({ memoryMin: '2Gi', cpuMin: '2' })).toEqual([]);
        expect(findings({ memoryMin: '2049Mi' })).toEqual([path('memoryMin')]);
        expect(findings({ cpuMin: '2.001' })).toEqual([path('cpuMin')]);
      }),
      deployment: deployment('A new template has them', async ({ calls }) => {
        const found = (await calls.templates()).find(({ type }) => type === 'MapServer');
        expect(resourcesOf(found ?? templateExample)).toEqual({
          memoryMin: '500Mi',
          memoryMax: '2Gi',
          cpuMin: '0.125',
          cpuMax: '2',
        });
      }),
    },
    {
      id: '2.3 least resources',
      says: '`memoryMin` and `cpuMin` are the minimum needed for the microservice to start',
      client: client('`properties check` finds a minimum above the maximum', () => {
        const { findings } = checkTemplate(
          withContainer(templateExample, { resources: { memoryMin: '4Gi', memoryMax: '3Gi' } }),
        );
        expect(findings).toMatchObject([{ code: 'quantity-range', severity: 'error' }]);
      }),
      deployment: deployment(
        'Starts no microservices; refuses a minimum above the maximum',
        async (reference) => {
          const template = await editable(reference);
          const resources = { ...resourcesOf(template), cpuMin: '9', cpuMax: '8' };
          await refused(reference, withContainer(template, { resources }), 'cpuMin" requires at most "8"');
        },
      ),
    },
    {
      id: '2.3 podPlacementPolicy',
      says: '`podPlacementPolicy` holds node affinity or tolerations for pods of GIS services; it is editable',
      client: client(
        'Sends it; `properties check` warns where no pods are those of a GIS service',
        async (own, other) => {
          await editPropertyTemplate(own, { ...templateExample, podPlacementPolicy: placementExample });
          const sent = JSON.parse(String(other.last().form.get('propertyJson')));
          expect(sent.podPlacementPolicy).toEqual(placementExample);
          const system = { ...templateExample, mode: 'Undefined', podPlacementPolicy: placementExample };
          expect(checkTemplate(system).findings).toMatchObject([
            { code: 'placement-target', severity: 'warning' },
          ]);
        },
      ),
      deployment: deployment('Keeps it', async (reference) => {
        const template = { ...(await editable(reference)), podPlacementPolicy: placementExample };
        expect((await edited(reference, template)).podPlacementPolicy).toEqual(placementExample);
      }),
    },
    {
      id: '2.3 place of podPlacementPolicy',
      says: 'Where `podPlacementPolicy` sits within the template is not shown',
      client: client('Checks and sends it at the top and in `spec`', async (own, other) => {
        const wrong = { tolerations: [{ operator: 'Exists', value: 'gis' }] };
        const inside = (podPlacementPolicy: PodPlacementPolicy): PropertyTemplate => ({
          ...templateExample,
          spec: { ...templateExample.spec, podPlacementPolicy },
        });
        for (const template of [{ ...templateExample, podPlacementPolicy: wrong }, inside(wrong)])
          expect(checkTemplate(template).findings).toMatchObject([{ code: 'toleration' }]);
        await editPropertyTemplate(own, inside(placementExample));
        const sent = JSON.parse(String(other.last().form.get('propertyJson')));
        expect(sent.spec.podPlacementPolicy).toEqual(placementExample);
      }),
      deployment: deployment('Has it at the top; takes it in `spec` as well', async (reference) => {
        const template = await editable(reference);
        const spec = { ...template.spec, podPlacementPolicy: placementExample };
        expect((await edited(reference, { ...template, spec })).spec.podPlacementPolicy).toEqual(
          placementExample,
        );
      }),
    },
  ],
};
