import { replicaCounts } from './replica-counts.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Manual range
 *
 * With manual scaling the number of pods is fixed, so the least and the most
 * must be equal. (Section 2.4 of the interface document, rule 3 of section
 * 4.2.2.) What is absent has its default.
 */
export const manualRangeRule: TemplateRule = ({ template, report }) => {
  const { scalingMode } = template.spec.replicas ?? {};
  const { min, max } = replicaCounts(template);
  if (scalingMode !== 'manual' || min === max) return;
  const message = `"scalingMode": "manual" requires "min" and "max" to be equal, not ${min} and ${max}`;
  report({ code: 'manual-range', severity: 'error', path: 'spec.replicas.max', message });
};
