import { namesUnit } from './quantity.ts';
import { resourcesOf } from './resources.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Quantity
 *
 * Memory is written with a unit, as `500Mi`, and processors as a decimal count,
 * as `0.125` (section 2.3 of the interface document). Memory without a unit is
 * a number of bytes.
 */
export const quantityRule: TemplateRule = ({ template, report }) => {
  for (const { path, kind, text, value } of resourcesOf(template)) {
    if (value === undefined) {
      const rule =
        kind === 'memory' ? 'a quantity of memory such as "500Mi"' : 'a count of processors such as "0.125"';
      const message = `"${path}" requires ${rule}, not ${JSON.stringify(text)}`;
      report({ code: 'quantity', severity: 'error', path, message });
    } else if (kind === 'memory' && !namesUnit(text)) {
      const message = `"${path}" names no unit, so ${JSON.stringify(text)} is a number of bytes`;
      report({ code: 'quantity', severity: 'warning', path, message });
    }
  }
};
