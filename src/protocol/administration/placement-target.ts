import { type PodPlacementPolicy, placementOf } from '../properties/template.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Placement target
 *
 * A placement policy applies to the pods of GIS services (rule 4 of section
 * 4.2.2 of the interface document). Only those have the mode `Shared` or
 * `Dedicated` (section 2.3).
 */
export const placementTargetRule: TemplateRule = ({ template, report }) => {
  const placement = placementOf(template);
  if (!placement || !saysAnything(placement.policy)) return;
  if (template.mode === 'Shared' || template.mode === 'Dedicated') return;
  const { path } = placement;
  const message = `"${path}" applies to the pods of GIS services, and a microservice of the mode "${template.mode}" is none`;
  report({ code: 'placement-target', severity: 'warning', path, message });
};

function saysAnything({ nodeAffinity, tolerations }: PodPlacementPolicy): boolean {
  return Boolean(nodeAffinity) || (tolerations?.length ?? 0) > 0;
}
