import type { Container, TemplateSpec } from '../properties/template.ts';
import { isSameJson } from './json.ts';
import type { TemplateRule } from './rule.ts';

/** The members that an edit must not change (section 4.2.2 of the interface document). */
const fixed = ['id', 'mode', 'provider', 'type', 'revision'] as const;

/**
 * Fixed member
 *
 * Identity, kind and revision of a template cannot be edited, and of `spec` only
 * the replicas and the resources of the containers can. A revision that differs
 * means that someone else has edited the template in between.
 */
export const fixedMemberRule: TemplateRule = ({ template, original, report }) => {
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

function reasonOf(path: string): string {
  const rule = `"${path}" cannot be edited and requires the value of the original`;
  return path === 'revision'
    ? `${rule}: the template may have been edited in between, so read it again`
    : rule;
}
