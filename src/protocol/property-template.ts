import * as v from 'valibot';
import { ExactNumber, readExactJson, writeExactJson } from '../records/index.ts';
import type { VendorProfile } from './catalog.ts';
import { lenientNumber, lenientText, type MessageFinding, type Numeric } from './reply.ts';

/**
 * The default property template of a kind of microservice (sections 2.3 to 2.5 of the interface document).
 * Members of later versions and the spelling of numbers are kept: an edit sends every member back as it was
 * read. Null counts as absent.
 */
export interface PropertyTemplate {
  readonly id: string;
  /** One of `templateModes`, or a later one; the same holds for `provider` and `type`. */
  readonly mode: string;
  readonly provider: string;
  readonly type: string;
  /** The time of the latest revision, milliseconds since the epoch. */
  readonly revision?: Numeric | null | undefined;
  readonly spec: TemplateSpec;
  /** From 11.2. The interface document leaves its position open; `placementOf` finds it here or in `spec`. */
  readonly podPlacementPolicy?: PodPlacementPolicy | null | undefined;
  readonly [member: string]: unknown;
}

/** The properties of a template. */
export interface TemplateSpec {
  readonly replicas?: Replicas | null | undefined;
  readonly containers?: readonly Container[] | null | undefined;
  readonly podPlacementPolicy?: PodPlacementPolicy | null | undefined;
  readonly [member: string]: unknown;
}

/** The number of pods (section 2.4). Absent members have their defaults. */
export interface Replicas {
  readonly min?: Numeric | null | undefined;
  readonly max?: Numeric | null | undefined;
  /** `manual` or `auto`. */
  readonly scalingMode?: string | null | undefined;
  readonly autoscaling?: Autoscaling | null | undefined;
  readonly [member: string]: unknown;
}

/** The rules that add and remove pods: `autoscaling/v2` from 11.2, `autoscaling/v1` from 10.9.1. */
export interface Autoscaling {
  readonly hpaSpec?: HpaSpec | null | undefined;
  /** In `hpaSpec` for v2, and here for v1 (section 2.4). */
  readonly hpaVersion?: string | null | undefined;
  readonly [member: string]: unknown;
}

/** The specification of an autoscaler, of either version. */
export interface HpaSpec {
  readonly hpaVersion?: string | null | undefined;
  /** Of v2. */
  readonly metrics?: readonly Metric[] | null | undefined;
  /** Of v1: a percentage. */
  readonly targetCPUUtilizationPercentage?: Numeric | null | undefined;
  readonly [member: string]: unknown;
}

/** A metric of an autoscaler of v2. */
export interface Metric {
  /** `Resource`. */
  readonly type?: string | null | undefined;
  readonly resource?:
    | {
        /** `cpu`. */
        readonly name?: string | null | undefined;
        readonly target?:
          | {
              /** `Utilization`. */
              readonly type?: string | null | undefined;
              /** A percentage, as a text. */
              readonly averageUtilization?: Numeric | null | undefined;
              readonly [member: string]: unknown;
            }
          | null
          | undefined;
        readonly [member: string]: unknown;
      }
    | null
    | undefined;
  readonly [member: string]: unknown;
}

/** A container of each pod. */
export interface Container {
  readonly name: string;
  readonly containerImageKey?: string | null | undefined;
  readonly resources?: Resources | null | undefined;
  readonly [member: string]: unknown;
}

/** The resources of a container. Memory with a unit, as `500Mi`; processors as a decimal count, as `0.125`. */
export interface Resources {
  readonly memoryMin?: Numeric | null | undefined;
  readonly memoryMax?: Numeric | null | undefined;
  readonly cpuMin?: Numeric | null | undefined;
  readonly cpuMax?: Numeric | null | undefined;
  readonly [member: string]: unknown;
}

/** The nodes for the pods of a GIS service (section 2.5). */
export interface PodPlacementPolicy {
  readonly nodeAffinity?: NodeAffinity | null | undefined;
  readonly tolerations?: readonly Toleration[] | null | undefined;
  readonly [member: string]: unknown;
}

/** The required nodes of pods. */
export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?:
    | {
        readonly nodeSelectorTerms?:
          | readonly { readonly matchExpressions?: readonly MatchExpression[] | null | undefined }[]
          | null
          | undefined;
        readonly [member: string]: unknown;
      }
    | null
    | undefined;
  readonly [member: string]: unknown;
}

/** A condition on the labels of a node. */
export interface MatchExpression {
  readonly key: string;
  /** One of `affinityOperators`. */
  readonly operator: string;
  readonly values?: readonly string[] | null | undefined;
  readonly [member: string]: unknown;
}

/** A taint of nodes that pods tolerate. */
export interface Toleration {
  /** One of `taintEffects`; absent or empty: all of them. */
  readonly effect?: string | null | undefined;
  readonly key?: string | null | undefined;
  /** One of `tolerationOperators`. */
  readonly operator?: string | null | undefined;
  readonly value?: string | null | undefined;
  readonly [member: string]: unknown;
}

/** The placement policy of a template, from either of its possible positions, with its path. */
export function placementOf(
  template: PropertyTemplate,
): { readonly path: string; readonly policy: PodPlacementPolicy } | undefined {
  const { podPlacementPolicy, spec } = template;
  if (podPlacementPolicy) return { path: 'podPlacementPolicy', policy: podPlacementPolicy };
  if (spec.podPlacementPolicy) return { path: 'spec.podPlacementPolicy', policy: spec.podPlacementPolicy };
  return undefined;
}

/** Rules for the members of a template that hold numbers and quantities. */
interface Leaves {
  readonly count: v.GenericSchema<Numeric>;
  readonly quantity: v.GenericSchema<Numeric>;
}

const text = v.string('a text');
const countRule = 'a whole number';
const quantityRule = 'a text';

/** The types of the interface document. */
const documented: Leaves = {
  count: v.custom<Numeric>((value) => typeof value !== 'string' && isWhole(value), countRule),
  quantity: text,
};

/** The types that deployments may write. */
const readable: Leaves = {
  count: v.custom<Numeric>(isWhole, countRule),
  quantity: v.custom<Numeric>((value) => lenientText(value) !== undefined, quantityRule),
};

function isWhole(value: unknown): boolean {
  return Number.isInteger(lenientNumber(value));
}

/** An object with some known members; the others are kept. */
function members<E extends v.ObjectEntries>(entries: E) {
  // The library accepts a list as an object without members.
  const isMembers = (value: unknown) => !Array.isArray(value) && !(value instanceof ExactNumber);
  return v.pipe(v.unknown(), v.check(isMembers, 'an object'), v.looseObject(entries, 'an object'));
}

function list<S extends v.GenericSchema>(item: S) {
  return v.array(item, 'a list');
}

function replicas({ count }: Leaves) {
  const percentage = v.custom<Numeric>((value) => lenientText(value) !== undefined, 'a text or a number');
  const target = members({ type: v.nullish(text), averageUtilization: v.nullish(percentage) });
  const resource = members({ name: v.nullish(text), target: v.nullish(target) });
  const hpaSpec = members({
    hpaVersion: v.nullish(text),
    metrics: v.nullish(list(members({ type: v.nullish(text), resource: v.nullish(resource) }))),
    targetCPUUtilizationPercentage: v.nullish(count),
  });
  return members({
    min: v.nullish(count),
    max: v.nullish(count),
    scalingMode: v.nullish(text),
    autoscaling: v.nullish(members({ hpaSpec: v.nullish(hpaSpec), hpaVersion: v.nullish(text) })),
  });
}

function container({ quantity }: Leaves) {
  const amount = v.nullish(quantity);
  return members({
    name: text,
    containerImageKey: v.nullish(text),
    resources: v.nullish(members({ memoryMin: amount, memoryMax: amount, cpuMin: amount, cpuMax: amount })),
  });
}

const matchExpression = members({ key: text, operator: text, values: v.nullish(list(text)) });

const nodeAffinity = members({
  requiredDuringSchedulingIgnoredDuringExecution: v.nullish(
    members({
      nodeSelectorTerms: v.nullish(list(members({ matchExpressions: v.nullish(list(matchExpression)) }))),
    }),
  ),
});

const toleration = members({
  effect: v.nullish(text),
  key: v.nullish(text),
  operator: v.nullish(text),
  value: v.nullish(text),
});

const podPlacementPolicy = v.nullish(
  members({ nodeAffinity: v.nullish(nodeAffinity), tolerations: v.nullish(list(toleration)) }),
);

function template(leaves: Leaves) {
  const spec = members({
    replicas: v.nullish(replicas(leaves)),
    containers: v.nullish(list(container(leaves))),
    podPlacementPolicy,
  });
  const revision = v.nullish(leaves.count);
  return members({ id: text, mode: text, provider: text, type: text, revision, spec, podPlacementPolicy });
}

const readableTemplate = template(readable);
const documentedTemplate = template(documented);

/**
 * Reads a template from JSON. Checks the type of every known member, and keeps all others. A number may be a
 * text and a text a number; null counts as absent. Returns the value itself, unchanged. Does not check if its
 * values agree.
 */
export function readTemplate(
  body: unknown,
): { readonly template: PropertyTemplate } | { readonly findings: readonly MessageFinding[] } {
  if (isTemplate(body)) return { template: body };
  return { findings: (v.safeParse(readableTemplate, body).issues ?? []).map(toFinding) };
}

/** Tests the value itself: the library's output would put the known members first. */
function isTemplate(body: unknown): body is PropertyTemplate {
  return v.is(readableTemplate, body);
}

/** The members of a readable template whose type differs from the interface document. */
export function undocumentedTypes(template: PropertyTemplate): readonly MessageFinding[] {
  return (v.safeParse(documentedTemplate, template).issues ?? []).map(toFinding);
}

function toFinding(issue: v.BaseIssue<unknown>): MessageFinding {
  const parameter = pathOf(issue);
  const what = parameter === '' ? 'A template' : `"${parameter}"`;
  // A missing member is an issue of its object, with the message of that object.
  const rule = issue.received === 'undefined' ? 'a value' : issue.message;
  return { parameter, message: `${what} requires ${rule}` };
}

function pathOf({ path }: v.BaseIssue<unknown>): string {
  return (path ?? [])
    .map(({ key }, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
}

/** An unreadable item in a list of templates. */
export interface UnreadableTemplate {
  /** Its identifier, if any. */
  readonly id?: string;
  /** Its index in the list, from 0 on. */
  readonly at: number;
  /** The problems with it. */
  readonly findings: readonly MessageFinding[];
}

/** The readable and the unreadable templates of a list. */
export interface TemplateList {
  readonly templates: readonly PropertyTemplate[];
  readonly unreadable: readonly UnreadableTemplate[];
}

/**
 * Reads the templates in a body: a list, an object with a list in one of its members, or one template. The
 * interface document does not name the list. Undefined if the body holds nothing like a template.
 */
export function templatesOf(body: unknown): TemplateList | undefined {
  const lists = Array.isArray(body) ? [body] : Object.values(v.is(v.looseObject({}), body) ? body : {});
  const found = [[body], ...lists].filter((candidate) => Array.isArray(candidate)).map(readAll);
  return found.find(({ templates }) => templates.length > 0) ?? found.find(isLikely);
}

function readAll(items: readonly unknown[]): TemplateList {
  const read = items.map((item, at) => ({ item, at, ...readTemplate(item) }));
  return {
    templates: read.flatMap((result) => ('template' in result ? [result.template] : [])),
    unreadable: read.flatMap((result) => ('findings' in result ? [toUnreadable(result)] : [])),
  };
}

function toUnreadable({
  item,
  at,
  findings,
}: UnreadableTemplate & { readonly item: unknown }): UnreadableTemplate {
  const withId = v.safeParse(v.object({ id: v.unknown() }), item);
  const id = withId.success ? lenientText(withId.output.id) : undefined;
  return { ...(id !== undefined && { id }), at, findings };
}

/** True if every item has an identifier, as a template has. */
function isLikely({ unreadable }: TemplateList): boolean {
  return unreadable.length > 0 && unreadable.every(({ id }) => id !== undefined);
}

/**
 * Writes the form of an edit of a template (section 4.2.2 of the interface document), without the token.
 * Numbers keep their spelling.
 */
export function toEditForm(template: object): URLSearchParams {
  return new URLSearchParams({ propertyJson: writeExactJson(template), f: 'json' });
}

/** Reads the template in the form of an edit, or returns the problems with it. */
export function fromEditForm(
  form: URLSearchParams,
): { readonly template: PropertyTemplate } | { readonly findings: readonly MessageFinding[] } {
  const parameter = 'propertyJson';
  const text = form.get(parameter) ?? '';
  if (text.trim() === '') return { findings: [{ parameter, message: `"${parameter}" requires a value` }] };
  try {
    return readTemplate(readExactJson(text));
  } catch {
    return { findings: [{ parameter, message: `"${parameter}" requires JSON` }] };
  }
}

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
