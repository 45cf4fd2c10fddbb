import { isObject } from '../../records/index.ts';
import { memberAt, templateMembers } from './members.ts';
import { type MemberStep, memberPath } from './path.ts';

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
  wanted: readonly MemberStep[],
): LocatedMember | { readonly problem: string } {
  let value: unknown = template;
  const steps: MemberStep[] = [];
  for (const step of wanted) {
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
    .filter((each) => each.startsWith(at) && /^\.?[^.[\]]+$/.test(each.slice(at.length)))
    .map((each) => each.slice(at.length).replace('.', ''));
  const names = Array.isArray(value)
    ? value.map((item, place) => (isObject(item) && typeof item.name === 'string' ? item.name : `[${place}]`))
    : [...new Set([...(isObject(value) ? Object.keys(value) : []), ...described])];
  const known = names.length === 0 ? '' : `; there is ${names.map((name) => `"${name}"`).join(', ')}`;
  return `There is no "${path}" in the template${known}`;
}
