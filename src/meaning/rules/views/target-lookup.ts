import { withoutEscapes } from '../../../language/escape.ts';
import type { Clause, Part, Query } from '../../../language/tree.ts';
import type { Schema } from '../../fields.ts';
import { fieldsNamed, type Targets } from '../../targets.ts';

/**
 * Tells what a clause of a query searches. Only groups of a field are gone
 * through beforehand; for every other clause its own field or the schema tells it.
 */
export function targetLookup(query: Query, schema: Schema): (clause: Clause) => Targets {
  const defaults: Targets = { named: undefined, fields: schema.defaults };
  const byName = new Map<string, Targets>();
  const inherited = new Map<Clause, Targets>();
  hand(query.parts, undefined);
  return (clause) =>
    clause.field ? targetsNamed(clause.field.name.text) : (inherited.get(clause) ?? defaults);

  function hand(parts: readonly Part[], targets: Targets | undefined): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      if (targets && !part.field) inherited.set(part, targets);
      if (part.item.kind === 'Group') {
        hand(part.item.parts, part.field ? targetsNamed(part.field.name.text) : targets);
      }
    }
  }

  function targetsNamed(written: string): Targets {
    const known = byName.get(written);
    if (known) return known;
    const named = withoutEscapes(written).text;
    const targets = { named, fields: fieldsNamed(named, schema) };
    byName.set(written, targets);
    return targets;
  }
}
