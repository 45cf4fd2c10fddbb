import { withoutEscapes } from '../../../language/escape.ts';
import type { Clause, Part, Query } from '../../../language/tree.ts';
import type { Schema } from '../../fields.ts';
import { fieldsNamed, type Targets } from '../../targets.ts';

/**
 * Tells what a clause of a query searches. Only groups of a field are gone
 * through beforehand; for every other clause its own field or the schema tells it.
 */
export function targetLookup(query: Query, schema: Schema): (clause: Clause) => Targets {
  const known = targetsOfSchema(schema);
  let unknown: Map<string, Targets> | undefined;
  let inherited: Map<Clause, Targets> | undefined;
  hand(query.parts, undefined);
  return (clause) =>
    clause.field ? targetsNamed(clause.field.name.text) : (inherited?.get(clause) ?? known.defaults);

  function hand(parts: readonly Part[], targets: Targets | undefined): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      if (targets && !part.field) {
        inherited ??= new Map();
        inherited.set(part, targets);
      }
      if (part.item.kind === 'Group') {
        hand(part.item.parts, part.field ? targetsNamed(part.field.name.text) : targets);
      }
    }
  }

  function targetsNamed(written: string): Targets {
    const found = known.byName.get(written) ?? unknown?.get(written);
    if (found) return found;
    const named = withoutEscapes(written).text;
    const targets = { named, fields: fieldsNamed(named, schema) };
    unknown ??= new Map();
    unknown.set(written, targets);
    return targets;
  }
}

/** The targets that a schema alone decides. */
interface SchemaTargets {
  readonly defaults: Targets;
  readonly byName: ReadonlyMap<string, Targets>;
}

const bySchema = new WeakMap<Schema, SchemaTargets>();

/** The targets of a schema, which are the same for every query. */
function targetsOfSchema(schema: Schema): SchemaTargets {
  const known = bySchema.get(schema);
  if (known) return known;
  const names = [...schema.fields.keys()];
  const targets: SchemaTargets = {
    defaults: { named: undefined, fields: schema.defaults },
    byName: new Map(names.map((named) => [named, { named, fields: fieldsNamed(named, schema) }])),
  };
  bySchema.set(schema, targets);
  return targets;
}
