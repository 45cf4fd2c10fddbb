import { describe, expect, test } from 'vitest';
import { checkTemplate, templateFindingCodes } from '../../src/protocol/check-template.ts';
import type {
  Autoscaling,
  MatchExpression,
  PropertyTemplate,
  Toleration,
} from '../../src/protocol/property-template.ts';
import { ExactNumber } from '../../src/records/exact-json.ts';
import { autoscaled, autoscaledFirst, template, withReplicas, withResources } from './a-template.ts';

/** One line for each finding: its severity, place and sentence. */
function findings(body: unknown, options?: Parameters<typeof checkTemplate>[1]): string[] {
  return checkTemplate(body, options).findings.map(
    ({ code, severity, path, message }) => `${severity} ${code} ${path}: ${message}`,
  );
}

test('nothing is found in a template as the deployment has it', () => {
  expect(findings(template, { original: template, version: '11.2' })).toEqual([]);
  expect(checkTemplate(template).template).toEqual(template);
});

test('a template of wrong types is not looked at further', () => {
  const { findings: found, template: none } = checkTemplate({ ...template, revision: 'now' });
  expect(none).toBeUndefined();
  expect(found).toEqual([
    {
      code: 'wrong-type',
      severity: 'error',
      path: 'revision',
      message: '"revision" requires a whole number',
    },
  ]);
});

describe('against the original', () => {
  const changes: [Partial<PropertyTemplate>, string][] = [
    [
      { mode: 'Shared' },
      'error fixed-member mode: "mode" cannot be edited and requires the value of the original',
    ],
    [
      { provider: 'SDS' },
      'error fixed-member provider: "provider" cannot be edited and requires the value of the original',
    ],
    [{ id: 'other' }, 'error fixed-member id: "id" cannot be edited and requires the value of the original'],
    [
      { type: 'MapServer' },
      'error fixed-member type: "type" cannot be edited and requires the value of the original',
    ],
    [
      { revision: 1 },
      'error fixed-member revision: "revision" cannot be edited and requires the value of the original: the template may have been edited in between, so read it again',
    ],
    [
      { spec: { ...template.spec, containers: [] } },
      'error fixed-member spec.containers: "spec.containers" requires the 2 containers of the original',
    ],
    [
      { spec: { ...template.spec, containers: template.spec.containers?.toReversed() } },
      'error fixed-member spec.containers[0].name: "spec.containers[0].name" cannot be edited and requires the value of the original',
    ],
    [
      { color: 'red' },
      'warning undescribed-member color: "color" differs from the original, and whether it can be edited is not documented',
    ],
    [
      { spec: { ...template.spec, volumes: [] } },
      'warning undescribed-member spec.volumes: "spec.volumes" differs from the original, and whether it can be edited is not documented',
    ],
  ];

  test.each(changes)('%#: %j', (change, finding) => {
    expect(findings({ ...template, ...change }, { original: template })[0]).toBe(finding);
    expect(findings({ ...template, ...change })).toEqual([]);
  });

  test('what has to be passed through must not be removed', () => {
    const [first, ...others] = template.spec.containers ?? [];
    const { resources: _, ...bare } = first ?? { name: '' };
    const without = [
      { ...template.spec, replicas: undefined },
      { ...template.spec, replicas: null },
    ];
    for (const spec of without) {
      expect(findings({ ...template, spec }, { original: template })).toEqual([
        'error removed-member spec.replicas: "spec.replicas" must not be removed: change its members instead',
      ]);
    }
    expect(
      findings(
        { ...template, spec: { ...template.spec, containers: [bare, ...others] } },
        { original: template },
      ),
    ).toEqual([
      'error removed-member spec.containers[0].resources: "spec.containers[0].resources" must not be removed: change its members instead',
    ]);
    const never = { ...template, spec: { ...template.spec, replicas: undefined } };
    expect(findings(never, { original: never })).toEqual([]);
  });

  test('a type of its own is a warning where the deployment gave it or may have', () => {
    const odd = withResources({ cpuMin: 0.125 });
    const message = 'wrong-type spec.containers[0].resources.cpuMin:';
    expect(findings(odd)).toEqual([expect.stringContaining(`warning ${message}`)]);
    expect(findings(odd, { original: odd })).toEqual([expect.stringContaining(`warning ${message}`)]);
    expect(findings(odd, { original: template })).toEqual([expect.stringContaining(`error ${message}`)]);
  });

  test('a number is the same however it is written', () => {
    const revision = new ExactNumber('1741780800000.0');
    expect(findings({ ...template, revision }, { original: template })).toEqual([]);
  });

  test('modes, providers and types are open', () => {
    const other = { ...template, mode: 'Spare', provider: 'Oracle', type: 'ImageServer' };
    expect(findings(other).map((each) => each.slice(0, 35))).toEqual([
      'warning unknown-value mode: "mode" ',
      'warning unknown-value provider: "pr',
      'warning unknown-value type: "type" ',
    ]);
    expect(findings({ ...template, provider: 'ArcObjects11' })).toEqual([]);
  });

  test('what may be edited is not compared', () => {
    const edited = { ...withReplicas({ min: 3, max: 3, scalingMode: 'manual' }), podPlacementPolicy: null };
    expect(findings(edited, { original: template })).toEqual([]);
  });

  test('what the original has as well is a warning', () => {
    const odd = withReplicas({ min: 1, max: 2, scalingMode: 'manual' });
    expect(findings(odd)[0]).toMatch(/^error manual-range/);
    expect(findings(odd, { original: odd })[0]).toMatch(/^warning manual-range/);
    const worse = withReplicas({ min: 1, max: 3, scalingMode: 'manual' });
    expect(findings(worse, { original: odd })[0]).toMatch(/^error manual-range/);
  });
});

describe('replicas', () => {
  test.each([
    [{ min: 2, max: 2, scalingMode: 'manual' }, []],
    [{}, []],
    [autoscaled(), []],
    [autoscaledFirst, []],
    [
      { min: 1, max: 4, scalingMode: 'manual' },
      [
        'error manual-range spec.replicas.max: "scalingMode": "manual" requires "min" and "max" to be equal, not 1 and 4',
      ],
    ],
    [
      { max: 4, scalingMode: 'manual' },
      [
        'error manual-range spec.replicas.max: "scalingMode": "manual" requires "min" and "max" to be equal, not 1 and 4',
      ],
    ],
    [
      { min: 3, max: 2 },
      ['error replica-count spec.replicas.min: "min" requires at most "max", which is 2, not 3'],
    ],
    [
      { min: 0, max: 0, scalingMode: 'manual' },
      [
        'error replica-count spec.replicas.min: "min" requires a number of pods from 1 on, not 0',
        'error replica-count spec.replicas.max: "max" requires a number of pods from 1 on, not 0',
      ],
    ],
    [
      { min: 1, max: 4, scalingMode: 'auto' },
      ['error scaling-mode spec.replicas.autoscaling: "scalingMode": "auto" requires "autoscaling"'],
    ],
    [
      { ...autoscaled(), max: 1, scalingMode: 'manual' },
      ['error scaling-mode spec.replicas.scalingMode: "autoscaling" requires "scalingMode": "auto"'],
    ],
    [
      { min: 1, max: 1, scalingMode: 'manuel' },
      [
        'error scaling-mode spec.replicas.scalingMode: "spec.replicas.scalingMode" requires "manual" or "auto", not "manuel"',
      ],
    ],
  ])('%#: %j', (replicas, expected) => {
    expect(findings(withReplicas(replicas))).toEqual(expected);
  });

  const at = 'spec.replicas.autoscaling.hpaSpec';
  const percentage = (value: string | number) => findings(withReplicas(autoscaled(value)));

  test.each(['1', '50', '100', '250'])('an average utilisation of "%s"', (value) => {
    expect(percentage(value)).toEqual([]);
  });

  test.each([80, '0', '80%', '', '-1', '0.5'])('an average utilisation of %j', (value) => {
    const path = `${at}.metrics[0].resource.target.averageUtilization`;
    expect(percentage(value)).toEqual([
      `error autoscaling ${path}: "${path}" requires a percentage as a text, such as "80"`,
    ]);
  });

  test('an autoscaling without its parts', () => {
    const parts = (autoscaling: Autoscaling) =>
      findings(withReplicas({ min: 1, max: 2, scalingMode: 'auto', autoscaling })).map(
        (line) => line.split(': ')[0],
      );
    expect(parts({})).toEqual([`error autoscaling ${at}.hpaVersion`]);
    expect(parts({ hpaVersion: 'autoscaling/v1' })).toEqual([
      `error autoscaling ${at}.targetCPUUtilizationPercentage`,
    ]);
    expect(parts({ hpaSpec: { hpaVersion: 'autoscaling/v2' } })).toEqual([`error autoscaling ${at}.metrics`]);
    expect(parts({ hpaSpec: { hpaVersion: 'autoscaling/v2', metrics: [{}] } })).toEqual([
      `error autoscaling ${at}.metrics[0].type`,
      `error autoscaling ${at}.metrics[0].resource.name`,
      `error autoscaling ${at}.metrics[0].resource.target.type`,
      `error autoscaling ${at}.metrics[0].resource.target.averageUtilization`,
    ]);
    expect(parts({ hpaSpec: { hpaVersion: 'autoscaling/v3' } })).toEqual([
      `warning unknown-value ${at}.hpaVersion`,
    ]);
  });
});

describe('resources', () => {
  const at = 'spec.containers[0].resources';

  test.each([
    [{}, []],
    [{ memoryMin: '2048Mi', memoryMax: '2Gi' }, []],
    [{ memoryMin: '0.1Gi', memoryMax: '102.4Mi' }, []],
    [{ cpuMin: '250m', cpuMax: '0.25' }, []],
    [
      { memoryMin: '2049Mi' },
      [`error quantity-range ${at}.memoryMin: "${at}.memoryMin" requires at most "2Gi", not "2049Mi"`],
    ],
    [
      { cpuMax: '0.1' },
      [`error quantity-range ${at}.cpuMin: "${at}.cpuMin" requires at most "0.1", not "0.125"`],
    ],
    [
      { memoryMax: '2 GB' },
      [
        `error quantity ${at}.memoryMax: "${at}.memoryMax" requires a quantity of memory such as "500Mi", not "2 GB"`,
      ],
    ],
    [
      { memoryMax: '-2Gi' },
      [
        `error quantity ${at}.memoryMax: "${at}.memoryMax" requires a quantity of memory such as "500Mi", not "-2Gi"`,
      ],
    ],
    [
      { cpuMax: '2Gi' },
      [
        `error quantity ${at}.cpuMax: "${at}.cpuMax" requires a count of processors such as "0.125", not "2Gi"`,
      ],
    ],
    [
      { cpuMax: '' },
      [`error quantity ${at}.cpuMax: "${at}.cpuMax" requires a count of processors such as "0.125", not ""`],
    ],
    [
      { memoryMin: '500' },
      [`warning quantity ${at}.memoryMin: "${at}.memoryMin" names no unit, so "500" is a number of bytes`],
    ],
  ])('%#: %j', (resources, expected) => {
    expect(findings(withResources(resources))).toEqual(expected);
  });

  test('what is absent has its default', () => {
    const containers = [{ name: 'main-container', resources: { memoryMin: '3Gi' } }];
    expect(findings({ ...template, spec: { containers } })).toEqual([
      `error quantity-range ${at}.memoryMin: "${at}.memoryMin" requires at most "2Gi", not "3Gi"`,
    ]);
  });
});

describe('placement', () => {
  const affine = (expression: MatchExpression) => {
    const nodeSelectorTerms = [{ matchExpressions: [expression] }];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    return { ...template, podPlacementPolicy: { nodeAffinity } };
  };
  const at =
    'podPlacementPolicy.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]';

  test.each([
    { key: 'disk', operator: 'In', values: ['ssd'] },
    { key: 'disk', operator: 'NotIn', values: ['hdd', 'tape'] },
    { key: 'gpu', operator: 'Exists' },
    { key: 'gpu', operator: 'DoesNotExist', values: [] },
    { key: 'cores', operator: 'Gt', values: ['8'] },
    { key: 'cores', operator: 'Lt', values: ['64'] },
  ])('the expression %j', (expression) => {
    expect(findings(affine(expression))).toEqual([]);
  });

  test.each([
    [
      { key: '', operator: 'Exists' },
      `error node-affinity ${at}.key: "${at}.key" requires the name of a label`,
    ],
    [
      { key: 'a', operator: 'In' },
      `error node-affinity ${at}.values: "${at}.values" requires a value for the operator "In"`,
    ],
    [
      { key: 'a', operator: 'NotIn', values: [] },
      `error node-affinity ${at}.values: "${at}.values" requires a value for the operator "NotIn"`,
    ],
    [
      { key: 'a', operator: 'Exists', values: ['b'] },
      `error node-affinity ${at}.values: "${at}.values" requires to be empty for the operator "Exists"`,
    ],
    [
      { key: 'a', operator: 'Gt', values: ['many'] },
      `error node-affinity ${at}.values: "${at}.values" requires one whole number for the operator "Gt"`,
    ],
    [
      { key: 'a', operator: 'Lt', values: ['1', '2'] },
      `error node-affinity ${at}.values: "${at}.values" requires one whole number for the operator "Lt"`,
    ],
    [
      { key: 'a', operator: 'in', values: ['b'] },
      `warning unknown-value ${at}.operator: "${at}.operator" has the value "in", and known are "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"`,
    ],
  ])('%#: the expression %j', (expression, finding) => {
    expect(findings(affine(expression))).toEqual([finding]);
  });

  test('a term without expressions and an affinity without terms', () => {
    const policy = (nodeSelectorTerms: object[]) => ({
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    });
    const terms = at.replace(/\[0\].*/, '');
    expect(findings({ ...template, podPlacementPolicy: policy([]) })).toEqual([
      `error node-affinity ${terms}: "${terms}" requires a term`,
    ]);
    expect(findings({ ...template, podPlacementPolicy: policy([{}]) })).toEqual([
      `error node-affinity ${terms}[0].matchExpressions: "${terms}[0].matchExpressions" requires an expression`,
    ]);
  });

  const tolerant = (toleration: Toleration) => ({
    ...template,
    podPlacementPolicy: { tolerations: [toleration] },
  });
  const taint = 'podPlacementPolicy.tolerations[0]';

  test.each([
    { effect: 'NoSchedule', key: 'a', operator: 'Equal', value: 'b' },
    { effect: 'PreferNoSchedule', key: 'a', operator: 'Exists' },
    { operator: 'Exists' },
    { key: 'a', value: '' },
    { effect: 'NoExecute', key: 'a', operator: 'Exists', tolerationSeconds: 60 },
  ])('the toleration %j', (toleration) => {
    expect(findings(tolerant(toleration))).toEqual([]);
  });

  test.each([
    [
      { key: 'a', operator: 'Exists', value: 'b' },
      `error toleration ${taint}.value: "${taint}.value" requires to be empty for the operator "Exists"`,
    ],
    [
      { key: '', operator: 'Equal', value: 'b' },
      `error toleration ${taint}.operator: "${taint}.operator" requires "Exists" where there is no key`,
    ],
    [
      { key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 },
      `error toleration ${taint}.tolerationSeconds: "${taint}.tolerationSeconds" requires the effect "NoExecute"`,
    ],
    [
      { key: 'a', effect: 'NoStart' },
      `warning unknown-value ${taint}.effect: "${taint}.effect" has the value "NoStart", and known are "NoSchedule", "PreferNoSchedule", "NoExecute"`,
    ],
    [
      { key: 'a', operator: 'Is' },
      `warning unknown-value ${taint}.operator: "${taint}.operator" has the value "Is", and known are "Equal", "Exists"`,
    ],
  ])('%#: the toleration %j', (toleration, finding) => {
    expect(findings(tolerant(toleration))).toEqual([finding]);
  });

  test('of a microservice that is no GIS service applies to no pods', () => {
    const system = {
      ...tolerant({ operator: 'Exists' }),
      mode: 'Undefined',
      type: 'System',
      provider: 'Undefined',
    };
    expect(findings(system)).toEqual([
      'warning placement-target podPlacementPolicy: "podPlacementPolicy" applies to the pods of GIS services, and a microservice of the mode "Undefined" is none',
    ]);
    expect(findings({ ...system, podPlacementPolicy: { tolerations: [], nodeAffinity: null } })).toEqual([]);
  });
});

describe('versions (section 9)', () => {
  const plain = { ...template, podPlacementPolicy: undefined, spec: { replicas: {} } };

  test.each([
    ['10.9', plain, []],
    [
      '10.9',
      { ...plain, spec: { replicas: autoscaledFirst } },
      ['"autoscaling/v1" requires version 10.9.1, and the deployment has 10.9'],
    ],
    ['10.9.1', { ...plain, spec: { replicas: autoscaledFirst } }, []],
    [
      '10.9.1',
      withReplicas({ min: 1, max: 1, scalingMode: 'manual' }),
      [
        '"manual" requires version 11.0, and the deployment has 10.9.1',
        '"podPlacementPolicy" requires version 11.2, and the deployment has 10.9.1',
      ],
    ],
    [
      '10.9.1',
      { ...plain, type: 'WebhookProcessor' },
      ['"WebhookProcessor" requires version 11.0, and the deployment has 10.9.1'],
    ],
    [
      '11.1',
      { ...plain, spec: { replicas: autoscaled() } },
      ['"autoscaling/v2" requires version 11.2, and the deployment has 11.1'],
    ],
    ['11.2', { ...plain, spec: { replicas: autoscaled() } }, []],
    ['11.2.0.4019', template, []],
    [
      '11.2',
      { ...plain, spec: { replicas: autoscaledFirst } },
      ['"autoscaling/v1" is that of older versions: 11.2 describes "autoscaling/v2"'],
    ],
  ])('%s: %#', (version, body, messages) => {
    expect(checkTemplate(body, { version }).findings.map(({ message }) => message)).toEqual(messages);
    expect(checkTemplate(body).findings).toEqual([]);
  });
});

test('every code is stable and explained', () => {
  expect(Object.keys(templateFindingCodes)).toEqual([
    'wrong-type',
    'fixed-member',
    'removed-member',
    'undescribed-member',
    'manual-range',
    'replica-count',
    'scaling-mode',
    'autoscaling',
    'quantity',
    'quantity-range',
    'node-affinity',
    'toleration',
    'placement-target',
    'needs-version',
    'unknown-value',
  ]);
});
