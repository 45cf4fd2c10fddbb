import type { Field } from '../../meaning/fields.ts';
import type { TextField } from '../../records/log.ts';

/**
 * The fields whose tokens are indexed: the texts among the documented default
 * fields, which almost every query looks at. A field has the number of its
 * place here, so the list only grows, and with it the version of the case.
 */
export const indexedFields: readonly TextField[] = [
  'msg',
  'source',
  'className',
  'username',
  'stackTraces',
  'serviceTypes',
  'logLevel',
];

const names: readonly string[] = indexedFields;

/** The number that a field has in the index; undefined when its tokens are not there. */
export function fieldNumber({ name, type }: Field): number | undefined {
  const number = type === 'text' ? names.indexOf(name) : -1;
  return number === -1 ? undefined : number;
}
