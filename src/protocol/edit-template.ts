import { isObject, type JsonObject, readExactJson } from '../records/index.ts';
import { isSameJson } from './check-settings.ts';
import { type PropertyTemplate, templateDefaults } from './property-template.ts';

/** One difference between two templates. */
export interface TemplateChange {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Absent for an added member. */
  readonly before?: unknown;
  /** Absent for a removed member. */
  readonly after?: unknown;
  /** True if an edit may make this change; undefined if the interface document does not describe the member. */
  readonly editable: boolean | undefined;
}

/**
 * Lists the differences between two templates, by member and in their order. The second may have members of
 * wrong types. Containers are compared by name, other lists by index.
 *
 * ```ts
 * const template = await readPropertyTemplate(client, 'a');
 * diffTemplates(template, { ...template, mode: 'auto' });
 * ```
 */
export function diffTemplates(
  before: PropertyTemplate | JsonObject,
  after: unknown,
): readonly TemplateChange[] {
  return changesAt([], before, after);
}

function changesAt(at: readonly MemberStep[], before: unknown, after: unknown): TemplateChange[] {
  if (isSameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    return keysOf(before, after).flatMap((key) => changesAt([...at, key], before[key], after[key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return pairsOf(before, after).flatMap(([position, old, now]) => changesAt([...at, position], old, now));
  }
  return [toChange(at, before, after)];
}

function toChange(at: readonly MemberStep[], before: unknown, after: unknown): TemplateChange {
  const path = memberPath(at);
  const editable = memberAt(path)?.editable;
  if (before === undefined) return { path, kind: 'added', after, editable };
  if (after === undefined) return { path, kind: 'removed', before, editable };
  return { path, kind: 'changed', before, after, editable };
}

function keysOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

type Pair = readonly [place: number, before: unknown, after: unknown];

function pairsOf(before: readonly unknown[], after: readonly unknown[]): readonly Pair[] {
  const named = [...before, ...after].every((item) => nameOf(item) !== undefined);
  if (!named) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => [index, before[index], after[index]]);
  }
  const names = [...new Set([...before, ...after].map(nameOf))];
  return names.map((name) => {
    const isIt = (item: unknown) => nameOf(item) === name;
    const position = before.some(isIt) ? before.findIndex(isIt) : after.findIndex(isIt);
    return [position, before.find(isIt), after.find(isIt)];
  });
}

function nameOf(item: unknown): unknown {
  return isObject(item) ? item.name : undefined;
}

/**
 * Describes the effect of an edit of a template (rules 1 and 2 of section 4.2.2 of the interface document).
 *
 * ```ts
 * affectedBy(await readPropertyTemplate(client, 'a'));
 * ```
 */
export function affectedBy({ type, provider, mode }: PropertyTemplate): string {
  return `New microservices of type ${type}, provider ${provider} and mode ${mode} get these properties; those that exist keep theirs`;
}

/** One step into a JSON value: the name of a member, or an index in a list. */
export type MemberStep = string | number;

/**
 * Reads a path such as `spec.containers[0].resources.cpuMax` as steps. A name with a dot or a bracket is
 * written as `labels["a.b"]`. Undefined if the text is no path.
 *
 * ```ts
 * readMemberPath('spec.containers[0].labels["a.b"]'); // ['spec', 'containers', 0, 'labels', 'a.b']
 * ```
 */
export function readMemberPath(path: string): readonly MemberStep[] | undefined {
  const steps = [...path.matchAll(step)].map(([, name, index, quoted]) => {
    if (quoted !== undefined) return textOf(quoted);
    return index === undefined ? name : Number(index);
  });
  const whole = [...path.matchAll(step)].map(([text]) => text).join('') === path;
  return whole && path !== '' && !steps.includes(undefined)
    ? steps.filter((step) => step !== undefined)
    : undefined;
}

// A dot precedes every name except the first, which begins the text.
const step = /(?:(?:^|(?<!^)\.)([^.[\]"]+))|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/g;

function textOf(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/**
 * Writes steps as a path that `stepsOf` reads.
 *
 * ```ts
 * memberPath(['spec', 'containers', 0, 'a.b']); // 'spec.containers[0]["a.b"]'
 * ```
 */
export function memberPath(steps: readonly MemberStep[]): string {
  return steps
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[^.[\]"]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return at === 0 ? step : `.${step}`;
    })
    .join('');
}

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

/**
 * Sets one member of a template by an assignment such as `spec.replicas.max=4` or
 * `spec.containers.main-container.resources.cpuMax=4`. An item of a list can be named by index or by name. The
 * value is JSON, whose numbers keep their spelling; a text needs no quotes. Refuses a member that is neither
 * present nor described in the interface document, because it is likely a slip.
 *
 * ```ts
 * const assigned = setMember(await readPropertyTemplate(client, 'a'), 'replicas.min=2');
 * ```
 */
export function setMember(template: unknown, assignment: string): ChangedTemplate {
  const [, path = '', text] = /^([^=]*)=(.*)$/s.exec(assignment) ?? [];
  const steps = readMemberPath(path.trim());
  if (!steps || text === undefined) {
    return { problem: `"${assignment}" requires the form PATH=VALUE, as in spec.replicas.max=4` };
  }
  const found = locateMember(template, steps);
  if ('problem' in found) return found;
  return { template: withValue(template, found.steps, toValue(text, found)) };
}

/** Reads a value: a text if the member is one, else JSON, else the text itself. */
function toValue(text: string, { steps, value }: LocatedMember): unknown {
  const parsed = jsonOf(text);
  const type = memberAt(memberPath(steps))?.type;
  const isText = type === undefined ? typeof value === 'string' : type === 'text';
  if (isText) return typeof parsed === 'string' || parsed === null ? parsed : text;
  return parsed === undefined ? text : parsed;
}

function jsonOf(text: string): unknown {
  try {
    return readExactJson(text);
  } catch {
    return undefined;
  }
}

function withValue(at: unknown, [step, ...rest]: readonly MemberStep[], value: unknown): unknown {
  if (step === undefined) return value;
  const changed = withValue(valueAt(at, step), rest, value);
  if (Array.isArray(at)) return at.map((item, index) => (index === step ? changed : item));
  return { ...(isObject(at) ? at : {}), [step]: changed };
}

/** A changed, unchecked template, or the problem with the change. */
export type ChangedTemplate = { readonly template: unknown } | { readonly problem: string };

/** A member of a template. */
export interface LocatedMember {
  /** With list indexes instead of names. */
  readonly steps: readonly MemberStep[];
  /** Its value; undefined if it is described but absent. */
  readonly value: unknown;
}

/**
 * Finds a member of a template. An item of a list can be named by index or by name. Returns a problem for a
 * member that is neither present nor described.
 */
export function locateMember(
  template: unknown,
  requestedSteps: readonly MemberStep[],
): LocatedMember | { readonly problem: string } {
  let value: unknown = template;
  const steps: MemberStep[] = [];
  for (const step of requestedSteps) {
    const next = Array.isArray(value) ? placeOf(value, step) : step;
    steps.push(next);
    const path = memberPath(steps);
    const inside = valueAt(value, next);
    const described = typeof next === 'string' && memberAt(path) !== undefined;
    if (inside === undefined && !described) return { problem: missing(path, steps.slice(0, -1), value) };
    value = inside;
  }
  return { steps, value };
}

function placeOf(items: readonly unknown[], step: MemberStep): MemberStep {
  const named = items.findIndex((item) => isObject(item) && item.name === step);
  return named === -1 ? step : named;
}

/** The value of a member or an item; undefined if there is none. */
export function valueAt(value: unknown, step: MemberStep): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function missing(path: string, parent: readonly MemberStep[], value: unknown): string {
  const at = memberPath(parent).replace(/\[\d+\]/g, '[]');
  const described = templateMembers
    .map((member) => member.path)
    .filter((candidate) => candidate.startsWith(at) && /^\.?[^.[\]]+$/.test(candidate.slice(at.length)))
    .map((candidate) => candidate.slice(at.length).replace('.', ''));
  const names = Array.isArray(value)
    ? value.map((item, index) => (isObject(item) && typeof item.name === 'string' ? item.name : `[${index}]`))
    : [...new Set([...(isObject(value) ? Object.keys(value) : []), ...described])];
  const known = names.length === 0 ? '' : `; there is ${names.map((name) => `"${name}"`).join(', ')}`;
  return `There is no "${path}" in the template${known}`;
}

/**
 * Removes one member of a template, or one item of a list, by a path as in `setMember`:
 * `spec.replicas.autoscaling`. An absent member is a problem.
 *
 * ```ts
 * const assigned = unsetMember(await readPropertyTemplate(client, 'a'), 'replicas.min');
 * ```
 */
export function unsetMember(template: unknown, path: string): ChangedTemplate {
  const steps = readMemberPath(path.trim());
  if (!steps) return { problem: `"${path}" requires a path, as in spec.replicas.autoscaling` };
  const found = locateMember(template, steps);
  if ('problem' in found) return found;
  if (found.value === undefined) return { problem: `There is no "${path.trim()}" in the template` };
  return { template: without(template, found.steps) };
}

function without(at: unknown, [step, ...rest]: readonly MemberStep[]): unknown {
  if (step === undefined) return at;
  const changed = without(valueAt(at, step), rest);
  if (Array.isArray(at)) {
    return at.flatMap((item, index) => (index !== step ? [item] : rest.length === 0 ? [] : [changed]));
  }
  const members = Object.entries(isObject(at) ? at : {});
  return Object.fromEntries(
    members.flatMap(([key, value]) =>
      key !== step ? [[key, value]] : rest.length === 0 ? [] : [[key, changed]],
    ),
  );
}
