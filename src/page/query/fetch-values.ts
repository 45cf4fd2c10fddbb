import type { CountedValue, Schema } from '../../language/index.ts';
import { wantedValues } from '../../language/index.ts';
import { sourcesQuery, streamFromServer } from '../api/call.ts';

/** Most values of a field that completion knows. */
const limit = 200;

const known = new Map<string, Promise<readonly CountedValue[]>>();

/** Fields whose values the server can count. */
const countable = new Set([
  ...['logLevel', 'logCode', 'source', 'username', 'className', 'methodName', 'serviceTypes'],
  ...['machine', 'process', 'thread'],
]);

/** The values of a field in all logs with their counts, the most frequent first; asked for once. */
export function fetchValues(field: string): Promise<readonly CountedValue[]> {
  const key = field + sourcesQuery();
  const found = known.get(key) ?? (countable.has(field) ? count(field) : Promise.resolve([]));
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

async function count(field: string): Promise<readonly CountedValue[]> {
  const fields = [field] as Parameters<typeof streamFromServer<'facets'>>[1]['fields'];
  const parameters = { query: '', now: 0, fields, limit };
  for await (const { values } of streamFromServer('facets', parameters, new AbortController().signal))
    return values.flatMap(({ value, count }) => (value === undefined ? [] : [{ value, count }]));
  return [];
}

/** The values that can stand at a cursor, by their field. */
export async function fetchValuesAt(
  text: string,
  cursor: number,
  schema: Schema,
): Promise<ReadonlyMap<string, readonly CountedValue[]>> {
  const wanted = wantedValues(text, cursor, schema);
  if (!wanted) return new Map();
  return new Map([[wanted.field.name, await fetchValues(wanted.field.name).catch(() => [])]]);
}
