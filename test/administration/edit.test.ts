import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryOf, processorsOf } from '../../src/protocol/check-settings.ts';
import {
  affectedBy,
  diffTemplates,
  memberPath,
  readMemberPath,
  setMember,
  unsetMember,
} from '../../src/protocol/edit-template.ts';
import { readTemplate } from '../../src/protocol/property-template.ts';
import { writeExactJson } from '../../src/records/exact-json.ts';
import { autoscaled, template, withReplicas, withResources } from './a-template.ts';

describe('a path', () => {
  test.each([
    ['spec', ['spec']],
    ['spec.replicas.max', ['spec', 'replicas', 'max']],
    ['spec.containers[0].name', ['spec', 'containers', 0, 'name']],
    ['spec.containers.main-container.name', ['spec', 'containers', 'main-container', 'name']],
    ['labels["a.b/c"]', ['labels', 'a.b/c']],
    ['[0][1]', [0, 1]],
    ['["\\"]"]', ['"]']],
  ])('%s', (path, steps) => {
    expect(readMemberPath(path)).toEqual(steps);
  });

  test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[b]', 'a]', 'a["b]', '[-1]', 'a"b'])(
    '%j is none',
    (path) => {
      expect(readMemberPath(path)).toBeUndefined();
    },
  );

  test('of any steps is read as it was written', () => {
    const step = fc.oneof(fc.string({ unit: 'binary' }), fc.nat({ max: 999_999_999 }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (steps) => {
        expect(readMemberPath(memberPath(steps))).toEqual(steps);
      }),
    );
  });
});

describe('quantities', () => {
  test.each([
    ['500Mi', 524_288_000n],
    ['2Gi', 2_147_483_648n],
    ['1.5Ki', 1536n],
    ['1k', 1000n],
    ['3E', 3_000_000_000_000_000_000n],
    ['7', 7n],
  ])('%s of memory is %s bytes', (text, bytes) => {
    expect(memoryOf(text)).toBe(bytes * 1_000_000_000n);
  });

  test.each(['', 'Mi', '1mi', '1 Mi', '-1Mi', '1.Mi', '.5Gi', '1e3', '١Mi', '1Mi ', 'NaN', '1'.repeat(16)])(
    '%j is no memory',
    (text) => {
      expect(memoryOf(text)).toBeUndefined();
    },
  );

  test('of processors', () => {
    expect(processorsOf('0.125')).toBe(125_000_000n);
    expect(processorsOf('125m')).toBe(125_000_000n);
    expect(processorsOf('2')).toBe(2_000_000_000n);
    for (const text of ['', 'm', '1,5', '2Gi', '-1', '1e2']) expect(processorsOf(text)).toBeUndefined();
  });
});

describe('a difference', () => {
  test.each([
    [template, []],
    [
      withReplicas({ min: 1, max: 4, scalingMode: 'auto' }),
      [
        { path: 'spec.replicas.max', kind: 'changed', before: 1, after: 4, editable: true },
        {
          path: 'spec.replicas.scalingMode',
          kind: 'changed',
          before: 'manual',
          after: 'auto',
          editable: true,
        },
      ],
    ],
    [
      withResources({ memoryMax: '4Gi' }),
      [
        {
          path: 'spec.containers[0].resources.memoryMax',
          kind: 'changed',
          before: '2Gi',
          after: '4Gi',
          editable: true,
        },
      ],
    ],
    [
      { ...template, mode: 'Shared' },
      [{ path: 'mode', kind: 'changed', before: 'Dedicated', after: 'Shared', editable: false }],
    ],
    [{ ...template, color: 'red' }, [{ path: 'color', kind: 'added', after: 'red', editable: undefined }]],
    [
      { ...template, podPlacementPolicy: undefined },
      [{ path: 'podPlacementPolicy', kind: 'removed', before: { tolerations: [] }, editable: true }],
    ],
    [{ ...template, spec: { ...template.spec, containers: template.spec.containers?.toReversed() } }, []],
  ])('%#', (after, changes) => {
    expect(diffTemplates(template, after)).toEqual(changes);
  });

  test('in a list without names is reported by position', () => {
    const policy = (values: string[]) => ({ tolerations: values.map((value) => ({ key: 'a', value })) });
    const before = { ...template, podPlacementPolicy: policy(['1', '2']) };
    const after = { ...template, podPlacementPolicy: policy(['1', '3', '4']) };
    expect(diffTemplates(before, after)).toEqual([
      {
        path: 'podPlacementPolicy.tolerations[1].value',
        kind: 'changed',
        before: '2',
        after: '3',
        editable: true,
      },
      {
        path: 'podPlacementPolicy.tolerations[2]',
        kind: 'added',
        after: { key: 'a', value: '4' },
        editable: true,
      },
    ]);
  });

  test('affects new microservices only', () => {
    expect(affectedBy(template)).toBe(
      'New microservices of type GPServer, provider VendorObjects11 and mode Dedicated get these properties; those that exist keep theirs',
    );
  });
});

describe('an assignment', () => {
  const changesOf = (assignment: string) => {
    const set = setMember(template, assignment);
    const read = 'template' in set ? readTemplate(set.template) : set;
    if (!('template' in read)) return read;
    return diffTemplates(template, read.template).map(({ path, after }) => [path, after]);
  };

  test.each([
    ['spec.replicas.max=4', [['spec.replicas.max', 4]]],
    [' spec.replicas.max = 4', [['spec.replicas.max', 4]]],
    ['spec.replicas.scalingMode=auto', [['spec.replicas.scalingMode', 'auto']]],
    ['spec.replicas.scalingMode="auto"', [['spec.replicas.scalingMode', 'auto']]],
    ['spec.containers[0].resources.cpuMax=4', [['spec.containers[0].resources.cpuMax', '4']]],
    ['spec.containers.filebeat.resources.cpuMax=0.5', [['spec.containers[1].resources.cpuMax', '0.5']]],
    ['podPlacementPolicy=null', [['podPlacementPolicy', null]]],
    [
      `spec.replicas.autoscaling=${JSON.stringify(autoscaled().autoscaling)}`,
      [['spec.replicas.autoscaling', autoscaled().autoscaling]],
    ],
    [
      'spec.replicas.autoscaling.hpaSpec.hpaVersion=autoscaling/v2',
      [['spec.replicas.autoscaling', { hpaSpec: { hpaVersion: 'autoscaling/v2' } }]],
    ],
    ['mode=Shared', [['mode', 'Shared']]],
  ])('%s', (assignment, changes) => {
    expect(changesOf(assignment)).toEqual(changes);
  });

  test.each([
    ['spec.replicas.max', '"spec.replicas.max" requires the form PATH=VALUE, as in spec.replicas.max=4'],
    ['=4', '"=4" requires the form PATH=VALUE, as in spec.replicas.max=4'],
    [
      'spec.replica.max=4',
      'There is no "spec.replica" in the template; there is "replicas", "containers", "podPlacementPolicy"',
    ],
    [
      'spec.replicas.maks=4',
      'There is no "spec.replicas.maks" in the template; there is "min", "max", "scalingMode", "autoscaling"',
    ],
    [
      'spec.containers.main.name=a',
      'There is no "spec.containers.main" in the template; there is "main-container", "filebeat"',
    ],
    [
      'spec.containers[2].name=a',
      'There is no "spec.containers[2]" in the template; there is "main-container", "filebeat"',
    ],
    ['mode.a=1', 'There is no "mode.a" in the template'],
    ['__proto__.polluted=1', 'There is no "__proto__" in the template; there is "id", "mode"'],
    [
      'spec.replicas.autoscaling.hpaSpec.metrics[0].type=a',
      'There is no "spec.replicas.autoscaling.hpaSpec.metrics[0]" in the template',
    ],
  ])('%s is refused', (assignment, problem) => {
    expect(setMember(template, assignment)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test('keeps every digit', () => {
    const set = setMember({ ...template, more: 1 }, 'more=[12345678901234567890,1.0]');
    expect('template' in set && writeExactJson(set.template)).toContain('"more":[12345678901234567890,1.0]');
  });

  test('of a wrong type is found when the template is read', () => {
    const set = setMember(template, 'spec.replicas.max=many');
    expect('template' in set && readTemplate(set.template)).toEqual({
      findings: [{ parameter: 'spec.replicas.max', message: '"spec.replicas.max" requires a whole number' }],
    });
  });
});

describe('a removal', () => {
  test.each([
    ['spec.replicas.scalingMode', ['spec.replicas.scalingMode']],
    ['spec.containers.filebeat.resources.cpuMax', ['spec.containers[1].resources.cpuMax']],
    ['podPlacementPolicy', ['podPlacementPolicy']],
    ['spec.containers[1]', ['spec.containers[1]']],
  ])('of %s', (path, paths) => {
    const removed = unsetMember(template, path);
    const changes = 'template' in removed ? diffTemplates(template, removed.template) : [];
    expect(changes.map((change) => [change.path, change.kind])).toEqual(
      paths.map((each) => [each, 'removed']),
    );
  });

  test.each([
    ['', '"" requires a path, as in spec.replicas.autoscaling'],
    ['spec.replicas.autoscaling', 'There is no "spec.replicas.autoscaling" in the template'],
    ['spec.replica', 'There is no "spec.replica" in the template; there is "replicas"'],
    ['spec.containers[2]', 'There is no "spec.containers[2]" in the template'],
  ])('of %j is refused', (path, problem) => {
    expect(unsetMember(template, path)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test('leaves all else as it is', () => {
    const removed = unsetMember({ ...template, more: [1, 2, 3] }, 'more[1]');
    expect(removed).toEqual({ template: { ...template, more: [1, 3] } });
  });
});
