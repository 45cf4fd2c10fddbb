import type { LogField } from './log.ts';

/**
 * Record keys for each field of a log, by descending priority: when a record has two of them, the
 * earlier key supplies the field. Case, white space, `_` and `-` are ignored. The documents do not
 * name the keys of an exported record; these are the keys observed in practice.
 */
export const fieldAliases: { readonly [F in LogField]: readonly string[] } = {
  time: ['time', '@timestamp', 'timestamp', 'datetime'],
  logLevel: ['logLevel', 'level', 'severity', 'type'],
  logCode: ['logCode', 'code'],
  source: ['source'],
  msg: ['msg', 'message'],
  className: ['className', 'class'],
  methodName: ['methodName', 'method'],
  username: ['username', 'user'],
  requestID: ['requestID'],
  serviceTypes: ['serviceTypes', 'serviceType'],
  machine: ['machine', 'host', 'hostname'],
  process: ['process'],
  thread: ['thread'],
  stackTraces: ['stackTraces', 'stackTrace'],
  elapsed: ['elapsed'],
};

/** A field that a record key denotes, and the priority of the key: 0 is highest. */
export interface Alias {
  readonly field: LogField;
  readonly rank: number;
}

const byKey = new Map<string, Alias>(
  Object.entries(fieldAliases).flatMap(([field, keys]) =>
    keys.map((key, rank): [string, Alias] => [normalKey(key), { field: field as LogField, rank }]),
  ),
);

/** Cache of aliases by exact spelling: the keys of an entry repeat. */
const bySpelling = new Map<string, Alias | undefined>();

/** Maximum number of cached spellings. Only a hostile entry has more. */
const maxSpellings = 2_000;

/** Returns the field that a record key denotes; undefined for an unknown key. */
export function aliasOf(key: string): Alias | undefined {
  const known = bySpelling.get(key);
  if (known !== undefined || bySpelling.has(key)) return known;
  const alias = byKey.get(normalKey(key));
  if (bySpelling.size < maxSpellings) bySpelling.set(key, alias);
  return alias;
}

function normalKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}
