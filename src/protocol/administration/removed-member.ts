import type { TemplateRule } from './rule.ts';

/**
 * Removed member
 *
 * An edit may change the replicas and the resources of the containers, but must not remove them (sections 2.3
 * and 4.2.2 of the interface document). A template without them would define nothing.
 */
export const removedMemberRule: TemplateRule = ({ template, original, report }) => {
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
