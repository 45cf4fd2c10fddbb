/** The JSON of a filter or of a part of one: equal for equal filters, different for all others. */
export function filterKey(filter: unknown): string {
  return JSON.stringify(filter, toJson);
}

/** Numbers without a JSON form, and negative zero, become texts, which no bound of numbers is. */
function toJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `number ${value}`;
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return Object.is(value, -0) ? 'number -0' : `number ${value}`;
}
