import type { AnyLogSource } from '../../analysis/index.ts';
import { type CountedValue, type Field, matchAllFilter } from '../../language/index.ts';
import { logFields } from '../../records/index.ts';

/** The most values read from cases. Fields that people complete have a few dozen. */
const mostValues = 10_000;

/** Returns the values of a field in cases with their numbers of logs, the most frequent first. */
export async function valuesInCases(
  cases: readonly AnyLogSource[],
  { name }: Field,
): Promise<CountedValue[]> {
  const field = logFields.find((field) => field === name);
  if (field === undefined || cases.length === 0) return [];
  const { facets } = await import('../../analysis/facets.ts');
  const { values } = await facets(cases, field, { filter: matchAllFilter, limit: mostValues });
  return values.flatMap(({ value, count }) => (value === undefined ? [] : [{ value, count }]));
}
