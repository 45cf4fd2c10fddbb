import {
  introducedIn,
  isVersionSince,
  type PropertyTemplate,
  type Resources,
  templateDefaults,
  type VendorProfile,
} from '../../protocol/index.ts';

/** The properties of one kind of microservice in its template. */
interface Kind {
  readonly mode: string;
  /** `objects` stands for the part that a vendor profile spells. */
  readonly provider: string;
  readonly type: string;
  readonly imageKey: string;
  readonly resources?: Resources;
}

/** Every mode, provider and type of section 2.3 of the interface document occurs. */
const kinds: readonly Kind[] = [
  { mode: 'Shared', provider: 'SDS', type: 'FeatureServer', imageKey: 'SDS_FEATURE_SERVER' },
  { mode: 'Dedicated', provider: 'SDS', type: 'FeatureServer', imageKey: 'SDS_FEATURE_SERVER' },
  { mode: 'Shared', provider: 'DMaps', type: 'MapServer', imageKey: 'MAP_SERVER' },
  { mode: 'Dedicated', provider: 'objects11', type: 'MapServer', imageKey: 'MAP_SERVER' },
  { mode: 'Dedicated', provider: 'objectsRasterRendering', type: 'MapServer', imageKey: 'IMAGE_SERVER' },
  { mode: 'Shared', provider: 'Tiles', type: 'TileServer', imageKey: 'TILE_SERVER' },
  { mode: 'Shared', provider: 'objects11', type: 'GeometryServer', imageKey: 'GEOMETRY_SERVER' },
  { mode: 'Shared', provider: 'objects11', type: 'GPServer', imageKey: 'GP_SERVER' },
  {
    mode: 'Dedicated',
    provider: 'objects11',
    type: 'GPServer',
    imageKey: 'GP_SERVER',
    resources: { memoryMax: '4Gi' },
  },
  { mode: 'Shared', provider: 'objects11', type: 'GPSyncServer', imageKey: 'GPPROXY_SERVER' },
  { mode: 'Undefined', provider: 'Undefined', type: 'System', imageKey: 'ENTERPRISE_ADMIN_API' },
  { mode: 'Undefined', provider: 'Undefined', type: 'WebhookProcessor', imageKey: 'GPPROXY_SERVER' },
  {
    mode: 'Primary',
    provider: 'Postgres',
    type: 'RelationalStore',
    imageKey: 'STORE_POSTGRES',
    resources: { memoryMax: '16Gi' },
  },
  {
    mode: 'Standby',
    provider: 'Postgres',
    type: 'RelationalStore',
    imageKey: 'STORE_POSTGRES',
    resources: { memoryMax: '16Gi' },
  },
  {
    mode: 'Coordinator',
    provider: 'Elasticsearch',
    type: 'SpatiotemporalIndexStore',
    imageKey: 'STORE_SBDS',
  },
  { mode: 'Undefined', provider: 'Ignite', type: 'InMemoryStore', imageKey: 'STORE_IGNITE' },
  { mode: 'Undefined', provider: 'MinIO', type: 'ObjectStore', imageKey: 'STORE_MINIO' },
  { mode: 'Undefined', provider: 'RabbitMQ', type: 'QueueServer', imageKey: 'RABBITMQ' },
];

const filebeat: Resources = { memoryMin: '100Mi', memoryMax: '200Mi', cpuMin: '0.05', cpuMax: '0.1' };

/** The templates of a new deployment of a version, without later additions. */
export function initialTemplates(
  version: string,
  profile: VendorProfile,
  revision: number,
): readonly PropertyTemplate[] {
  return kinds
    .map((kind, at) => toTemplate(kind, { at, version, profile, revision }))
    .filter(
      ({ type }) => type !== 'WebhookProcessor' || isVersionSince(version, introducedIn.webhookProcessor),
    );
}

interface Made {
  readonly at: number;
  readonly version: string;
  readonly profile: VendorProfile;
  readonly revision: number;
}

function toTemplate(kind: Kind, { at, version, profile, revision }: Made): PropertyTemplate {
  const container = (name: string, containerImageKey: string, resources: Resources) => ({
    name,
    resources: { ...templateDefaults.resources, ...resources },
    containerImageKey,
  });
  return {
    mode: kind.mode,
    provider: kind.provider.replace('objects', profile.objects),
    id: identifier(at),
    type: kind.type,
    spec: {
      replicas: {
        ...templateDefaults.replicas,
        ...(isVersionSince(version, introducedIn.manualScaling) && { scalingMode: 'manual' }),
      },
      containers: [
        container('main-container', kind.imageKey, kind.resources ?? {}),
        container('filebeat', 'FILEBEAT', filebeat),
      ],
    },
    revision,
    ...newPlacement(kind, version),
  };
}

/** The placement of a template. */
interface Placed {
  readonly mode: string;
  readonly podPlacementPolicy?: unknown;
  readonly spec?: { readonly podPlacementPolicy?: unknown };
}

/**
 * The placement policy for a template without one: undefined unless it is of a GIS service and the version has
 * policies.
 */
export function newPlacement(
  { mode, podPlacementPolicy, spec }: Placed,
  version: string,
): Pick<PropertyTemplate, 'podPlacementPolicy'> | undefined {
  const isService = mode === 'Shared' || mode === 'Dedicated';
  if (!isService || podPlacementPolicy || spec?.podPlacementPolicy) return undefined;
  return isVersionSince(version, introducedIn.podPlacementPolicy)
    ? { podPlacementPolicy: { tolerations: [] } }
    : undefined;
}

/** The identifiers are equal in every deployment, so that examples can name them. */
function identifier(at: number): string {
  return `9375dd81-30d1-41c0-a802-${(0xcabb_4251_59a9 + at).toString(16)}`;
}
