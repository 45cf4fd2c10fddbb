import type { PropertyTemplate, Replicas, Resources } from '../../src/protocol/property-template.ts';

/** A template as a deployment of version 11.2 has it. */
export const template: PropertyTemplate = {
  id: '9375dd81-30d1-41c0-a802-cabb425159a9',
  mode: 'Dedicated',
  provider: 'VendorObjects11',
  type: 'GPServer',
  revision: 1_741_780_800_000,
  spec: {
    replicas: { min: 1, max: 1, scalingMode: 'manual' },
    containers: [
      {
        name: 'main-container',
        containerImageKey: 'GP_SERVER',
        resources: { memoryMin: '500Mi', memoryMax: '2Gi', cpuMin: '0.125', cpuMax: '2' },
      },
      {
        name: 'filebeat',
        containerImageKey: 'FILEBEAT',
        resources: { memoryMin: '100Mi', memoryMax: '200Mi', cpuMin: '0.05', cpuMax: '0.1' },
      },
    ],
  },
  podPlacementPolicy: { tolerations: [] },
};

/** The template with other replicas. */
export function withReplicas(replicas: Replicas): PropertyTemplate {
  return { ...template, spec: { ...template.spec, replicas } };
}

/** The template with other resources of its first container. */
export function withResources(resources: Resources): PropertyTemplate {
  const [first, ...others] = template.spec.containers ?? [];
  const containers = first ? [{ ...first, resources: { ...first.resources, ...resources } }, ...others] : [];
  return { ...template, spec: { ...template.spec, containers } };
}

/** An autoscaling of version 2, with this utilisation. */
export function autoscaled(averageUtilization: string | number = '80'): Replicas {
  const target = { type: 'Utilization', averageUtilization };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  return {
    min: 1,
    max: 5,
    scalingMode: 'auto',
    autoscaling: { hpaSpec: { metrics, hpaVersion: 'autoscaling/v2' } },
  };
}

/** An autoscaling of version 1. */
export const autoscaledFirst: Replicas = {
  min: 1,
  max: 3,
  scalingMode: 'auto',
  autoscaling: { hpaSpec: { targetCPUUtilizationPercentage: 50 }, hpaVersion: 'autoscaling/v1' },
};
