import { type Engine, engines } from '../language/engine.ts';
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

/**
 * The fields with a name: one, or none where the schema does not know it. In a name `*` stands for any text where the
 * engine has patterns of names (section 1.3 of the language specification).
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

/** Whether the pieces of a pattern, which `*` separates, occur in a name in their order, the outer ones at its ends. */
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

/** What each clause of a query searches. A group hands its field down to the clauses in it that name none. */
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
