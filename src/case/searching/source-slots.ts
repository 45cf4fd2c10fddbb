import * as v from 'valibot';
import type { Filter } from '../../language/index.ts';
import type { Case } from '../file/case.ts';
import { withSearch } from './search.ts';

/** The logs of one source in a slot of time. */
export interface SourceSlot {
  /** Empty for logs without a source. */
  readonly source: string;
  /** Number of the slot: its start in milliseconds since the epoch by the length of a slot. */
  readonly slot: number;
  readonly count: number;
  /** Times of the first and the last log: milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
}

const rows = v.array(v.tuple([v.string(), v.number(), v.number(), v.number(), v.number()]));

/** Counts the selected logs by source and slot of `length` milliseconds, in order of source and time. */
export function countBySourceSlot(
  from: Case,
  filter: Filter,
  { length }: { readonly length: number },
): Promise<readonly SourceSlot[]> {
  return withSearch(from, filter, async ({ connection, condition }) => {
    const { sql, parameters } = condition();
    const result = await connection.runAndReadAll(
      `SELECT coalesce(source, '') AS name, floor(epoch_ms("time")::DOUBLE / $${parameters.length + 1}::DOUBLE) AS slot,
         count(*)::DOUBLE, epoch_ms(min("time"))::DOUBLE, epoch_ms(max("time"))::DOUBLE
       FROM stored.logs WHERE "time" IS NOT NULL AND (${sql}) GROUP BY ALL ORDER BY name, slot`,
      [...parameters, length],
    );
    return v
      .parse(rows, result.getRowsJS())
      .map(([source, slot, count, first, last]) => ({ source, slot, count, first, last }));
  });
}
