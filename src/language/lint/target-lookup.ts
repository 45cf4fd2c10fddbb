import type { Field, Schema } from '../meaning/fields.ts';
import { fieldsNamed, type Targets } from '../meaning/targets.ts';
import type { Engine } from '../parse/engine.ts';
import { withoutEscapes } from '../parse/escape.ts';
import type { Clause, Part, Query } from '../parse/tree.ts';
import { memoize } from './memo.ts';

/** The fields that a clause searches, with their types. */
export interface SearchTargets extends Targets {
  readonly hasText: boolean;
  readonly hasKeyword: boolean;
  /** True if there is a field of numbers or dates. */
  readonly hasNumbers: boolean;
}

function toSearchTargets(named: string | undefined, fields: readonly Field[]): SearchTargets {
  const has = (type: Field['type']) => fields.some((field) => field.type === type);
  return {
    named,
    fields,
    hasText: has('text'),
    hasKeyword: has('keyword'),
    hasNumbers: has('integer') || has('decimal') || has('date'),
  };
}

/**
 * A lookup of the fields that a clause searches. Only groups with a field are
 * visited beforehand; any other clause names its field, or searches the defaults.
 */
export function targetLookup(
  query: Query,
  schema: Schema,
  engine: Engine,
): (clause: Clause) => SearchTargets {
  const defaults = toSearchTargets(undefined, schema.defaults);
  const targetsNamed = memoize((written: string) => {
    const named = withoutEscapes(written).text;
    return toSearchTargets(named, fieldsNamed(named, schema, engine));
  });
  const inherited = new Map<Clause, SearchTargets>();
  handDown(query.parts, undefined);
  return (clause) =>
    clause.field ? targetsNamed(clause.field.name.text) : (inherited.get(clause) ?? defaults);

  function handDown(parts: readonly Part[], targets: SearchTargets | undefined): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const own = part.field ? targetsNamed(part.field.name.text) : targets;
      if (own && !part.field) inherited.set(part, own);
      if (part.item.kind === 'Group') handDown(part.item.parts, own);
    }
  }
}
