import * as v from 'valibot';
import { documentedSchema, type Schema, toSchema } from './fields.ts';

const field = v.strictObject({
  name: v.pipe(v.string(), v.nonEmpty('A field requires a name')),
  type: v.picklist(
    ['text', 'keyword', 'integer', 'decimal', 'date'],
    'A field requires a type: "text", "keyword", "integer", "decimal" or "date"',
  ),
  about: v.optional(v.string(), ''),
  values: v.optional(v.array(v.string())),
});

const document = v.strictObject({
  fields: v.pipe(v.array(field), v.minLength(1, 'The list of fields is empty')),
  defaults: v.optional(v.array(v.string())),
});

/** A schema, or the place and the cause of an error in its document. */
export type ReadSchema = { readonly schema: Schema } | { readonly problem: string };

/**
 * Reads a schema from a JSON document:
 *
 * ```json
 * { "fields": [{ "name": "logLevel", "type": "keyword", "values": ["SEVERE", "WARNING"] }], "defaults": ["msg"] }
 * ```
 *
 * Its fields replace the documented ones of the same name and are added to the others. Without
 * `defaults` the documented default fields stay.
 *
 * ```ts
 * const read = readSchema(JSON.parse('{}'));
 * ```
 */
export function readSchema(data: unknown): ReadSchema {
  const read = v.safeParse(document, data);
  if (!read.success) {
    const [issue] = read.issues;
    const place = v.getDotPath(issue);
    return { problem: `${place ? `At "${place}": ` : ''}${issue.message}` };
  }
  const { fields, defaults } = read.output;
  const all = new Map(documentedSchema.fields);
  for (const { values, ...rest } of fields) all.set(rest.name, { ...rest, ...(values && { values }) });
  const names = defaults ?? documentedSchema.defaults.map(({ name }) => name);
  const unknown = names.find((name) => !all.has(name));
  if (unknown !== undefined) return { problem: `At "defaults": there is no field "${unknown}"` };
  return { schema: toSchema([...all.values()], names) };
}
