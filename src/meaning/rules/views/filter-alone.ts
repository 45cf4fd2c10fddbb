import type { Clause, Query } from '../../../language/tree.ts';
import type { Field, Schema } from '../../fields.ts';
import type { Filter } from '../../filter.ts';
import { resolve } from '../../resolve.ts';

/** What a clause stands for when nothing is beside it; undefined when analysis leaves nothing of it. */
export function filterAlone(
  clause: Clause,
  fields: readonly Field[],
  { schema, now }: { readonly schema: Schema; readonly now: number },
): Filter | undefined {
  const alone: Clause = { ...clause, conjunction: undefined, modifier: undefined, field: undefined };
  let found: Filter | undefined;
  resolve(queryOf([alone]), {
    // The field is not looked up again: it may have come from a group around the clause.
    schema: { fields: schema.fields, defaults: fields },
    now,
    onClause: (told, filter) => {
      if (told === alone) found = filter;
    },
  });
  return found;
}

/** A query of these clauses. */
export function queryOf(parts: Query['parts']): Query {
  const to = parts.at(-1)?.to ?? 0;
  return { kind: 'Query', from: 0, to, parts, end: { kind: 'End', before: '', text: '', from: to, to } };
}
