import type { Field } from '../../meaning/fields.ts';
import type { TextField } from '../../records/log.ts';

/**
 * The fields whose tokens are indexed: the texts among the documented default fields, which almost every query
 * searches, and the request, which is followed by its id. A field is stored by its index in this list. So the list
 * is only appended to, with a new version of the case.
 */
export const indexedFields: readonly TextField[] = [
  'msg',
  'source',
  'className',
  'username',
  'stackTraces',
  'serviceTypes',
  'logLevel',
  'requestID',
];

const names: readonly string[] = indexedFields;

/** Returns the number of a field in the index; undefined if its tokens are not indexed. */
export function fieldNumber({ name, type }: Field): number | undefined {
  const number = type === 'text' ? names.indexOf(name) : -1;
  return number === -1 ? undefined : number;
}
