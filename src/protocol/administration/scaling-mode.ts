import { scalingModes } from '../properties/known-values.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Scaling mode
 *
 * There are two scaling modes. Autoscaling goes with `auto` and with no other
 * (section 2.4 of the interface document).
 */
export const scalingModeRule: TemplateRule = ({ template, report }) => {
  const { scalingMode: mode, autoscaling } = template.spec.replicas ?? {};
  if (mode !== undefined && !scalingModes.some((known) => known === mode)) {
    const known = scalingModes.map((each) => `"${each}"`).join(' or ');
    const message = `"spec.replicas.scalingMode" requires ${known}, not "${mode}"`;
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.scalingMode', message });
    return;
  }
  if (mode === 'auto' && !autoscaling) {
    const message = '"scalingMode": "auto" requires "autoscaling"';
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.autoscaling', message });
  }
  if (mode !== 'auto' && autoscaling) {
    const message = '"autoscaling" requires "scalingMode": "auto"';
    report({ code: 'scaling-mode', severity: 'error', path: 'spec.replicas.scalingMode', message });
  }
};
