import { templateDefaults } from '../properties/known-values.ts';

/** A member of a template that the interface document describes. */
export interface TemplateMember {
  /** Its path; `[]` stands for any item of a list. */
  readonly path: string;
  readonly type: 'text' | 'number' | 'object' | 'list';
  /** True if an edit may change it. */
  readonly editable: boolean;
  /** Value if it is absent. */
  readonly default?: string | number;
}

const metric = 'spec.replicas.autoscaling.hpaSpec.metrics[]';
const affinity = 'nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

/** The members of a template (sections 2.3 to 2.5 of the interface document). */
export const templateMembers: readonly TemplateMember[] = [
  ...['mode', 'provider', 'id', 'type'].map((path) => fixed(path, 'text')),
  fixed('spec', 'object'),
  fixed('revision', 'number'),
  editable('spec.replicas', 'object'),
  { ...editable('spec.replicas.min', 'number'), default: templateDefaults.replicas.min },
  { ...editable('spec.replicas.max', 'number'), default: templateDefaults.replicas.max },
  editable('spec.replicas.scalingMode', 'text'),
  editable('spec.replicas.autoscaling', 'object'),
  editable('spec.replicas.autoscaling.hpaVersion', 'text'),
  editable('spec.replicas.autoscaling.hpaSpec', 'object'),
  editable('spec.replicas.autoscaling.hpaSpec.hpaVersion', 'text'),
  editable('spec.replicas.autoscaling.hpaSpec.targetCPUUtilizationPercentage', 'number'),
  editable('spec.replicas.autoscaling.hpaSpec.metrics', 'list'),
  editable(metric, 'object'),
  editable(`${metric}.type`, 'text'),
  editable(`${metric}.resource`, 'object'),
  editable(`${metric}.resource.name`, 'text'),
  editable(`${metric}.resource.target`, 'object'),
  editable(`${metric}.resource.target.type`, 'text'),
  editable(`${metric}.resource.target.averageUtilization`, 'text'),
  fixed('spec.containers', 'list'),
  fixed('spec.containers[]', 'object'),
  fixed('spec.containers[].name', 'text'),
  fixed('spec.containers[].containerImageKey', 'text'),
  editable('spec.containers[].resources', 'object'),
  ...Object.entries(templateDefaults.resources).map(([name, value]) => ({
    ...editable(`spec.containers[].resources.${name}`, 'text'),
    default: value,
  })),
  ...['podPlacementPolicy', 'spec.podPlacementPolicy'].flatMap(placementMembers),
];

function placementMembers(at: string): readonly TemplateMember[] {
  return [
    editable(at, 'object'),
    editable(`${at}.nodeAffinity`, 'object'),
    editable(`${at}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`, 'object'),
    editable(`${at}.${affinity}`, 'list'),
    editable(`${at}.${affinity}[]`, 'object'),
    editable(`${at}.${affinity}[].matchExpressions`, 'list'),
    editable(`${at}.${affinity}[].matchExpressions[]`, 'object'),
    editable(`${at}.${affinity}[].matchExpressions[].key`, 'text'),
    editable(`${at}.${affinity}[].matchExpressions[].operator`, 'text'),
    editable(`${at}.${affinity}[].matchExpressions[].values`, 'list'),
    editable(`${at}.tolerations`, 'list'),
    editable(`${at}.tolerations[]`, 'object'),
    ...['effect', 'key', 'operator', 'value'].map((name) => editable(`${at}.tolerations[].${name}`, 'text')),
  ];
}

function fixed(path: string, type: TemplateMember['type']): TemplateMember {
  return { path, type, editable: false };
}

function editable(path: string, type: TemplateMember['type']): TemplateMember {
  return { path, type, editable: true };
}

/** The description of the member at a path, for any list indexes; undefined if there is none. */
export function memberAt(path: string): TemplateMember | undefined {
  const anyPlace = path.replace(/\[\d+\]/g, '[]');
  return templateMembers.find((member) => member.path === anyPlace);
}
