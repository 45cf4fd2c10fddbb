import { viewOf } from '../../../src/language/lint/rule.ts';
import { documentedSchema, type Field, type Schema, toSchema } from '../../../src/language/meaning/schema.ts';
import { engines } from '../../../src/language/parse/engine.ts';
import { parse } from '../../../src/language/parse/parse.ts';

const fields: readonly Field[] = [
  { name: 'msg', type: 'text', about: '' },
  { name: 'kind', type: 'keyword', about: '' },
  { name: 'code', type: 'integer', about: '' },
  { name: 'took', type: 'decimal', about: '' },
  { name: 'time', type: 'date', about: '' },
];

/** Fields of every type, these of them searched by default. */
export const searching = (...defaults: readonly string[]): Schema => toSchema(fields, defaults);

/** A query as rules look at it, with its uppermost level and the clauses of that. */
export function viewed(text: string, schema: Schema = documentedSchema) {
  const { query } = parse(text);
  const view = viewOf(query, { schema, dialect: 'documented', now: 0, engine: engines.deployment });
  const level = view.level(query);
  const clauses = level.members.flatMap(({ clauses, searchTargets }) =>
    clauses.map((clause) => ({ clause, searchTargets })),
  );
  return { query, view, level, clauses };
}
