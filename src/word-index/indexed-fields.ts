import type { Field } from '../language/index.ts';
import type { LogField } from '../records/index.ts';

/**
 * The fields whose tokens are indexed: all texts, and the code, whose digits are its only token. A field is stored by
 * its index in this list, so a change of it is a new format of segments.
 */
export const indexedFields = [
  'msg',
  'source',
  'className',
  'username',
  'stackTraces',
  'serviceTypes',
  'logLevel',
  'requestID',
  'methodName',
  'machine',
  'process',
  'thread',
  'logCode',
] as const satisfies readonly LogField[];

const names: readonly string[] = indexedFields;

/** Returns the number of a field in the index; undefined if its tokens are not indexed. */
export function fieldNumber({ name, type }: Field): number | undefined {
  const number = type === (name === 'logCode' ? 'integer' : 'text') ? names.indexOf(name) : -1;
  return number === -1 ? undefined : number;
}
