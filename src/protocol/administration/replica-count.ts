import { replicaCounts } from './replica-counts.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Replica count
 *
 * The system scales between `min` and `max` (section 2.4 of the interface
 * document), so the first must not be above the second. With no pod at all a
 * new microservice would not start.
 */
export const replicaCountRule: TemplateRule = ({ template, report }) => {
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
