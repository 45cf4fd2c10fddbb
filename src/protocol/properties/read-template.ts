import * as v from 'valibot';
import type { MessageFinding } from '../finding.ts';
import type { PropertyTemplate } from './template.ts';

const text = v.string('a text');
const count = v.pipe(v.number('a whole number'), v.safeInteger('a whole number'));

/** An object of which some members are known; the others are kept. */
function members<E extends v.ObjectEntries>(entries: E) {
  // The library takes a list for an object that lacks every member.
  const noList = v.check((value: unknown) => !Array.isArray(value), 'an object');
  return v.pipe(v.unknown(), noList, v.looseObject(entries, 'an object'));
}

function list<S extends v.GenericSchema>(item: S) {
  return v.array(item, 'a list');
}

const hpaSpec = members({
  hpaVersion: v.optional(text),
  metrics: v.optional(
    list(
      members({
        type: v.optional(text),
        resource: v.optional(
          members({
            name: v.optional(text),
            target: v.optional(
              members({
                type: v.optional(text),
                averageUtilization: v.optional(v.union([v.string(), v.number()], 'a text or a number')),
              }),
            ),
          }),
        ),
      }),
    ),
  ),
  targetCPUUtilizationPercentage: v.optional(count),
});

const replicas = members({
  min: v.optional(count),
  max: v.optional(count),
  scalingMode: v.optional(text),
  autoscaling: v.nullish(members({ hpaSpec: v.optional(hpaSpec), hpaVersion: v.optional(text) })),
});

const container = members({
  name: text,
  containerImageKey: v.optional(text),
  resources: v.optional(
    members({
      memoryMin: v.optional(text),
      memoryMax: v.optional(text),
      cpuMin: v.optional(text),
      cpuMax: v.optional(text),
    }),
  ),
});

const matchExpression = members({ key: text, operator: text, values: v.nullish(list(text)) });

const nodeAffinity = members({
  requiredDuringSchedulingIgnoredDuringExecution: v.nullish(
    members({
      nodeSelectorTerms: v.optional(list(members({ matchExpressions: v.optional(list(matchExpression)) }))),
    }),
  ),
});

const toleration = members({
  effect: v.nullish(text),
  key: v.nullish(text),
  operator: v.nullish(text),
  value: v.nullish(text),
});

const podPlacementPolicy = members({
  nodeAffinity: v.nullish(nodeAffinity),
  tolerations: v.nullish(list(toleration)),
});

const template = members({
  id: text,
  mode: text,
  provider: text,
  type: text,
  revision: count,
  spec: members({
    replicas: v.optional(replicas),
    containers: v.optional(list(container)),
    podPlacementPolicy: v.nullish(podPlacementPolicy),
  }),
  podPlacementPolicy: v.nullish(podPlacementPolicy),
});

/**
 * Reads a template from JSON: the type of every known member is checked, and
 * all other members are kept. Whether its values go together is another matter.
 */
export function readTemplate(
  body: unknown,
): { readonly template: PropertyTemplate } | { readonly findings: readonly MessageFinding[] } {
  const result = v.safeParse(template, body);
  return result.success ? { template: result.output } : { findings: result.issues.map(toFinding) };
}

function toFinding(issue: v.BaseIssue<unknown>): MessageFinding {
  const parameter = pathOf(issue);
  const what = parameter === '' ? 'A template' : `"${parameter}"`;
  // A member that is missing is an issue of the object that lacks it, in the words of that object.
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

/**
 * The templates in a body: a list, an object with a list in one of its members,
 * or one template. What the list of a deployment is called is not documented.
 * An item that is no template is left out; undefined means that there is none.
 */
export function templatesOf(body: unknown): readonly PropertyTemplate[] | undefined {
  const lists = Array.isArray(body) ? [body] : Object.values(v.is(v.looseObject({}), body) ? body : {});
  const candidates = [[body], ...lists].filter((each) => Array.isArray(each));
  return candidates.map(readAll).find((found) => found.length > 0);
}

function readAll(items: readonly unknown[]): readonly PropertyTemplate[] {
  return items.map(readTemplate).flatMap((read) => ('template' in read ? [read.template] : []));
}
