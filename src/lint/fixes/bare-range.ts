import type { Fix } from '../../language/finding.ts';
import type { RuleContext } from '../rule.ts';
import type { BareRange } from '../views/bare-ranges.ts';
import { boundFields } from '../views/bound-fields.ts';

/** Puts brackets around a range that has none. */
export function bracketFix({ from, to, lower, upper, first }: BareRange, context: RuleContext): Fix {
  const { schema, targets } = context;
  // A range over all default fields is rarely meant; the first field that holds such bounds is, of the default ones if it can be.
  const [field] = [schema.defaults, schema.fields.values()].flatMap((fields) =>
    boundFields([lower, upper], fields),
  );
  const name = targets(first).named === undefined && field ? `${field.name}:` : '';
  return { title: 'Make it a range', edits: [{ from, to, insert: `${name}[${lower} TO ${upper}]` }] };
}
