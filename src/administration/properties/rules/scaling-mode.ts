import type { Rule } from '../rule.ts';

/**
 * Scaling mode
 *
 * Autoscaling goes with the scaling mode `auto` and with no other (section 2.4
 * of the interface document).
 */
export const scalingMode: Rule = ({ template, report }) => {
  const { scalingMode: mode, autoscaling } = template.spec.replicas ?? {};
  if (mode === 'auto' && !autoscaling) {
    const message = '"scalingMode": "auto" requires "autoscaling"';
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.autoscaling', message });
  }
  if (mode !== 'auto' && autoscaling) {
    const message = '"autoscaling" requires "scalingMode": "auto"';
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.scalingMode', message });
  }
};
