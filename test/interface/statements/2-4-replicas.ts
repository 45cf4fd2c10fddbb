import { expect } from 'vitest';
import { editPropertyTemplate } from '../../../src/client/properties.ts';
import { checkTemplate } from '../../../src/protocol/check-template.ts';
import type { Replicas } from '../../../src/protocol/property-template.ts';
import { autoscalingV1, autoscalingV2, templateExample } from '../parties/examples.ts';
import { editable, edited, type Reference, withReplicas } from '../parties/reference.ts';
import {
  type ClientProof,
  client,
  type DeploymentProof,
  deployment,
  type Section,
  type Statement,
} from './statement.ts';

/** Replicas that must be taken, and ones that must be refused with a finding at a path. */
interface Rule {
  readonly id: string;
  readonly says: string;
  readonly good: readonly Replicas[];
  readonly bad: readonly (readonly [replicas: Replicas, code: string, words: string])[];
  /** The version whose deployment is asked. Default 11.2. */
  readonly version?: string;
}

function toStatement({ id, says, good, bad, version = '11.2' }: Rule): Statement {
  return {
    id: `2.4 ${id}`,
    says,
    client: clientRule(good, bad, version),
    deployment: deploymentRule(good, bad, version),
  };
}

function clientRule(good: Rule['good'], bad: Rule['bad'], version: string): ClientProof {
  const does =
    bad.length === 0 ? 'Sends it as it is' : '`properties check` finds what breaks it; sends the rest';
  return client(does, async (own, other) => {
    const findings = (replicas: Replicas) =>
      checkTemplate(withReplicas(templateExample, replicas), { version }).findings;
    for (const replicas of good) {
      expect(findings(replicas)).toEqual([]);
      await editPropertyTemplate(own, withReplicas(templateExample, replicas));
      expect(JSON.parse(String(other.last().form.get('propertyJson'))).spec.replicas).toEqual(replicas);
    }
    for (const [replicas, code] of bad)
      expect(findings(replicas)).toContainEqual(expect.objectContaining({ code, severity: 'error' }));
  });
}

function deploymentRule(good: Rule['good'], bad: Rule['bad'], version: string): DeploymentProof {
  return deployment(
    bad.length === 0 ? 'Keeps it' : 'Refuses what breaks it; keeps the rest',
    async (shared) => {
      const reference = await shared.at(version);
      for (const replicas of good) expect(await kept(reference, replicas)).toEqual(replicas);
      for (const [replicas, , words] of bad) {
        const template = withReplicas(await editable(reference), replicas);
        await expect(reference.calls.edit(template)).rejects.toThrow(words);
      }
    },
  );
}

async function kept(reference: Reference, replicas: Replicas): Promise<Replicas | null | undefined> {
  return (await edited(reference, withReplicas(await editable(reference), replicas))).spec.replicas;
}

const manual = (min: number, max: number): Replicas => ({ min, max, scalingMode: 'manual' });
const auto = (min: number, max: number, autoscaling: Replicas['autoscaling'] = autoscalingV2): Replicas => ({
  min,
  max,
  scalingMode: 'auto',
  autoscaling,
});

/** Autoscaling of version 2 whose metric is changed. */
function metric(change: object): Replicas {
  const [first] = autoscalingV2.hpaSpec.metrics;
  return auto(1, 4, { hpaSpec: { ...autoscalingV2.hpaSpec, metrics: [{ ...first, ...change }] } });
}

const utilization = (averageUtilization: string | number): Replicas =>
  metric({ resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } });

const rules: readonly Rule[] = [
  {
    id: 'min with manual scaling',
    says: 'With manual scaling `min` must equal `max`',
    good: [manual(1, 1), manual(6, 6)],
    bad: [
      [manual(1, 2), 'manual-range', 'requires "min" and "max" to be equal, not 1 and 2'],
      [manual(3, 2), 'manual-range', 'requires "min" and "max" to be equal, not 3 and 2'],
    ],
  },
  {
    id: 'min with autoscaling',
    says: 'With autoscaling `min` is the lower bound of pods',
    good: [auto(1, 5), auto(5, 5)],
    bad: [[auto(6, 5), 'replica-count', '"min" requires at most "max", which is 5, not 6']],
  },
  {
    id: 'max with autoscaling',
    says: 'With autoscaling `max` is the upper bound of pods',
    good: [auto(2, 9)],
    bad: [[auto(2, 0), 'replica-count', '"max" requires a number of pods from 1 on, not 0']],
  },
  {
    id: 'scalingMode',
    says: '`scalingMode` is `manual` or `auto`',
    good: [manual(2, 2), auto(1, 2)],
    bad: [],
  },
  {
    id: 'autoscaling',
    says: '`autoscaling` goes with `scalingMode` = `auto` alone',
    good: [auto(1, 3)],
    bad: [
      [
        { ...manual(1, 1), autoscaling: autoscalingV2 },
        'scaling-mode',
        '"autoscaling" requires "scalingMode": "auto"',
      ],
      [
        { min: 1, max: 3, scalingMode: 'auto' },
        'scaling-mode',
        '"scalingMode": "auto" requires "autoscaling"',
      ],
    ],
  },
  {
    id: 'v2 metrics',
    says: '`autoscaling.hpaSpec.metrics` of v2 is an array of metrics',
    good: [auto(1, 4)],
    bad: [
      [
        auto(1, 4, { hpaSpec: { hpaVersion: 'autoscaling/v2', metrics: [] } }),
        'autoscaling',
        'metrics" requires a metric',
      ],
    ],
  },
  {
    id: 'v2 type',
    says: '`type` of a metric of v2 is `Resource`',
    good: [metric({ type: 'Resource' })],
    bad: [[metric({ type: undefined }), 'autoscaling', 'type" requires "Resource"']],
  },
  {
    id: 'v2 resource.name',
    says: '`resource.name` of a metric of v2 is `cpu`',
    good: [metric({})],
    bad: [
      [
        metric({ resource: { target: { type: 'Utilization', averageUtilization: '70' } } }),
        'autoscaling',
        'resource.name" requires "cpu"',
      ],
    ],
  },
  {
    id: 'v2 resource.target.type',
    says: '`resource.target.type` of a metric of v2 is `Utilization`',
    good: [metric({})],
    bad: [
      [
        metric({ resource: { name: 'cpu', target: { averageUtilization: '70' } } }),
        'autoscaling',
        'target.type" requires "Utilization"',
      ],
    ],
  },
  {
    id: 'v2 averageUtilization',
    says: '`resource.target.averageUtilization` of a metric of v2 is a string holding a percentage',
    good: [utilization('1'), utilization('85'), utilization('100')],
    bad: [
      [utilization(85), 'autoscaling', 'averageUtilization" requires a percentage as a text'],
      [utilization('85 %'), 'autoscaling', 'averageUtilization" requires a percentage as a text'],
      [utilization('0'), 'autoscaling', 'averageUtilization" requires a percentage as a text'],
    ],
  },
  {
    id: 'v2 hpaVersion',
    says: '`autoscaling.hpaSpec.hpaVersion` of v2 is `autoscaling/v2`',
    good: [auto(1, 4)],
    bad: [
      [
        auto(1, 4, { hpaSpec: { metrics: autoscalingV2.hpaSpec.metrics } }),
        'autoscaling',
        'hpaVersion" requires a value such as "autoscaling/v2"',
      ],
    ],
  },
  {
    id: 'v1 targetCPUUtilizationPercentage',
    says: '`autoscaling.hpaSpec.targetCPUUtilizationPercentage` of v1 is an integer',
    version: '10.9.1',
    good: [auto(1, 3, autoscalingV1)],
    bad: [
      [
        auto(1, 3, { ...autoscalingV1, hpaSpec: {} }),
        'autoscaling',
        'targetCPUUtilizationPercentage" requires a percentage',
      ],
      [
        auto(1, 3, { ...autoscalingV1, hpaSpec: { targetCPUUtilizationPercentage: 0.5 } }),
        'wrong-type',
        'targetCPUUtilizationPercentage" requires a whole number',
      ],
    ],
  },
  {
    id: 'v1 hpaVersion',
    says: '`autoscaling.hpaVersion` of v1 is `autoscaling/v1`, beside `hpaSpec`',
    version: '10.9.1',
    good: [auto(1, 3, autoscalingV1)],
    bad: [
      [
        auto(1, 3, { hpaSpec: autoscalingV1.hpaSpec }),
        'autoscaling',
        'hpaVersion" requires a value such as "autoscaling/v2"',
      ],
    ],
  },
  {
    id: 'v1 beside min, max and scalingMode',
    says: 'Autoscaling v1 is alongside `min`, `max` and `scalingMode` = `auto`',
    version: '10.9.1',
    good: [{ min: 2, max: 7, scalingMode: 'auto', autoscaling: autoscalingV1 }],
    bad: [
      [
        { min: 2, max: 7, autoscaling: autoscalingV1 },
        'scaling-mode',
        '"autoscaling" requires "scalingMode": "auto"',
      ],
    ],
  },
];

/** A default of 1 for a count of pods. */
function defaultOf(name: 'min' | 'max'): Statement {
  const absent: Replicas = { [name === 'min' ? 'max' : 'min']: 1, scalingMode: 'manual' };
  const other: Replicas = { [name === 'min' ? 'max' : 'min']: 2, scalingMode: 'manual' };
  return {
    id: `2.4 default of ${name}`,
    says: `\`${name}\` is an integer whose default is 1`,
    client: client('`properties check` takes 1 for what is absent, and finds what is no integer', () => {
      const codes = (replicas: object) =>
        checkTemplate({ ...templateExample, spec: { ...templateExample.spec, replicas } }).findings.map(
          ({ code }) => code,
        );
      expect(codes(absent)).toEqual([]);
      expect(codes(other)).toEqual(['manual-range']);
      for (const wrong of [1.5, '1', true])
        expect(codes({ ...absent, [name]: wrong })).toEqual(['wrong-type']);
    }),
    deployment: deployment('Each new template has 1; takes 1 for what is absent', async (shared) => {
      const { calls } = await shared.at('11.1');
      for (const { spec } of await calls.templates()) expect(spec.replicas?.[name]).toBe(1);
      expect(await kept(shared, absent)).toEqual(absent);
      await expect(kept(shared, other)).rejects.toThrow('requires "min" and "max" to be equal');
      await expect(kept(shared, { ...absent, [name]: 1.5 })).rejects.toThrow(
        `${name}" requires a whole number`,
      );
    }),
  };
}

export const replicas: Section = {
  number: '2.4',
  title: 'Replicas',
  file: '2-4-replicas.ts',
  statements: [
    defaultOf('min'),
    defaultOf('max'),
    ...rules.map(toStatement),
    {
      id: '2.4 other scalingMode',
      says: '`scalingMode` has these two values',
      client: client('`properties check` finds any other', () => {
        const { findings } = checkTemplate(
          withReplicas(templateExample, { min: 1, max: 1, scalingMode: 'both' }),
        );
        expect(findings).toContainEqual(
          expect.objectContaining({ severity: 'error', path: 'spec.replicas.scalingMode' }),
        );
      }),
      deployment: deployment('Refuses any other', async (reference) => {
        const wrong = { min: 1, max: 1, scalingMode: 'both' };
        const template = withReplicas(await editable(reference), wrong);
        await expect(reference.calls.edit(template)).rejects.toThrow('scalingMode');
      }),
    },
    {
      id: '2.4 v2 scaling',
      says: 'When average CPU utilization crosses `averageUtilization`, pods scale up to `max`, and back down to `min`',
      deployment: deployment('Has no pods: the template stays as it was set', async (reference) => {
        const before = await edited(reference, withReplicas(await editable(reference), auto(2, 8)));
        reference.running.wait(3_600_000);
        const after = (await reference.calls.templates()).find(({ id }) => id === before.id);
        expect(after).toEqual(before);
      }),
    },
  ],
};
