/** The JSON of a filter or a part of one: equal for equal ones, different for others. */
export function filterKey(filter: unknown): string {
  return JSON.stringify(filter, toJson);
}

/** Numbers that JSON has no word for, and negative zero, get texts, which no bound of numbers is. */
function toJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `number ${value}`;
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return Object.is(value, -0) ? 'number -0' : `number ${value}`;
}
