import { type MatchExpression, placementOf } from '../properties/template.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Node affinity
 *
 * The number of values of an expression depends on its operator (section 2.5 of the
 * interface document names `In`; the others are those of Kubernetes). A term
 * without an expression matches no node.
 */
export const nodeAffinityRule: TemplateRule = ({ template, report }) => {
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
