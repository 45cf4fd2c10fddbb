import type { Engine } from '../../language/engine.ts';
import { withoutEscapes } from '../../language/escape.ts';
import type { Clause, Part, Query } from '../../language/tree.ts';
import type { Field, Schema } from '../../meaning/fields.ts';
import { fieldsNamed, type Targets } from '../../meaning/targets.ts';

/** What a clause searches, with what rules ask about it again and again. */
export interface Sought extends Targets {
  readonly hasText: boolean;
  readonly hasKeyword: boolean;
  /** Whether there is a field of numbers or dates. */
  readonly hasNumbers: boolean;
  /** Whether the name is that of a field, written just so, without anything odd in it. */
  readonly isPlainName: boolean;
}

/** What a name stands for; the fields of all names that stand for nothing are the same list. */
function toSought(named: string | undefined, fields: readonly Field[], isPlainName = false): Sought {
  const has = (type: Field['type']) => fields.some((field) => field.type === type);
  return {
    named,
    fields: fields.length === 0 ? noFields : fields,
    hasText: has('text'),
    hasKeyword: has('keyword'),
    hasNumbers: has('integer') || has('decimal') || has('date'),
    isPlainName,
  };
}

const noFields: readonly Field[] = [];

/**
 * Tells what a clause of a query searches. Only groups of a field are gone
 * through beforehand; for every other clause its own field or the schema tells it.
 */
export function targetLookup(query: Query, schema: Schema, engine: Engine): (clause: Clause) => Sought {
  const known = targetsOfSchema(schema);
  let unknown: Map<string, Sought> | undefined;
  let inherited: Map<Clause, Sought> | undefined;
  hand(query.parts, undefined);
  return (clause) =>
    clause.field ? targetsNamed(clause.field.name.text) : (inherited?.get(clause) ?? known.defaults);

  function hand(parts: readonly Part[], targets: Sought | undefined): void {
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

  function targetsNamed(written: string): Sought {
    const found = known.byName.get(written) ?? unknown?.get(written);
    if (found) return found;
    const named = withoutEscapes(written).text;
    const targets = toSought(named, fieldsNamed(named, schema, engine));
    unknown ??= new Map();
    unknown.set(written, targets);
    return targets;
  }
}

/** The targets that a schema alone decides. */
interface SchemaTargets {
  readonly defaults: Sought;
  readonly byName: ReadonlyMap<string, Sought>;
}

const plainName = /^[A-Za-z0-9_.]+$/;

const bySchema = new WeakMap<Schema, SchemaTargets>();

/** The targets of a schema, which are the same for every query. */
function targetsOfSchema(schema: Schema): SchemaTargets {
  const known = bySchema.get(schema);
  if (known) return known;
  const names = [...schema.fields.keys()];
  const targets: SchemaTargets = {
    defaults: toSought(undefined, schema.defaults),
    byName: new Map(
      names.map((named) => [named, toSought(named, fieldsNamed(named, schema), plainName.test(named))]),
    ),
  };
  bySchema.set(schema, targets);
  return targets;
}
