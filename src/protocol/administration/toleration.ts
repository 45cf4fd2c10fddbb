import { placementOf, type Toleration } from '../properties/template.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Toleration
 *
 * A toleration names a taint by key and value, with `Equal`, or by its key alone, with `Exists`. See section
 * 2.5 of the interface document and the rules of Kubernetes.
 */
export const tolerationRule: TemplateRule = ({ template, report }) => {
  const placement = placementOf(template);
  placement?.policy.tolerations?.forEach((each, at) => {
    const [member, rule] = problemOf(each) ?? [];
    if (!member || !rule) return;
    const path = `${placement.path}.tolerations[${at}].${member}`;
    report({ code: 'toleration', severity: 'error', path, message: `"${path}" ${rule}` });
  });
};

function problemOf(toleration: Toleration): readonly [member: string, rule: string] | undefined {
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
