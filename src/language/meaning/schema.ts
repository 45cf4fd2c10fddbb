import * as v from 'valibot';

/**
 * The schema of searchable fields. A schema is data: the documented one is the default, and a
 * deployment can have its own.
 */

/**
 * The index type of a field, which decides the meaning of a clause on it.
 *
 * - `text`: cut into lower-case tokens by the standard analyzer;
 * - `keyword`: one term, the whole value, case kept;
 * - `integer`: a whole number of at most 64 bits;
 * - `decimal`: a double;
 * - `date`: milliseconds since the epoch, UTC.
 */
export type FieldType = 'text' | 'keyword' | 'integer' | 'decimal' | 'date';

/** One searchable field. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** A line for people: the content of the field, with its unit. */
  readonly about: string;
  /** The known values of the field. The list is open: others may occur. */
  readonly values?: readonly string[];
  /**
   * The conversion of the value of a keyword field before any comparison, as the setting of that
   * name of the engine. `lowercase` is to lower case, code point by code point. Absent: the value
   * as it is. Terms and patterns of a filter must be in lower case themselves.
   */
  readonly normalizer?: 'lowercase';
}

/** The fields of a deployment, and those that a clause without a field searches. */
export interface Schema {
  readonly fields: ReadonlyMap<string, Field>;
  /** The fields searched by a clause without a field, in the documented order. */
  readonly defaults: readonly Field[];
}

/** The severity levels, the most severe first (section 4.2.1 of the interface document). */
export const logLevels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'] as const;

/**
 * Makes a schema of fields and the names of the default ones. Throws if a default is not listed.
 *
 * ```ts
 * toSchema([{ name: 'msg', type: 'text', about: 'The message' }], ['msg']);
 * ```
 */
export function toSchema(fields: readonly Field[], defaults: readonly string[]): Schema {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return {
    fields: byName,
    defaults: defaults.map((name) => {
      const field = byName.get(name);
      if (!field) throw new Error(`The default field "${name}" is not in the list of fields`);
      return field;
    }),
  };
}

/**
 * The documented fields, with types that satisfy the documented rules. Ranges are for `logCode`,
 * `elapsed` and time stamps; everything else is text (section 4.2.1 of the interface document).
 */
export const documentedSchema: Schema = toSchema(
  [
    { name: 'msg', type: 'text', about: 'the message' },
    { name: 'source', type: 'text', about: 'what logged it: a service, "Sharing", "Enterprise Admin", …' },
    { name: 'className', type: 'text', about: 'the class that logged it' },
    { name: 'username', type: 'text', about: 'the user on whose behalf it happened' },
    { name: 'stackTraces', type: 'text', about: 'the stack traces of its exceptions' },
    {
      name: 'serviceTypes',
      type: 'text',
      about: 'the type of the service',
      values: ['FeatureServer', 'GeometryServer', 'GPServer', 'GPSyncServer', 'MapServer', 'TileServer'],
    },
    { name: 'logLevel', type: 'text', about: 'the severity', values: logLevels },
    { name: 'logCode', type: 'integer', about: 'the code of the message' },
    { name: 'methodName', type: 'text', about: 'the method that logged it' },
    { name: 'requestID', type: 'text', about: 'the identifier of the request it belongs to' },
    { name: 'machine', type: 'text', about: 'the machine or pod that logged it' },
    { name: 'process', type: 'text', about: 'the process that logged it' },
    { name: 'thread', type: 'text', about: 'the thread that logged it' },
    { name: 'elapsed', type: 'decimal', about: 'how long it took, in seconds' },
    { name: 'time', type: 'date', about: 'when it was logged, UTC' },
  ],
  ['msg', 'source', 'className', 'username', 'stackTraces', 'serviceTypes', 'logLevel', 'logCode'],
);

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
    const path = v.getDotPath(issue);
    return { problem: `${path ? `At "${path}": ` : ''}${issue.message}` };
  }
  const { fields, defaults } = read.output;
  const all = new Map(documentedSchema.fields);
  for (const { values, ...rest } of fields) all.set(rest.name, { ...rest, ...(values && { values }) });
  const names = defaults ?? documentedSchema.defaults.map(({ name }) => name);
  const unknown = names.find((name) => !all.has(name));
  if (unknown !== undefined) return { problem: `At "defaults": there is no field "${unknown}"` };
  return { schema: toSchema([...all.values()], names) };
}

/**
 * The accepted syntax: `documented` in section 4.2.1 of the interface document, or all that the
 * engine understands.
 */
export type Dialect = 'documented' | 'lucene';
