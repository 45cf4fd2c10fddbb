import type { ServiceDescription } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import type { Random } from './random.ts';

/** Services, pods and users of the incident. Invented, in realistic shapes. */

/** A published service. */
export interface Service {
  /** Value of `source`: `<folder>/<service>.<type>`. */
  readonly name: string;
  readonly type: string;
  readonly className: string;
  readonly pods: readonly [Pod, ...Pod[]];
  /** True if it reads from the relational store through the connection pool that runs dry. */
  readonly pooled: boolean;
  /** Its share of the requests, relative to the other services. */
  readonly share: number;
  /** Usual time of a request, in seconds. */
  readonly seconds: number;
  readonly operations: readonly [string, ...string[]];
}

/** A pod that writes logs. */
export interface Pod {
  readonly machine: string;
  readonly process: string;
}

/** A user who sends requests. */
export interface IncidentUser {
  /** Value of `username`. */
  readonly name: string;
  readonly share: number;
  /** True for a person, who may write a comment; false for a program. */
  readonly person: boolean;
}

/** The name under which requests without a token are logged. */
export const anonymousUser = 'Anonymous user';

export const publishedServices: readonly [Service, ...Service[]] = [
  {
    name: 'Utilities/Water.FeatureServer',
    type: 'FeatureServer',
    className: 'com.vendor.gis.feature.FeatureService',
    pods: pods('utilities-water-featureserver-6f7d9c5b84', ['x2k8p', 'm4wzt']),
    pooled: true,
    share: 20,
    seconds: 0.12,
    operations: ['query', 'query', 'query', 'queryRelatedRecords', 'applyEdits'],
  },
  {
    name: 'Utilities/Sewer.FeatureServer',
    type: 'FeatureServer',
    className: 'com.vendor.gis.feature.FeatureService',
    pods: pods('utilities-sewer-featureserver-5c88f7d9b6', ['q9dlr']),
    pooled: true,
    share: 8,
    seconds: 0.1,
    operations: ['query', 'query', 'applyEdits'],
  },
  {
    name: 'Planning/Parcels.FeatureServer',
    type: 'FeatureServer',
    className: 'com.vendor.gis.feature.FeatureService',
    pods: pods('planning-parcels-featureserver-74bb6cd9f5', ['7hvjn', 'c5tq2']),
    pooled: true,
    share: 14,
    seconds: 0.2,
    operations: ['query', 'query', 'extractChanges'],
  },
  {
    name: 'Transport/Roadworks.FeatureServer',
    type: 'FeatureServer',
    className: 'com.vendor.gis.feature.FeatureService',
    pods: pods('transport-roadworks-featureserver-84d5b9c7f', ['k2m8s']),
    pooled: true,
    share: 9,
    seconds: 0.08,
    operations: ['query', 'addFeatures'],
  },
  {
    name: 'Planning/Zoning.MapServer',
    type: 'MapServer',
    className: 'com.vendor.gis.map.MapService',
    pods: pods('planning-zoning-mapserver-6b9f85d7c4', ['w8xrz']),
    pooled: true,
    share: 8,
    seconds: 0.35,
    operations: ['export', 'export', 'identify', 'legend'],
  },
  {
    name: 'Basemaps/City.MapServer',
    type: 'MapServer',
    className: 'com.vendor.gis.map.MapService',
    pods: pods('basemaps-city-mapserver-7d6f94c8b5', ['4nbgd', 'v6rth']),
    pooled: false,
    share: 18,
    seconds: 0.25,
    operations: ['export', 'export', 'find'],
  },
  {
    name: 'Basemaps/Streets.TileServer',
    type: 'TileServer',
    className: 'com.vendor.gis.tile.TileService',
    pods: pods('basemaps-streets-tileserver-59c7bd8f46', ['zl5fp']),
    pooled: false,
    share: 14,
    seconds: 0.02,
    operations: ['tile'],
  },
  {
    name: 'Utilities/Geometry.GeometryServer',
    type: 'GeometryServer',
    className: 'com.vendor.gis.geometry.GeometryService',
    pods: pods('utilities-geometry-geometryserver-8f6c7d5b9', ['t7qkw']),
    pooled: false,
    share: 5,
    seconds: 0.03,
    operations: ['project', 'buffer', 'simplify'],
  },
];

/** Services that run jobs instead of answering at once. */
export const jobServices: readonly [Service, ...Service[]] = [
  {
    name: 'Analysis/Drainage.GPServer',
    type: 'GPServer',
    className: 'com.vendor.gis.geoprocessing.JobRunner',
    pods: pods('analysis-drainage-gpserver-6d5c9b7f88', ['p3hsv']),
    pooled: true,
    share: 2,
    seconds: 25,
    operations: ['TraceDownstream'],
  },
  {
    name: 'System/PublishingTools.GPServer',
    type: 'GPServer',
    className: 'com.vendor.gis.geoprocessing.JobRunner',
    pods: pods('system-publishingtools-gpserver-7c6b8d9f5', ['j9wnc']),
    pooled: false,
    share: 1,
    seconds: 40,
    operations: ['PublishService'],
  },
];

export const incidentUsers: readonly [IncidentUser, ...IncidentUser[]] = [
  { name: anonymousUser, share: 30, person: true },
  { name: 'maria.lopez', share: 12, person: true },
  { name: 'j.okafor', share: 9, person: true },
  { name: 'h.tanaka', share: 8, person: true },
  { name: 'p.novak', share: 6, person: true },
  // Users of a directory carry its identifier and domain.
  { name: '<7F3A21>::e.fischer@CITY', share: 6, person: true },
  { name: 'field-crew-3', share: 10, person: true },
  { name: 'svc-dashboard', share: 14, person: false },
  { name: 'svc-sync', share: 5, person: false },
];

/** The administrator who repairs the incident. */
export const incidentAdministrator = 'a.lindqvist';

/** Pods of components that are no services. */
export const restPod: Pod = { machine: 'rest-gateway-5b7c9d8f64-s8k2x', process: '19' };
export const soapPod: Pod = { machine: 'soap-catalog-6c8d7f9b5-g4mzt', process: '23' };
export const sharingPod: Pod = { machine: 'sharing-api-7f9b8c6d54-r6wpq', process: '31' };
export const adminPod: Pod = { machine: 'enterprise-admin-api-8c7b6d5f9-b2nhv', process: '12' };

function pods(name: string, [first, ...others]: readonly [string, ...string[]]): [Pod, ...Pod[]] {
  const pod = (suffix: string, at: number): Pod => ({
    machine: `${name}-${suffix}`,
    process: String(14 + at),
  });
  return [pod(first, 0), ...others.map((suffix, at) => pod(suffix, at + 1))];
}

/** Capabilities of a service in the catalog, by its type. */
const capabilities: Readonly<Record<string, string>> = {
  FeatureServer: 'Query,Create,Update,Delete,Editing',
  MapServer: 'Map,Query,Data',
  TileServer: 'TilesOnly',
  GPServer: 'Uploads',
};

/** A service outside all folders. It has no logs in the incident. */
const rootService = { name: 'Overview.MapServer', type: 'MapServer' } as const;

/**
 * Services of the deployment, including those with logs in the incident, as the catalog at an address describes
 * them.
 */
export function incidentServices(catalog: string): readonly ServiceDescription[] {
  return [rootService, ...publishedServices, ...jobServices].map(({ name: source, type }) => {
    const name = source.slice(0, -type.length - 1);
    return {
      name,
      type,
      url: `${catalog}/${name}/${type}`,
      parentType: '',
      capabilities: capabilities[type] ?? '',
      description: '',
    };
  });
}

/** The folders that services are in, each once and in their order. */
export function foldersOf(described: readonly ServiceDescription[]): readonly string[] {
  return [...new Set(described.map(folderOf))].filter((folder) => folder !== '').toSorted();
}

/** The folder of a service, empty for the root. */
export function folderOf({ name }: ServiceDescription): string {
  return name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
}

/** The origin fields of a log that one of a service's pods writes. */
export function fromService(service: Service, random: Random): Log {
  return {
    source: service.name,
    className: service.className,
    serviceTypes: service.type,
    ...fromPod(random.pick(service.pods), random),
  };
}

/** The origin fields of a log that this pod writes. */
export function fromPod(pod: Pod, random: Random): Log {
  return { machine: pod.machine, process: pod.process, thread: `worker-${random.integer(1, 24)}` };
}

/** The stack trace of a request that waited in vain for a connection of the pool. */
export function poolTimeout(service: string, operation: string, random: Random): string {
  return [
    `java.sql.SQLTransientConnectionException: hosted - Connection is not available, request timed out after ${random.integer(30000, 30009)}ms.`,
    '\tat com.vendor.gis.data.pool.ConnectionPool.borrow(ConnectionPool.java:212)',
    '\tat com.vendor.gis.data.HostedStore.open(HostedStore.java:88)',
    `\tat com.vendor.gis.feature.FeatureService.${operation}(FeatureService.java:${random.integer(310, 460)})`,
    '\tat com.vendor.gis.service.RequestWorker.run(RequestWorker.java:141)',
    '\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)',
    '\tat java.base/java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:635)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
    ...causedByPassword,
    `Suppressed: com.vendor.gis.service.ServiceException: ${service} gave up`,
    `\tat com.vendor.gis.service.RequestWorker.fail(RequestWorker.java:${random.integer(160, 175)})`,
  ].join('\n');
}

/** The stack trace of an attempt to connect with a password that is no longer the right one. */
export function refusedConnection(): string {
  return [
    'com.vendor.gis.data.pool.PoolException: Cannot add a connection to the pool "hosted"',
    '\tat com.vendor.gis.data.pool.ConnectionPool.grow(ConnectionPool.java:174)',
    '\tat com.vendor.gis.data.pool.PoolKeeper.run(PoolKeeper.java:57)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
    ...causedByPassword,
  ].join('\n');
}

const causedByPassword = [
  'Caused by: org.postgresql.util.PSQLException: FATAL: password authentication failed for user "hosted_rw"',
  '\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:693)',
  '\tat org.postgresql.jdbc.PgConnection.<init>(PgConnection.java:273)',
  '\t... 9 more',
];

/** The stack trace of a geoprocessing tool with bad data, which is unrelated to the incident. */
export function badGeometry(): string {
  return [
    'java.lang.IllegalArgumentException: Invalid geometry: a ring requires at least 3 points',
    '\tat com.vendor.gis.geometry.Polygon.addRing(Polygon.java:97)',
    '\tat com.vendor.gis.geoprocessing.tools.TraceDownstream.execute(TraceDownstream.java:265)',
    '\tat com.vendor.gis.geoprocessing.JobRunner.run(JobRunner.java:118)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
  ].join('\n');
}
