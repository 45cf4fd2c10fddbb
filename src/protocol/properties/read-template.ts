import * as v from 'valibot';
import { ExactNumber } from '../../records/index.ts';
import type { MessageFinding } from '../finding.ts';
import { lenientNumber, lenientText, type Numeric } from '../lenient.ts';
import type { PropertyTemplate } from './template.ts';

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
