import * as v from 'valibot';
import { lenientNumber } from './lenient.ts';

const whole = v.pipe(v.unknown(), v.transform(lenientNumber), v.number(), v.integer(), v.minValue(0));
const counted = v.union([v.object({ total: whole }), v.object({ count: whole })]);

/**
 * The number of logs in the answer to a search that only counts (field notes); undefined if the body is
 * something else.
 */
export function logCountOf(body: unknown): number | undefined {
  const result = v.safeParse(counted, body);
  if (!result.success) return undefined;
  return 'total' in result.output ? result.output.total : result.output.count;
}
