import { isObject } from '../../records/index.ts';
import { type ChangedTemplate, locateMember, valueAt } from './locate-member.ts';
import { type MemberStep, readMemberPath } from './path.ts';

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
    return at.flatMap((item, place) => (place !== step ? [item] : rest.length === 0 ? [] : [changed]));
  }
  const members = Object.entries(isObject(at) ? at : {});
  return Object.fromEntries(
    members.flatMap(([key, value]) =>
      key !== step ? [[key, value]] : rest.length === 0 ? [] : [[key, changed]],
    ),
  );
}
