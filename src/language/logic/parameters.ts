import { type FieldType, logLevels } from '../meaning/fields.ts';
import type { NumberValue } from '../meaning/number-value.ts';
import type { ValueClass } from './value-class.ts';

/**
 * Filters of the structured form of an export (section 4.2.1 of the interface document) that every
 * log of a query passes. An absent one does not restrict; on the wire, an absent level means the
 * organisation's own instead.
 */
export interface Necessary {
  /** This level or a more severe one. */
  readonly logLevel?: string;
  /** One of these codes. */
  readonly logCodes?: readonly number[];
  readonly users?: string;
  /** One of these. */
  readonly requestIDs?: readonly string[];
  readonly serviceTypes?: string;
  readonly source?: string;
  /** The most recent time, inclusive, in milliseconds since the epoch: `startTime` on the wire. */
  readonly newest?: number;
  /** The oldest time, inclusive, in milliseconds since the epoch: `endTime` on the wire. */
  readonly oldest?: number;
}

/** A parameter of the structured form, and a function that writes it for given values of its field. */
export interface ExportParameter {
  /** The name on the wire. */
  readonly name: string;
  readonly field: string;
  /** The required type of the field; with any other the form has a different meaning than the query. */
  readonly type: FieldType;
  /** Writes a value that passes all possible classes, or returns why there is none. */
  readonly write: (possible: readonly ValueClass[]) => WrittenParameter | string;
}

/** A parameter that is written. */
export interface WrittenParameter {
  readonly part: Necessary;
  /** Returns whether the parameter passes any of these values. */
  readonly passes: (values: ValueClass) => boolean;
}

/** All parameters for which a query can imply a value. */
export const exportParameters: readonly ExportParameter[] = [
  { name: 'logLevel', field: 'logLevel', type: 'keyword', write: writeLevel },
  { name: 'logCode', field: 'logCode', type: 'integer', write: writeCodes },
  one('users', 'username', (users) => ({ users })),
  {
    name: 'requestIDs',
    field: 'requestID',
    type: 'keyword',
    write: (possible) => writeValues(possible, { most: maxList, part: (requestIDs) => ({ requestIDs }) }),
  },
  one('serviceTypes', 'serviceTypes', (serviceTypes) => ({ serviceTypes })),
  one('source', 'source', (source) => ({ source })),
  { name: 'startTime and endTime', field: 'time', type: 'date', write: writeWindow },
];

/** The maximum length of a list; a longer one makes a request hard to read and excludes little. */
const maxList = 200;

function one(name: string, field: string, part: (value: string) => Necessary): ExportParameter {
  return {
    name,
    field,
    type: 'keyword',
    write: (possible) => writeValues(possible, { most: 1, part: ([value = '']) => part(value) }),
  };
}

function writeLevel(possible: readonly ValueClass[]): WrittenParameter | string {
  const ranks = possible.map((values) => (values.single ? rankOf(values) : -1));
  if (ranks.includes(-1)) return 'Levels other than the documented ones can match as well';
  const least = Math.max(...ranks);
  const logLevel = logLevels[least];
  if (!logLevel) return 'No level can match';
  // A class of several values may contain levels that no part of the query mentions.
  return { part: { logLevel }, passes: (values) => !values.single || isWithin(rankOf(values), 0, least) };
}

const levels: readonly unknown[] = logLevels;

function rankOf({ sample }: ValueClass): number {
  return levels.indexOf(sample);
}

function writeCodes(possible: readonly ValueClass[]): WrittenParameter | string {
  const logCodes: number[] = [];
  for (const { from, to } of possible) {
    if (typeof from === 'bigint' || typeof to === 'bigint') return 'Codes beyond 2^53 can match';
    if (from === undefined || to === undefined || maxList < to - from + logCodes.length) {
      return `More than ${maxList} codes can match`;
    }
    for (let code = from; code < to; code += 1) logCodes.push(code);
  }
  return { part: { logCodes }, passes: (values) => possible.includes(values) };
}

function writeValues(
  possible: readonly ValueClass[],
  { most, part }: { readonly most: number; readonly part: (values: readonly string[]) => Necessary },
): WrittenParameter | string {
  if (!possible.every(({ single }) => single)) return 'Values that the query does not name can match as well';
  if (most < possible.length) return `More than ${most === 1 ? 'one value' : `${most} values`} can match`;
  const values = possible.map(({ sample }) => String(sample));
  const unwritable = values.find((value) => value.trim() !== value || value === '' || value.includes(','));
  if (unwritable !== undefined)
    return `${JSON.stringify(unwritable)} cannot be written in a list with commas`;
  return { part: part(values), passes: (each) => possible.includes(each) };
}

function writeWindow(possible: readonly ValueClass[]): WrittenParameter | string {
  const oldest = asTime(possible[0]?.from);
  const end = asTime(possible.at(-1)?.to);
  if (oldest === undefined && end === undefined) return 'The query bounds the time on neither side';
  const part = {
    ...(oldest !== undefined && { oldest }),
    ...(end !== undefined && { newest: end - 1 }),
  };
  return {
    part,
    passes: ({ sample }) =>
      isWithin(Number(sample ?? Number.NaN), oldest ?? -Infinity, (end ?? Infinity) - 1),
  };
}

/** Times are far below the numbers that need a `bigint`. */
function asTime(value: NumberValue | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function isWithin(value: number, least: number, greatest: number): boolean {
  return least <= value && value <= greatest;
}
