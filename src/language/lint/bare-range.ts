import type { Fix } from '../parse/finding.ts';
import type { BareRange } from './bare-ranges.ts';
import { boundFields } from './bound-fields.ts';
import type { QueryView } from './query-view.ts';

/** Puts brackets around a range that has none. */
export function bracketFix(
  { from, to, lower, upper, first }: BareRange,
  { schema, targets }: QueryView,
): Fix {
  // A range over all default fields is rarely meant, so the first field that can have the bounds is named, a default one if possible.
  const [field] = [schema.defaults, schema.fields.values()].flatMap((fields) =>
    boundFields([lower, upper], fields),
  );
  const name = targets(first).named === undefined && field ? `${field.name}:` : '';
  return { title: 'Make it a range', edits: [{ from, to, insert: `${name}[${lower} TO ${upper}]` }] };
}
