import { ExactNumber } from './exact-number.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reports if a JSON value is an object: neither an array nor an `ExactNumber`. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
