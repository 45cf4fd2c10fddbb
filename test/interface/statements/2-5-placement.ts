import { expect } from 'vitest';
import { editPropertyTemplate } from '../../../src/client/properties.ts';
import { checkTemplate } from '../../../src/protocol/check-template.ts';
import type { PodPlacementPolicy } from '../../../src/protocol/property-template.ts';
import { placementExample, templateExample } from '../parties/examples.ts';
import { editable, edited } from '../parties/reference.ts';
import { client, deployment, type Section, type Statement } from './statement.ts';

const affinity = (nodeSelectorTerms: object): PodPlacementPolicy =>
  ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  }) as PodPlacementPolicy;

const expression = (change: object) =>
  affinity([{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'], ...change }] }]);

const toleration = (change: object) =>
  ({
    tolerations: [{ effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'gis', ...change }],
  }) as PodPlacementPolicy;

interface Member {
  readonly id: string;
  readonly says: string;
  readonly good: readonly PodPlacementPolicy[];
  readonly bad: readonly (readonly [policy: PodPlacementPolicy, words: string])[];
}

const members: readonly Member[] = [
  {
    id: 'nodeSelectorTerms',
    says: '`nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms` is an array',
    good: [
      { nodeAffinity: placementExample.nodeAffinity },
      affinity([1, 2].map(() => ({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }))),
    ],
    bad: [
      [affinity({}), 'nodeSelectorTerms" requires a list'],
      [affinity([]), 'nodeSelectorTerms" requires a term'],
    ],
  },
  {
    id: 'matchExpressions',
    says: '`matchExpressions` of a term is an array',
    good: [expression({})],
    bad: [
      [affinity([{ matchExpressions: {} }]), 'matchExpressions" requires a list'],
      [affinity([{ matchExpressions: [] }]), 'matchExpressions" requires an expression'],
    ],
  },
  {
    id: 'matchExpressions.key',
    says: '`key` of an expression is a string',
    good: [expression({ key: 'topology.kubernetes.io/zone' })],
    bad: [
      [expression({ key: 5 }), 'key" requires a text'],
      [expression({ key: undefined }), 'key" requires a value'],
    ],
  },
  {
    id: 'matchExpressions.operator',
    says: '`operator` of an expression is a string such as `In`',
    good: [expression({ operator: 'In' }), expression({ operator: 'NotIn' })],
    bad: [
      [expression({ operator: 5 }), 'operator" requires a text'],
      [expression({ operator: undefined }), 'operator" requires a value'],
    ],
  },
  {
    id: 'matchExpressions.values',
    says: '`values` of an expression is an array of strings',
    good: [expression({ values: ['ssd', 'nvme'] })],
    bad: [
      [expression({ values: 'ssd' }), 'values" requires a list'],
      [expression({ values: [5] }), 'values[0]" requires a text'],
      [expression({ values: [] }), 'values" requires a value for the operator "In"'],
    ],
  },
  {
    id: 'tolerations',
    says: '`tolerations` is an array of objects',
    good: [{ tolerations: placementExample.tolerations }, { tolerations: [] }],
    bad: [[{ tolerations: {} } as PodPlacementPolicy, 'tolerations" requires a list']],
  },
  {
    id: 'tolerations.effect',
    says: '`effect` of a toleration is a string',
    good: [toleration({ effect: 'NoSchedule' }), toleration({ effect: 'NoExecute' })],
    bad: [[toleration({ effect: 5 }), 'effect" requires a text']],
  },
  {
    id: 'tolerations.key',
    says: '`key` of a toleration is a string',
    good: [toleration({ key: 'nvidia.com/gpu' })],
    bad: [[toleration({ key: 5 }), 'key" requires a text']],
  },
  {
    id: 'tolerations.operator',
    says: '`operator` of a toleration is a string such as `Equal`',
    good: [toleration({ operator: 'Equal' }), toleration({ operator: 'Exists', value: undefined })],
    bad: [
      [toleration({ operator: 5 }), 'operator" requires a text'],
      [toleration({ operator: 'Exists' }), 'value" requires to be empty for the operator "Exists"'],
    ],
  },
  {
    id: 'tolerations.value',
    says: '`value` of a toleration is a string',
    good: [toleration({ value: 'maps' })],
    bad: [[toleration({ value: 5 }), 'value" requires a text']],
  },
];

function toStatement({ id, says, good, bad }: Member): Statement {
  return {
    id: `2.5 ${id}`,
    says,
    client: client('Sends it; `properties check` finds what is none', async (own, other) => {
      const findings = (podPlacementPolicy: PodPlacementPolicy) =>
        checkTemplate({ ...templateExample, podPlacementPolicy }, { version: '11.2' }).findings;
      for (const policy of good) {
        expect(findings(policy)).toEqual([]);
        await editPropertyTemplate(own, { ...templateExample, podPlacementPolicy: policy });
        const sent = JSON.parse(String(other.last().form.get('propertyJson')));
        expect(sent.podPlacementPolicy).toEqual(JSON.parse(JSON.stringify(policy)));
      }
      for (const [policy, message] of bad)
        expect(findings(policy)).toContainEqual(
          expect.objectContaining({ severity: 'error', message: expect.stringContaining(message) }),
        );
    }),
    deployment: deployment('Keeps it; refuses what is none', async (reference) => {
      for (const policy of good) {
        const after = await edited(reference, { ...(await editable(reference)), podPlacementPolicy: policy });
        expect(after.podPlacementPolicy).toEqual(JSON.parse(JSON.stringify(policy)));
      }
      for (const [policy, message] of bad) {
        const template = { ...(await editable(reference)), podPlacementPolicy: policy };
        await expect(reference.calls.edit(template)).rejects.toThrow(message);
      }
    }),
  };
}

export const placement: Section = {
  number: '2.5',
  title: 'podPlacementPolicy',
  file: '2-5-placement.ts',
  statements: members.map(toStatement),
};
