import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { beginAtomicFile } from '../database/index.ts';
import {
  introducedIn,
  isVersionSince,
  type NamedFile,
  type PropertyTemplate,
  type Resources,
  readTemplate,
  templateDefaults,
  type VendorProfile,
} from '../protocol/index.ts';
import { readExactJson, writeExactJson } from '../records/index.ts';

/** The state of a deployment beside its logs, as JSON. Accounts and tokens are not part of it. */
export interface State {
  /** The initial release. The current one follows from the upgrades. */
  readonly release: Release;
  readonly templates: readonly PropertyTemplate[];
  /** The version of the templates. Absent: that of `release`. */
  readonly templatesVersion?: string | undefined;
  /** The oldest first. */
  readonly upgrades: readonly UpgradeRun[];
  /** The oldest first. */
  readonly uploads: readonly StoredUpload[];
  /** Absent before the first edit. */
  readonly logSettings?: EditedLogSettings | undefined;
}

/** The log settings of the latest edit. */
export interface EditedLogSettings {
  readonly logLevel: string;
  readonly maxLogAgeDays: number;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
}

/** A version and its build, such as `11.2` and `3820`. */
export interface Release {
  readonly version: string;
  readonly build: string;
}

/** An upgrade or a rollback at its start; its progress follows from the clock. */
export interface UpgradeRun {
  /** The identifier of the release or patch. */
  readonly update: string;
  readonly kind: 'release' | 'patch' | 'rollback';
  readonly from: Release;
  readonly to: Release;
  /** Milliseconds since the epoch. */
  readonly started: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Present: it fails after this share of its duration, 0 to 1. */
  readonly failsAfter?: number | undefined;
  readonly username: string;
  readonly requestID: string;
}

/** An uploaded file. */
export interface StoredUpload {
  readonly id: string;
  /** Without a folder. */
  readonly name: string;
  readonly description: string;
  /** Milliseconds since the epoch. */
  readonly date: number;
  /** The bytes, in Base64. */
  readonly content: string;
}

/** The file of a stored upload. */
export function toFile({ name, content }: StoredUpload): NamedFile {
  return { name, bytes: new Uint8Array(Buffer.from(content, 'base64')) };
}

const release = v.object({ version: v.string(), build: v.string() });
const run = v.object({
  update: v.string(),
  kind: v.picklist(['release', 'patch', 'rollback']),
  from: release,
  to: release,
  started: v.number(),
  duration: v.number(),
  failsAfter: v.optional(v.number()),
  username: v.string(),
  requestID: v.string(),
});
const upload = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  date: v.number(),
  content: v.union([v.literal(''), v.pipe(v.string(), v.base64())]),
});
const state = v.object({
  release,
  templates: v.array(v.unknown()),
  templatesVersion: v.optional(v.string()),
  upgrades: v.array(run),
  uploads: v.array(upload),
  logSettings: v.exactOptional(
    v.object({ logLevel: v.string(), maxLogAgeDays: v.number(), lastModified: v.number() }),
  ),
});

/** Reads a state from JSON; undefined if the body is none. */
export function parseState(body: unknown): State | undefined {
  const result = v.safeParse(state, body);
  if (!result.success) return undefined;
  const templates = result.output.templates.map(readTemplate);
  if (templates.some((read) => 'findings' in read)) return undefined;
  return {
    ...result.output,
    templates: templates.flatMap((read) => ('template' in read ? [read.template] : [])),
  };
}

/** The stored state of a deployment, and its changes. */
export interface StateStore {
  readonly read: () => State;
  /** Changes the state, and resolves after it is stored. Changes are stored in their order. */
  readonly change: (next: (state: State) => State) => Promise<void>;
}

/** The state file of a deployment has other content. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code = 'NO_STATE';
}

/**
 * Opens the state in a file, which is created if missing, or a state in memory. Only the owner can read the
 * file, because it holds uploads.
 */
export async function openState(path: string | undefined, initial: State): Promise<StateStore> {
  let state = path === undefined ? initial : ((await readState(path)) ?? initial);
  let last: Promise<void> = Promise.resolve();
  const keep = async () => {
    if (path === undefined) return;
    // The old file stays complete until the new one is.
    await using file = await beginAtomicFile(path);
    await writeFile(file.temporary, `${writeExactJson(state, 2)}\n`, { mode: 0o600 });
    await file.finish();
  };
  const change: StateStore['change'] = (next) => {
    state = next(state);
    last = last.catch(() => undefined).then(keep);
    return last;
  };
  await change((now) => now);
  return { read: () => state, change };
}

async function readState(path: string): Promise<State | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const state = parseState(jsonOf(text));
  if (!state) throw new StateError(`The file "${path}" requires the state of a reference deployment as JSON`);
  return state;
}

function jsonOf(text: string): unknown {
  try {
    return readExactJson(text);
  } catch {
    return undefined;
  }
}

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
