import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getFolders, getServiceDescriptionsEx } from '../../src/client/catalog.ts';
import type { Client } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import {
  editPropertyTemplate,
  readPropertyTemplate,
  readPropertyTemplates,
} from '../../src/client/properties.ts';
import {
  checkRollback,
  getUpgradeSettings,
  readAvailableUpdates,
  readUpgradeStatus,
  startUpgrade,
} from '../../src/client/upgrades.ts';
import { uploadFile } from '../../src/client/uploads.ts';
import { toFault, vendorProfiles } from '../../src/protocol/catalog.ts';
import { checkTemplate } from '../../src/protocol/check-template.ts';
import { diffTemplates } from '../../src/protocol/edit-template.ts';
import type { PropertyTemplate } from '../../src/protocol/property-template.ts';
import { clientOf } from '../client/deployment.ts';
import { rounds } from '../effort.ts';
import { startRunning } from '../interface/running.ts';

const memory = fc
  .tuple(fc.integer({ min: 1, max: 4000 }), fc.constantFrom('Mi', 'Gi', 'M', 'Ki'))
  .map(([n, unit]) => `${n}${unit}`);
const cpu = fc
  .tuple(fc.nat({ max: 64 }), fc.nat({ max: 999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(3, '0')}`);
const count = fc.integer({ min: 1, max: 50 });
const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);

const replicas = fc.oneof(
  count.map((n) => ({ min: n, max: n, scalingMode: 'manual' })),
  fc.tuple(count, fc.nat({ max: 10 }), fc.integer({ min: 1, max: 300 })).map(([min, more, use]) => ({
    min,
    max: min + more,
    scalingMode: 'auto',
    autoscaling: {
      hpaSpec: {
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: String(use) } },
          },
        ],
        hpaVersion: 'autoscaling/v2',
      },
    },
  })),
);

const policy = fc.record(
  {
    nodeAffinity: fc
      .array(
        fc.oneof(
          fc.record({
            key: label,
            operator: fc.constantFrom('In', 'NotIn'),
            values: fc.array(fc.string(), { minLength: 1 }),
          }),
          fc.record({ key: label, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
        ),
        { minLength: 1 },
      )
      .map((matchExpressions) => ({
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
      })),
    tolerations: fc.array(
      fc.record({
        key: label,
        operator: fc.constant('Equal'),
        value: fc.string(),
        effect: fc.constantFrom('NoSchedule', 'NoExecute'),
      }),
    ),
  },
  { requiredKeys: [] },
);

/** An edit that the rules allow, with members that no one has heard of. */
const edit = fc.record({
  replicas,
  memoryMax: memory,
  cpuMax: cpu,
  policy,
  // JSON has no minus zero.
  unknown: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
});

test('templates survive check, edit and read', { timeout: 120_000 }, async () => {
  await using running = await startRunning();
  const { client } = running;
  const [first] = (await readPropertyTemplates(client)).filter(({ mode }) => mode === 'Dedicated');
  if (!first) throw new Error('There is no template');
  await fc.assert(
    fc.asyncProperty(edit, async (wish) => {
      const before = await readPropertyTemplate(client, first.id);
      const template = edited(before, wish);
      const { findings } = checkTemplate(template, { original: before, version: '11.2' });
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      await editPropertyTemplate(client, template);
      const after = await readPropertyTemplate(client, first.id);
      expect(diffTemplates(template, after).map(({ path }) => path)).toEqual(['revision']);
    }),
    { numRuns: rounds(60) },
  );
});

function edited(
  before: PropertyTemplate,
  wish: typeof edit extends fc.Arbitrary<infer T> ? T : never,
): PropertyTemplate {
  const containers = before.spec.containers?.map((container) => ({
    ...container,
    resources: { memoryMin: '0Mi', memoryMax: wish.memoryMax, cpuMin: '0', cpuMax: wish.cpuMax },
  }));
  return {
    ...before,
    spec: { ...before.spec, replicas: wish.replicas, containers },
    podPlacementPolicy: wish.policy,
    ofTomorrow: wish.unknown,
  };
}

test('what the check refuses, the deployment refuses too, and the other way round', {
  timeout: 120_000,
}, async () => {
  await using running = await startRunning();
  const { client } = running;
  const [first] = (await readPropertyTemplates(client)).filter(({ mode }) => mode === 'Dedicated');
  if (!first) throw new Error('There is no template');
  const some = fc.record(
    {
      min: fc.nat({ max: 3 }),
      max: fc.nat({ max: 3 }),
      scalingMode: fc.constantFrom('manual', 'auto', 'other'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      some,
      fc.constantFrom('1Gi', '3Gi', '1', 'x'),
      fc.boolean(),
      async (chosen, memoryMax, stale) => {
        const before = await readPropertyTemplate(client, first.id);
        const containers = before.spec.containers?.map((each) => ({
          ...each,
          resources: { ...each.resources, memoryMax },
        }));
        const template = {
          ...before,
          spec: { ...before.spec, replicas: chosen, containers },
          ...(stale && { revision: 1 }),
        };
        const { findings } = checkTemplate(template, { original: before, version: '11.2' });
        const allowed = findings.every(({ severity }) => severity === 'warning');
        const taken = await editPropertyTemplate(client, template).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ code: 'REFUSED' });
            return false;
          },
        );
        expect(taken).toBe(allowed);
      },
    ),
    { numRuns: rounds(60) },
  );
});

/** Every operation, as a call that comes to an error or not. */
const operations: readonly ((client: Client) => Promise<unknown>)[] = [
  (client) => getFolders(client, { profile: vendorProfiles.arcgis }),
  (client) => getServiceDescriptionsEx(client, 'a'),
  (client) => readPropertyTemplates(client),
  (client) => readPropertyTemplate(client, 'a'),
  (client) => readUpgradeStatus(client),
  (client) => readAvailableUpdates(client),
  (client) => getUpgradeSettings(client, 'rel_1_1'),
  (client) => checkRollback(client),
  (client) => uploadFile(client, { name: 'a.json', bytes: new Uint8Array([1]) }),
  (client) => startUpgrade(client, { id: 'rel_1_1' }, { patience: 0 }),
];

test('no answer makes an error or a result show the token', { timeout: 120_000 }, async () => {
  const token = 'tokEn-0f_a.session/+=&<"';
  const said = (wrap: (text: string) => string) => fc.string().map((text) => wrap(`${text}${token}${text}`));
  const body = fc.oneof(
    said((text) => text),
    said((text) => JSON.stringify({ error: { code: 400, message: text, details: [text] } })),
    said((text) => JSON.stringify({ error: { code: 498, message: text } })),
    said((text) =>
      JSON.stringify({
        status: { state: 'in_progress', code: 1, messages: [{ message: text, code: 1, when: 1 }] },
      }),
    ),
    said((text) =>
      JSON.stringify({
        updates: [{ id: text, url: `https://a.test/?token=${token}` }],
        userInputs: [{ id: text }],
        versions: [{ id: text }],
      }),
    ),
    said((text) => JSON.stringify({ status: 'success', item: text })),
    said((text) => toFault({ code: 'Client', message: text, detail: text })),
    said((text) => `<html><title>${text}</title></html>`),
  );
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom(200, 302, 401, 403, 404, 500),
      fc.nat(),
      async (text, status, which) => {
        const headers =
          status === 302 ? { location: `https://other.test/?token=${encodeURIComponent(token)}` } : {};
        const clock = { now: () => 0, sleep: async () => {} };
        await using client = clientOf(async () => new Response(text, { status, headers }), {
          credentials: { kind: 'token', token },
          clock,
        });
        const operation = operations[which % operations.length];
        const outcome = await operation?.(client).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ClientError);
          return error;
        });
        const shown = inspect(outcome, { depth: 10, showHidden: true }) + JSON.stringify(outcome);
        for (const form of [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)]) {
          expect(shown).not.toContain(form);
        }
      },
    ),
    { numRuns: rounds(300) },
  );
});
