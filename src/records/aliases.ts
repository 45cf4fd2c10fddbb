import type { LogField } from './log.ts';

/**
 * The keys under which records carry the fields of a log, the surest first:
 * when a record carries two of them, the earlier one gives the field. Case,
 * blanks, `_` and `-` do not count. The documents do not name the keys of an
 * exported record, so this is what such records are known to use.
 */
export const aliases: { readonly [F in LogField]: readonly string[] } = {
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

/** A field of a log that a key stands for, and how sure that is: 0 is surest. */
export interface Alias {
  readonly field: LogField;
  readonly rank: number;
}

const byKey = new Map<string, Alias>(
  Object.entries(aliases).flatMap(([field, keys]) =>
    keys.map((key, rank): [string, Alias] => [normalKey(key), { field: field as LogField, rank }]),
  ),
);

/** The aliases of keys as they are spelt, remembered because an entry repeats its keys. */
const bySpelling = new Map<string, Alias | undefined>();

/** More spellings than this come from a hostile entry only and are not remembered. */
const maxSpellings = 2_000;

/** The field that a key of a record stands for, or undefined when it stands for none. */
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
