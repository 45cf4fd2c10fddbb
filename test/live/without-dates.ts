import { type Schema, toSchema } from '../../src/language/meaning/schema.ts';

/** The schema with its dates as plain numbers: how the engine reads a date, Lucene alone does not know. */
export function withoutDates({ fields, defaults }: Schema): Schema {
  return toSchema(
    [...fields.values()].map((field) => (field.type === 'date' ? { ...field, type: 'integer' } : field)),
    defaults.map(({ name }) => name),
  );
}
