import { aliasOf } from './aliases.ts';
import { byteMap, type Stretch } from './byte-map.ts';
import { byte } from './json-bytes.ts';
import { logFields } from './log.ts';

/**
 * The keys of records as they were spelt, each with its quotes and its colon.
 * Records spell alike, and have their keys in the same order: so it is likely
 * which one comes next, and to see that it does takes less than to look it up.
 */

/** What is known of a key by its number: the place in `logFields` of its field, and its bytes with all that belongs to it. */
export interface SpeltKey {
  readonly field: number;
  readonly length: number;
}

/** Longer keys are no field's, as far as is known. */
const longestKey = 64;

/** More spellings than this come from a hostile file only and are not remembered. */
const mostKeys = 256;

/** Room for a key, its quotes and its colon. */
const room = longestKey + 3;

const spelt = new Uint8Array(mostKeys * room);
const known: SpeltKey[] = [];
const numbers = byteMap(2 * mostKeys);
numbers.begin(spelt);

/** For each field, and behind them for none, the number of the key that came next when it was last looked up. */
const following = new Int32Array(logFields.length + 1).fill(-1);

/** What stands before the first key of a record. */
export const beforeFirst = logFields.length;

/** The key that is likely to follow on one of a field, when it begins at a place. */
export function likelyKey(bytes: Uint8Array, from: number, before: number): SpeltKey | undefined {
  const number = following[before] ?? -1;
  const key = known[number];
  if (!key) return undefined;
  const end = from + key.length;
  for (let at = from, other = number * room; at < end; at++, other++)
    if (bytes[at] !== spelt[other]) return undefined;
  return key;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The key that is spelt between two quotes, behind one of a field. Undefined when no field is known by it. */
export function lookUpKey(bytes: Uint8Array, key: Stretch, before: number): SpeltKey | undefined {
  const number = numbers.get(bytes, key);
  if (0 <= number) {
    following[before] = number;
    return known[number];
  }
  return longestKey < key.to - key.from ? undefined : learn(bytes, key);
}

function learn(bytes: Uint8Array, { from, to, hash }: Stretch): SpeltKey | undefined {
  const alias = aliasOf(decoder.decode(bytes.subarray(from, to)));
  if (!alias) return undefined;
  const key = { field: logFields.indexOf(alias.field), length: to - from + 3 };
  if (known.length === mostKeys) return key;
  const first = known.length * room;
  spelt[first] = byte.quote;
  spelt.set(bytes.subarray(from, to), first + 1);
  spelt[first + key.length - 2] = byte.quote;
  spelt[first + key.length - 1] = byte.colon;
  numbers.add(known.length, { from: first + 1, to: first + 1 + to - from, hash });
  known.push(key);
  return key;
}
