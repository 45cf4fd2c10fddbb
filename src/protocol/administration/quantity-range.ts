import { type ResourceQuantity, resourcesOf } from './resources.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Quantity range
 *
 * A container is never granted more than its greatest quantity. So the least, which it needs to start, must not
 * be above it (section 2.3 of the interface document).
 */
export const quantityRangeRule: TemplateRule = ({ template, report }) => {
  const quantities = resourcesOf(template);
  for (const least of quantities.filter(({ bound }) => bound === 'Min')) {
    const most = quantities.find((other) => isMostOf(other, least));
    if (least.value === undefined || most?.value === undefined || least.value <= most.value) continue;
    const message = `"${least.path}" requires at most "${most.text}", not "${least.text}"`;
    report({ code: 'quantity-range', severity: 'error', path: least.path, message });
  }
};

function isMostOf(other: ResourceQuantity, { kind, container }: ResourceQuantity): boolean {
  return other.bound === 'Max' && other.kind === kind && other.container === container;
}
