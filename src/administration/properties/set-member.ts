import { isObject } from '../json.ts';
import { pathOf, type Step, stepsOf } from '../path.ts';
import { memberAt, templateMembers } from './members.ts';

/** A template after a change, which is not checked, or why the change could not be made. */
export type Assigned = { readonly template: unknown } | { readonly problem: string };

/**
 * Sets one member of a template by an assignment such as
 * `spec.replicas.max=4` or `spec.containers.main-container.resources.cpuMax=4`,
 * where an item of a list can be named by its place or by its name. The value
 * is JSON; a text needs no quotes. A member that is neither there nor described
 * in the interface document is refused, because it is likely a slip.
 */
export function setMember(template: unknown, assignment: string): Assigned {
  const [, path = '', text] = /^([^=]*)=(.*)$/s.exec(assignment) ?? [];
  const steps = stepsOf(path.trim());
  if (!steps || text === undefined) {
    return { problem: `"${assignment}" requires the form PATH=VALUE, as in spec.replicas.max=4` };
  }
  const found = locate(template, steps);
  if ('problem' in found) return found;
  return { template: withValue(template, found.steps, toValue(text, found)) };
}

interface Located {
  /** With places in lists instead of names. */
  readonly steps: readonly Step[];
  /** What is there now. */
  readonly value: unknown;
}

function locate(template: unknown, wanted: readonly Step[]): Located | { readonly problem: string } {
  let value: unknown = template;
  const steps: Step[] = [];
  for (const step of wanted) {
    const next = Array.isArray(value) ? placeOf(value, step) : step;
    steps.push(next);
    const path = pathOf(steps);
    const inside = valueAt(value, next);
    const described = typeof next === 'string' && memberAt(path) !== undefined;
    if (inside === undefined && !described) return { problem: missing(path, steps.slice(0, -1), value) };
    value = inside;
  }
  return { steps, value };
}

function placeOf(items: readonly unknown[], step: Step): Step {
  const named = items.findIndex((item) => isObject(item) && item.name === step);
  return named === -1 ? step : named;
}

function valueAt(value: unknown, step: Step): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function missing(path: string, parent: readonly Step[], value: unknown): string {
  const at = pathOf(parent).replace(/\[\d+\]/g, '[]');
  const described = templateMembers
    .map((member) => member.path)
    .filter((each) => each.startsWith(at) && /^\.?[^.[\]]+$/.test(each.slice(at.length)))
    .map((each) => each.slice(at.length).replace('.', ''));
  const names = Array.isArray(value)
    ? value.map((item, place) => (isObject(item) && typeof item.name === 'string' ? item.name : `[${place}]`))
    : [...new Set([...(isObject(value) ? Object.keys(value) : []), ...described])];
  const known = names.length === 0 ? '' : `; there is ${names.map((name) => `"${name}"`).join(', ')}`;
  return `There is no "${path}" in the template${known}`;
}

/** The value that a text stands for: a text where one is or belongs there, else JSON, else the text itself. */
function toValue(text: string, { steps, value }: Located): unknown {
  const parsed = jsonOf(text);
  const type = memberAt(pathOf(steps))?.type;
  const isText = type === undefined ? typeof value === 'string' : type === 'text';
  if (isText) return typeof parsed === 'string' || parsed === null ? parsed : text;
  return parsed === undefined ? text : parsed;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withValue(at: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value;
  const changed = withValue(valueAt(at, step), rest, value);
  if (Array.isArray(at)) return at.map((item, place) => (place === step ? changed : item));
  return { ...(isObject(at) ? at : {}), [step]: changed };
}
