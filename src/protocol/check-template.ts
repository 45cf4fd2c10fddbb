import { vendorProfiles } from './catalog.ts';
import { isSameJson, memoryOf, namesUnit, processorsOf, type Quantity } from './check-settings.ts';
import {
  type Autoscaling,
  affinityOperators,
  type Container,
  type HpaSpec,
  hpaVersions,
  type MatchExpression,
  type Metric,
  type PodPlacementPolicy,
  type PropertyTemplate,
  placementOf,
  readTemplate,
  scalingModes,
  type TemplateSpec,
  type Toleration,
  taintEffects,
  templateDefaults,
  templateModes,
  templateProviders,
  templateTypes,
  tolerationOperators,
  undocumentedTypes,
} from './property-template.ts';
import { lenientNumber, lenientText, type MessageFinding } from './reply.ts';
import { introducedIn, isVersionSince } from './versions.ts';

/** Context of the check of a template. */
export interface CheckOptions {
  /** The template at the deployment. With it, members that cannot be edited are compared. */
  readonly original?: PropertyTemplate | undefined;
  /** The version of the deployment, such as `11.2`. With it, members and values of later versions are found. */
  readonly version?: string | undefined;
}

/** A checked template. */
export interface CheckedTemplate {
  /** Absent if the types are wrong: then no rule is checked. */
  readonly template?: PropertyTemplate;
  readonly findings: readonly TemplateFinding[];
}

/**
 * Checks a template before it is sent. A finding that the original has too is a warning only: the deployment
 * gave that value. Without the original, a value of an undocumented type is also a warning, because the
 * deployment may have given it.
 *
 * ```ts
 * checkTemplate({ ...template, spec: { replicas: { min: 1, max: 4, scalingMode: 'manual' } } });
 * // findings: [{ code: 'manual-range', severity: 'error', path: 'spec.replicas.max', message: '…' }]
 * ```
 */
export function checkTemplate(body: unknown, options: CheckOptions = {}): CheckedTemplate {
  const read = readTemplate(body);
  if ('findings' in read) return { findings: read.findings.map(toTypeFinding('error')) };
  const { template } = read;
  const { original, version } = options;
  const before = original ? findingsOf(original, { version }) : [];
  const findings = findingsOf(template, options).map((finding) =>
    before.some((known) => isAlike(known, finding)) ? { ...finding, severity: 'warning' as const } : finding,
  );
  return { template, findings };
}

function findingsOf(template: PropertyTemplate, { original, version }: CheckOptions): TemplateFinding[] {
  const found = undocumentedTypes(template).map(toTypeFinding(original ? 'error' : 'warning'));
  const report = (finding: TemplateFinding) => void found.push(finding);
  for (const rule of templateRules) rule({ template, original, version, report });
  return found;
}

function isAlike(a: TemplateFinding, b: TemplateFinding): boolean {
  return a.code === b.code && a.path === b.path && a.message === b.message;
}

function toTypeFinding(severity: TemplateFinding['severity']) {
  return ({ parameter, message }: MessageFinding): TemplateFinding => ({
    code: 'wrong-type',
    severity,
    path: parameter,
    message,
  });
}

/**
 * Fixed member
 *
 * Identity, kind and revision of a template cannot be edited, and of `spec` only
 * the replicas and the resources of the containers can. A revision that differs
 * means that someone else has edited the template in between.
 */
const fixedMemberRule: TemplateRule = ({ template, original, report }) => {
  if (!original) return;
  for (const member of fixed) {
    const [now, before] = [template[member] ?? undefined, original[member] ?? undefined];
    if (isSameJson(now, before)) continue;
    refuse(member, now === undefined ? `"${member}" requires a value` : reasonOf(member));
  }
  checkContainers(template.spec, original.spec);

  function checkContainers({ containers: edited }: TemplateSpec, { containers: known }: TemplateSpec): void {
    const [containers, before] = [edited ?? [], known ?? []];
    if (containers.length !== before.length) {
      refuse('spec.containers', `"spec.containers" requires the ${before.length} containers of the original`);
      return;
    }
    containers.forEach((container, at) => {
      for (const member of ['name', 'containerImageKey'] as const satisfies (keyof Container)[]) {
        const path = `spec.containers[${at}].${member}`;
        if (!isSameJson(container[member], before[at]?.[member])) refuse(path, reasonOf(path));
      }
    });
  }

  function refuse(path: string, message: string): void {
    report({ code: 'fixed-member', severity: 'error', path, message });
  }
};

/**
 * Removed member
 *
 * An edit may change the replicas and the resources of the containers, but must not remove them (sections 2.3
 * and 4.2.2 of the interface document). A template without them would define nothing.
 */
const removedMemberRule: TemplateRule = ({ template, original, report }) => {
  if (!original) return;
  if (original.spec.replicas && !template.spec.replicas) refuse('spec.replicas');
  const containers = template.spec.containers ?? [];
  original.spec.containers?.forEach(({ resources }, at) => {
    const container = containers[at];
    if (resources && container && !container.resources) refuse(`spec.containers[${at}].resources`);
  });

  function refuse(path: string): void {
    const message = `"${path}" must not be removed: change its members instead`;
    report({ code: 'removed-member', severity: 'error', path, message });
  }
};

/**
 * Undescribed member
 *
 * A deployment of a later version may have members that the interface document does not describe. Their
 * editability is unknown.
 */
const undescribedMemberRule: TemplateRule = ({ template, original, report }) => {
  if (!original) return;
  compare('', template, original, described);
  compare('spec.', template.spec, original.spec, describedInSpec);

  function compare(at: string, now: Members, before: Members, known: readonly string[]): void {
    const members = new Set([...Object.keys(now), ...Object.keys(before)]);
    for (const member of members) {
      if (known.includes(member) || isSameJson(now[member], before[member])) continue;
      const path = at + member;
      const message = `"${path}" differs from the original, and whether it can be edited is not documented`;
      report({ code: 'undescribed-member', severity: 'warning', path, message });
    }
  }
};

/**
 * Replica count
 *
 * The system scales between `min` and `max` (section 2.4 of the interface
 * document), so the first must not be above the second. With no pod at all a
 * new microservice would not start.
 */
const replicaCountRule: TemplateRule = ({ template, report }) => {
  const { scalingMode } = template.spec.replicas ?? {};
  const { min, max } = replicaCounts(template);
  for (const [name, count] of Object.entries({ min, max })) {
    if (count < 1) refuse(name, `"${name}" requires a number of pods from 1 on, not ${count}`);
  }
  // With manual scaling any difference is an error already.
  if (max < min && scalingMode !== 'manual')
    refuse('min', `"min" requires at most "max", which is ${max}, not ${min}`);

  function refuse(name: string, message: string): void {
    report({ code: 'replica-count', severity: 'error', path: `spec.replicas.${name}`, message });
  }
};

/**
 * Manual range
 *
 * With manual scaling the number of pods is fixed, so the least and the most
 * must be equal. (Section 2.4 of the interface document, rule 3 of section
 * 4.2.2.) What is absent has its default.
 */
const manualRangeRule: TemplateRule = ({ template, report }) => {
  const { scalingMode } = template.spec.replicas ?? {};
  const { min, max } = replicaCounts(template);
  if (scalingMode !== 'manual' || min === max) return;
  const message = `"scalingMode": "manual" requires "min" and "max" to be equal, not ${min} and ${max}`;
  report({ code: 'manual-range', severity: 'error', path: 'spec.replicas.max', message });
};

/**
 * Scaling mode
 *
 * There are two scaling modes. Autoscaling goes with `auto` and with no other
 * (section 2.4 of the interface document).
 */
const scalingModeRule: TemplateRule = ({ template, report }) => {
  const { scalingMode: mode, autoscaling } = template.spec.replicas ?? {};
  if (mode !== undefined && !scalingModes.some((known) => known === mode)) {
    const known = scalingModes.map((mode) => `"${mode}"`).join(' or ');
    const message = `"spec.replicas.scalingMode" requires ${known}, not "${mode}"`;
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.scalingMode', message });
    return;
  }
  if (mode === 'auto' && !autoscaling) {
    const message = '"scalingMode": "auto" requires "autoscaling"';
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.autoscaling', message });
  }
  if (mode !== 'auto' && autoscaling) {
    const message = '"autoscaling" requires "scalingMode": "auto"';
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.scalingMode', message });
  }
};

/**
 * Autoscaling
 *
 * Version 2 requires the average utilisation of the processors as a text,
 * version 1 as a number (section 2.4 of the interface document).
 */
const autoscalingRule: TemplateRule = ({ template, report }) => {
  const { autoscaling } = template.spec.replicas ?? {};
  if (!autoscaling) return;
  const { version } = hpaVersionOf(autoscaling);
  if (version === undefined) refuse('hpaSpec.hpaVersion', 'requires a value such as "autoscaling/v2"');
  if (version === 'autoscaling/v1') checkFirst(autoscaling.hpaSpec ?? {});
  if (version === 'autoscaling/v2') checkSecond(autoscaling.hpaSpec ?? {});

  function checkFirst({ targetCPUUtilizationPercentage: percentage }: HpaSpec): void {
    if (1 <= (lenientNumber(percentage) ?? 0)) return;
    refuse('hpaSpec.targetCPUUtilizationPercentage', 'requires a percentage from 1 on');
  }

  function checkSecond({ metrics: listed }: HpaSpec): void {
    const metrics = listed ?? [];
    if (metrics.length === 0) refuse('hpaSpec.metrics', 'requires a metric');
    metrics.forEach((metric, at) => {
      for (const [path, rule] of problemsOf(metric)) refuse(`hpaSpec.metrics[${at}].${path}`, rule);
    });
  }

  function refuse(at: string, rule: string): void {
    const path = `spec.replicas.autoscaling.${at}`;
    report({ code: 'autoscaling', severity: 'error', path, message: `"${path}" ${rule}` });
  }
};

/**
 * Quantity
 *
 * Memory is written with a unit, as `500Mi`, and processors as a decimal count,
 * as `0.125` (section 2.3 of the interface document). Memory without a unit is
 * a number of bytes.
 */
const quantityRule: TemplateRule = ({ template, report }) => {
  for (const { path, kind, text, value } of resourcesOf(template)) {
    if (value === undefined) {
      const rule =
        kind === 'memory' ? 'a quantity of memory such as "500Mi"' : 'a count of processors such as "0.125"';
      const message = `"${path}" requires ${rule}, not ${JSON.stringify(text)}`;
      report({ code: 'quantity', severity: 'error', path, message });
    } else if (kind === 'memory' && !namesUnit(text)) {
      const message = `"${path}" names no unit, so ${JSON.stringify(text)} is a number of bytes`;
      report({ code: 'quantity', severity: 'warning', path, message });
    }
  }
};

/**
 * Quantity range
 *
 * A container is never granted more than its greatest quantity. So the least, which it needs to start, must not
 * be above it (section 2.3 of the interface document).
 */
const quantityRangeRule: TemplateRule = ({ template, report }) => {
  const quantities = resourcesOf(template);
  for (const minimum of quantities.filter(({ bound }) => bound === 'Min')) {
    const maximum = quantities.find((other) => isMostOf(other, minimum));
    if (minimum.value === undefined || maximum?.value === undefined || minimum.value <= maximum.value)
      continue;
    const message = `"${minimum.path}" requires at most "${maximum.text}", not "${minimum.text}"`;
    report({ code: 'quantity-range', severity: 'error', path: minimum.path, message });
  }
};

/**
 * Node affinity
 *
 * The number of values of an expression depends on its operator (section 2.5 of the
 * interface document names `In`; the others are those of Kubernetes). A term
 * without an expression matches no node.
 */
const nodeAffinityRule: TemplateRule = ({ template, report }) => {
  const placement = placementOf(template);
  const required = placement?.policy.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!placement || !required) return;
  const at = `${placement.path}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const terms = required.nodeSelectorTerms ?? [];
  if (terms.length === 0) refuse(at, 'requires a term');
  terms.forEach(({ matchExpressions: listed }, term) => {
    const matchExpressions = listed ?? [];
    const path = `${at}[${term}].matchExpressions`;
    if (matchExpressions.length === 0) refuse(path, 'requires an expression');
    matchExpressions.forEach((expression, index) => {
      const [member, rule] = problemOf(expression) ?? [];
      if (member && rule) refuse(`${path}[${index}].${member}`, rule);
    });
  });

  function refuse(path: string, rule: string): void {
    report({ code: 'node-affinity', severity: 'error', path, message: `"${path}" ${rule}` });
  }
};

/**
 * Toleration
 *
 * A toleration names a taint by key and value, with `Equal`, or by its key alone, with `Exists`. See section
 * 2.5 of the interface document and the rules of Kubernetes.
 */
const tolerationRule: TemplateRule = ({ template, report }) => {
  const placement = placementOf(template);
  placement?.policy.tolerations?.forEach((toleration, at) => {
    const [member, rule] = tolerationProblemOf(toleration) ?? [];
    if (!member || !rule) return;
    const path = `${placement.path}.tolerations[${at}].${member}`;
    report({ code: 'toleration', severity: 'error', path, message: `"${path}" ${rule}` });
  });
};

/**
 * Placement target
 *
 * A placement policy applies to the pods of GIS services (rule 4 of section
 * 4.2.2 of the interface document). Only those have the mode `Shared` or
 * `Dedicated` (section 2.3).
 */
const placementTargetRule: TemplateRule = ({ template, report }) => {
  const placement = placementOf(template);
  if (!placement || !saysAnything(placement.policy)) return;
  if (template.mode === 'Shared' || template.mode === 'Dedicated') return;
  const { path } = placement;
  const message = `"${path}" applies to the pods of GIS services, and a microservice of the mode "${template.mode}" is none`;
  report({ code: 'placement-target', severity: 'warning', path, message });
};

/**
 * Needs version
 *
 * Members and values were added over time (section 9 of the interface document): a deployment of an older
 * version does not have them. Without a version this rule finds nothing.
 */
const needsVersionRule: TemplateRule = ({ template, version, report }) => {
  if (version === undefined) return;
  for (const { path, what, since } of needsOf(template)) {
    if (isVersionSince(version, since)) continue;
    const message = `${what} requires version ${since}, and the deployment has ${version}`;
    report({ code: 'needs-version', severity: 'error', path, message });
  }
  const { autoscaling } = template.spec.replicas ?? {};
  if (!autoscaling || !isVersionSince(version, introducedIn.autoscalingV2)) return;
  const hpa = hpaVersionOf(autoscaling);
  if (hpa.version !== 'autoscaling/v1') return;
  const message = `"autoscaling/v1" is that of older versions: ${version} describes "autoscaling/v2"`;
  report({ code: 'needs-version', severity: 'warning', path: hpa.path, message });
};

/**
 * Unknown value
 *
 * The enumerations of the interface are open: a later version may have more values. An unknown value is more
 * often a slip.
 */
const unknownValueRule: TemplateRule = ({ template, report }) => {
  for (const { path, value, known } of valuesOf(template)) {
    if (!value || known.includes(value)) continue;
    const message = `"${path}" has the value "${value}", and known are ${known.map((knownValue) => `"${knownValue}"`).join(', ')}`;
    report({ code: 'unknown-value', severity: 'warning', path, message });
  }
};

/** All rules of a template, in the order of their findings. */
const templateRules: readonly TemplateRule[] = [
  fixedMemberRule,
  removedMemberRule,
  undescribedMemberRule,
  replicaCountRule,
  manualRangeRule,
  scalingModeRule,
  autoscalingRule,
  quantityRule,
  quantityRangeRule,
  nodeAffinityRule,
  tolerationRule,
  placementTargetRule,
  needsVersionRule,
  unknownValueRule,
];

/** Context of a rule. */
interface TemplateRuleContext {
  readonly template: PropertyTemplate;
  /** The template at the deployment, if known. */
  readonly original: PropertyTemplate | undefined;
  /** The version of the deployment, such as `11.2`, if known. */
  readonly version: string | undefined;
  readonly report: (finding: TemplateFinding) => void;
}

/** Reports one kind of problem with a template. */
type TemplateRule = (context: TemplateRuleContext) => void;

/** The members that an edit must not change (section 4.2.2 of the interface document). */
const fixed = ['id', 'mode', 'provider', 'type', 'revision'] as const;

function reasonOf(path: string): string {
  const rule = `"${path}" cannot be edited and requires the value of the original`;
  return path === 'revision'
    ? `${rule}: the template may have been edited in between, so read it again`
    : rule;
}

const described = ['id', 'mode', 'provider', 'type', 'revision', 'spec', 'podPlacementPolicy'];
const describedInSpec = ['replicas', 'containers', 'podPlacementPolicy'];

type Members = Readonly<Record<string, unknown>>;

function problemsOf({ type, resource }: Metric): (readonly [path: string, rule: string])[] {
  const { name, target } = resource ?? {};
  const utilization = target?.averageUtilization;
  const isPercentage = typeof utilization === 'string' && /^[1-9]\d{0,3}$/.test(utilization);
  return [
    ...(!type ? [['type', 'requires "Resource"'] as const] : []),
    ...(!name ? [['resource.name', 'requires "cpu"'] as const] : []),
    ...(!target?.type ? [['resource.target.type', 'requires "Utilization"'] as const] : []),
    ...(isPercentage
      ? []
      : [['resource.target.averageUtilization', 'requires a percentage as a text, such as "80"'] as const]),
  ];
}

function isMostOf(other: ResourceQuantity, { kind, container }: ResourceQuantity): boolean {
  return other.bound === 'Max' && other.kind === kind && other.container === container;
}

function problemOf({
  key,
  operator,
  values,
}: MatchExpression): readonly [member: string, rule: string] | undefined {
  if (key === '') return ['key', 'requires the name of a label'];
  const count = values?.length ?? 0;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? undefined : ['values', `requires a value for the operator "${operator}"`];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0 ? undefined : ['values', `requires to be empty for the operator "${operator}"`];
    case 'Gt':
    case 'Lt': {
      const isNumber = count === 1 && /^-?\d+$/.test(values?.[0] ?? '');
      return isNumber ? undefined : ['values', `requires one whole number for the operator "${operator}"`];
    }
    default:
      return undefined;
  }
}

function tolerationProblemOf(toleration: Toleration): readonly [member: string, rule: string] | undefined {
  const operator = toleration.operator || 'Equal';
  if (operator === 'Exists' && toleration.value)
    return ['value', 'requires to be empty for the operator "Exists"'];
  if (!toleration.key && operator !== 'Exists')
    return ['operator', 'requires "Exists" where there is no key'];
  if (toleration.tolerationSeconds !== undefined && toleration.effect !== 'NoExecute') {
    return ['tolerationSeconds', 'requires the effect "NoExecute"'];
  }
  return undefined;
}

function saysAnything({ nodeAffinity, tolerations }: PodPlacementPolicy): boolean {
  return Boolean(nodeAffinity) || (tolerations?.length ?? 0) > 0;
}

interface Need {
  readonly path: string;
  readonly what: string;
  readonly since: string;
}

function needsOf(template: PropertyTemplate): readonly Need[] {
  const { scalingMode, autoscaling } = template.spec.replicas ?? {};
  const needs: Need[] = [];
  const need = (path: string, what: string, since: string) => needs.push({ path, what, since });
  if (template.type === 'WebhookProcessor') need('type', '"WebhookProcessor"', introducedIn.webhookProcessor);
  if (scalingMode === 'manual') need('spec.replicas.scalingMode', '"manual"', introducedIn.manualScaling);
  if (autoscaling) {
    const { version, path } = hpaVersionOf(autoscaling);
    if (version === 'autoscaling/v1') need(path, '"autoscaling/v1"', introducedIn.autoscalingV1);
    if (version === 'autoscaling/v2') need(path, '"autoscaling/v2"', introducedIn.autoscalingV2);
  }
  const placement = placementOf(template);
  if (placement) need(placement.path, '"podPlacementPolicy"', introducedIn.podPlacementPolicy);
  return needs;
}

/** The providers in the spellings of all profiles. */
const providers = [
  ...new Set(Object.values(vendorProfiles).flatMap((profile) => templateProviders(profile))),
];

interface Chosen {
  readonly path: string;
  readonly value: string | null | undefined;
  readonly known: readonly string[];
}

function valuesOf(template: PropertyTemplate): readonly Chosen[] {
  const { autoscaling } = template.spec.replicas ?? {};
  const hpa = autoscaling ? hpaVersionOf(autoscaling) : undefined;
  const metrics = autoscaling?.hpaSpec?.metrics ?? [];
  return [
    { path: 'mode', value: template.mode, known: templateModes },
    { path: 'provider', value: template.provider, known: providers },
    { path: 'type', value: template.type, known: templateTypes },
    ...(hpa ? [{ path: hpa.path, value: hpa.version, known: hpaVersions }] : []),
    ...metrics.flatMap(({ type, resource }, index) => {
      const path = `spec.replicas.autoscaling.hpaSpec.metrics[${index}]`;
      return [
        { path: `${path}.type`, value: type, known: ['Resource'] },
        { path: `${path}.resource.name`, value: resource?.name, known: ['cpu'] },
        { path: `${path}.resource.target.type`, value: resource?.target?.type, known: ['Utilization'] },
      ];
    }),
    ...placementValues(template),
  ];
}

function placementValues(template: PropertyTemplate): readonly Chosen[] {
  const { path: at, policy } = placementOf(template) ?? {};
  const required = policy?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  const term = `${at}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  return [
    ...terms.flatMap(({ matchExpressions }, first) =>
      (matchExpressions ?? []).map(({ operator }, second) => ({
        path: `${term}[${first}].matchExpressions[${second}].operator`,
        value: operator,
        known: affinityOperators,
      })),
    ),
    ...(policy?.tolerations ?? []).flatMap(({ effect, operator }, index) => [
      { path: `${at}.tolerations[${index}].effect`, value: effect, known: taintEffects },
      { path: `${at}.tolerations[${index}].operator`, value: operator, known: tolerationOperators },
    ]),
  ];
}

/**
 * Codes of problems with a property template before it is sent. The codes are stable; the text explains each.
 */
export const templateFindingCodes = {
  'wrong-type': 'A member is missing or has the wrong type',
  'fixed-member': 'A member that cannot be edited differs from the original',
  'removed-member': 'A member that has to be passed through is missing',
  'undescribed-member': 'A member that the interface document does not describe differs from the original',
  'manual-range': 'Manual scaling requires "min" and "max" to be equal',
  'replica-count': 'The numbers of pods do not go together',
  'scaling-mode': 'The scaling mode is not known, or does not go together with the autoscaling',
  autoscaling: 'The autoscaling is not complete',
  quantity: 'A quantity cannot be read, or says something else than it seems to',
  'quantity-range': 'A least quantity is above the greatest one',
  'node-affinity': 'An expression of the node affinity cannot hold',
  toleration: 'A toleration is contradictory',
  'placement-target': 'The placement policy applies to no pods',
  'needs-version': 'The version of the deployment does not know a member or a value',
  'unknown-value': 'A value is none of those that are known',
} as const;

export type TemplateFindingCode = keyof typeof templateFindingCodes;

/** A finding for the author of a template. A value: never thrown. */
export interface TemplateFinding {
  readonly code: TemplateFindingCode;
  /** The deployment refuses an error; a warning may be intended. */
  readonly severity: 'error' | 'warning';
  /** Path, as `spec.replicas.max`; empty for the whole template. */
  readonly path: string;
  /** One sentence without a final stop. */
  readonly message: string;
}

/** The least and the greatest number of pods of a template; absent members have their defaults. */
export function replicaCounts({ spec: { replicas } }: Pick<PropertyTemplate, 'spec'>): {
  readonly min: number;
  readonly max: number;
} {
  const { min, max } = templateDefaults.replicas;
  return { min: lenientNumber(replicas?.min) ?? min, max: lenientNumber(replicas?.max) ?? max };
}

/**
 * The version of an autoscaling and the path of that member: in its specification, or beside it for version 1.
 */
export function hpaVersionOf({ hpaSpec, hpaVersion }: Autoscaling): {
  readonly version: string | undefined;
  readonly path: string;
} {
  const inside = hpaSpec?.hpaVersion ?? undefined;
  const at = inside === undefined && hpaVersion ? 'hpaVersion' : 'hpaSpec.hpaVersion';
  return { version: inside ?? hpaVersion ?? undefined, path: `spec.replicas.autoscaling.${at}` };
}

/** A quantity in a template. */
interface ResourceQuantity {
  readonly path: string;
  readonly kind: 'memory' | 'cpu';
  readonly bound: 'Min' | 'Max';
  /** Index of its container. */
  readonly container: number;
  /** Its text, or the default if it is absent. */
  readonly text: string;
  /** Undefined if the text is no quantity. */
  readonly value: Quantity | undefined;
}

const members = [
  { name: 'memoryMin', kind: 'memory', bound: 'Min' },
  { name: 'memoryMax', kind: 'memory', bound: 'Max' },
  { name: 'cpuMin', kind: 'cpu', bound: 'Min' },
  { name: 'cpuMax', kind: 'cpu', bound: 'Max' },
] as const;

const readers = { memory: memoryOf, cpu: processorsOf };

/** The quantities of all containers with resources in a template. */
function resourcesOf({ spec }: PropertyTemplate): readonly ResourceQuantity[] {
  return (spec.containers ?? []).flatMap(({ resources }, container) => {
    if (!resources) return [];
    return members.map(({ name, kind, bound }) => {
      const path = `spec.containers[${container}].resources.${name}`;
      const text = lenientText(resources[name]) ?? templateDefaults.resources[name];
      return { path, kind, bound, container, text, value: readers[kind](text) };
    });
  });
}
