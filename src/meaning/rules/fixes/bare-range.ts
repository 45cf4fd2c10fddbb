import type { Fix } from '../../../language/finding.ts';
import type { RuleContext } from '../../rule.ts';
import type { BareRange } from '../views/bare-ranges.ts';

/** Puts brackets around a range that has none. */
export function bracketFix({ from, to, lower, upper, first }: BareRange, context: RuleContext): Fix {
  const { schema, targets } = context;
  // A range over all default fields is rarely meant; the first of them with numbers is.
  const number = schema.defaults.find(({ type }) => type === 'integer' || type === 'decimal');
  const field = targets(first).named === undefined && number ? `${number.name}:` : '';
  return { title: 'Make it a range', edits: [{ from, to, insert: `${field}[${lower} TO ${upper}]` }] };
}
