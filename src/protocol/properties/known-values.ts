import type { VendorProfile } from '../catalog/profile.ts';

/** The modes of a microservice (section 2.3 of the interface document). This list and those below are open. */
export const templateModes = [
  'Shared',
  'Dedicated',
  'Undefined',
  'Primary',
  'Standby',
  'Coordinator',
] as const;

/** The providers of a microservice (section 2.3). Each profile spells two of them in its own way. */
export function templateProviders({ objects }: VendorProfile): readonly string[] {
  return [
    'SDS',
    `${objects}11`,
    'DMaps',
    'Undefined',
    'Postgres',
    'Tiles',
    'Ignite',
    'MinIO',
    'Elasticsearch',
    'RabbitMQ',
    `${objects}RasterRendering`,
  ];
}

/** The types of a microservice (section 2.3). */
export const templateTypes = [
  'FeatureServer',
  'GeometryServer',
  'GPServer',
  'GPSyncServer',
  'MapServer',
  'TileServer',
  'System',
  'InMemoryStore',
  'ObjectStore',
  'SpatiotemporalIndexStore',
  'QueueServer',
  'RelationalStore',
  'WebhookProcessor',
] as const;

/** The ways to set the number of pods (section 2.4). */
export const scalingModes = ['manual', 'auto'] as const;

/** The versions of autoscaling (section 2.4), the oldest first. */
export const hpaVersions = ['autoscaling/v1', 'autoscaling/v2'] as const;

/** The operators of node affinity (section 2.5); those other than `In` are from Kubernetes. */
export const affinityOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

/** The operators of tolerations (section 2.5). */
export const tolerationOperators = ['Equal', 'Exists'] as const;

/** The effects of taints in Kubernetes. */
export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** The defaults of absent members of a template (section 8). */
export const templateDefaults = {
  replicas: { min: 1, max: 1 },
  resources: { memoryMin: '500Mi', memoryMax: '2Gi', cpuMin: '0.125', cpuMax: '2' },
} as const;
