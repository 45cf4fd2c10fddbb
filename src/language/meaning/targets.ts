import { type Engine, engines } from '../parse/engine.ts';
import { withoutEscapes } from '../parse/escape.ts';
import type { Clause, Part, Query } from '../parse/tree.ts';
import type { Field, Schema } from './fields.ts';

/** The search target of a clause. */
export interface Targets {
  /** The field name of the clause, or of a group around it; undefined where neither has one. */
  readonly named: string | undefined;
  /** The fields searched; empty if the schema does not have the name. */
  readonly fields: readonly Field[];
}

/**
 * Returns the fields with a name: one, or none if the schema does not have it. In a name `*`
 * stands for any text if the engine supports that (section 1.3 of the language specification).
 */
export function fieldsNamed(
  name: string,
  schema: Schema,
  { fieldPatterns }: Pick<Engine, 'fieldPatterns'> = engines.deployment,
): readonly Field[] {
  const field = schema.fields.get(name);
  if (field) return [field];
  return fieldPatterns && name.includes('*')
    ? [...schema.fields.values()].filter((each) => fits(each.name, name))
    : [];
}

/** Returns whether a name matches a pattern whose only special character is `*`. */
function fits(name: string, pattern: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', last = ''] = [pieces.at(0), pieces.at(-1)];
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let position = first.length;
  return pieces.slice(1, -1).every((piece) => {
    const found = name.indexOf(piece, position);
    position = found + piece.length;
    return found !== -1 && position <= name.length - last.length;
  });
}

/**
 * Returns the search target of each clause of a query. Clauses without a field inherit that of the
 * group around them.
 */
export function targetsOf(
  query: Query,
  schema: Schema,
  engine: Engine = engines.deployment,
): ReadonlyMap<Clause, Targets> {
  const found = new Map<Clause, Targets>();
  visit(query.parts, { named: undefined, fields: schema.defaults });
  return found;

  function visit(parts: readonly Part[], inherited: Targets): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const named = part.field && withoutEscapes(part.field.name.text).text;
      const targets = named === undefined ? inherited : { named, fields: fieldsNamed(named, schema, engine) };
      found.set(part, targets);
      if (part.item.kind === 'Group') visit(part.item.parts, targets);
    }
  }
}
