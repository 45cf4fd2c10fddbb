import { withoutEscapes } from '../language/escape.ts';
import type { Clause, Part, Query } from '../language/tree.ts';
import type { Field, Schema } from './fields.ts';

/** What a clause searches. */
export interface Targets {
  /** The name that the clause, or a group around it, gives to its field; undefined where none does. */
  readonly named: string | undefined;
  /** The fields searched; none where the schema does not know the name. */
  readonly fields: readonly Field[];
}

/** The fields with a name: one, or none where the schema does not know it. */
export function fieldsNamed(name: string, schema: Schema): readonly Field[] {
  const field = schema.fields.get(name);
  return field ? [field] : [];
}

/** What each clause of a query searches. A group hands its field down to the clauses in it that name none. */
export function targetsOf(query: Query, schema: Schema): ReadonlyMap<Clause, Targets> {
  const found = new Map<Clause, Targets>();
  visit(query.parts, { named: undefined, fields: schema.defaults });
  return found;

  function visit(parts: readonly Part[], inherited: Targets): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const named = part.field && withoutEscapes(part.field.name.text).text;
      const targets = named === undefined ? inherited : { named, fields: fieldsNamed(named, schema) };
      found.set(part, targets);
      if (part.item.kind === 'Group') visit(part.item.parts, targets);
    }
  }
}
