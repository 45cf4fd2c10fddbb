import type { Asked } from '../../analysis/log-source.ts';
import type { CountedValue } from '../../assist/complete/candidates.ts';
import type { Field } from '../../meaning/fields.ts';
import { matchAllFilter } from '../../meaning/filter.ts';
import { logFields } from '../../records/log.ts';

/** The most values read from cases. Fields that people complete have a few dozen. */
const mostValues = 10_000;

/** Returns the values of a field in cases with their numbers of logs, the most frequent first. */
export async function valuesInCases(cases: readonly Asked[], { name }: Field): Promise<CountedValue[]> {
  const field = logFields.find((each) => each === name);
  if (field === undefined || cases.length === 0) return [];
  const { facets } = await import('../../analysis/index.ts');
  const { values } = await facets(cases, field, { filter: matchAllFilter, limit: mostValues });
  return values.flatMap(({ value, count }) => (value === undefined ? [] : [{ value, count }]));
}
