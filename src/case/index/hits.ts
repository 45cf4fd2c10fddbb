import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filter } from '../../language/index.ts';
import { unlessDamaged } from '../../word-index/index.ts';
import type { Case } from '../file/case.ts';
import type { Condition } from '../file/column-test.ts';
import type { FirstLogs } from '../file/log-order.ts';
import { evaluate } from './evaluate.ts';
import type { FieldValues } from './field-values.ts';
import { lookUpFirst } from './first-logs.ts';
import { setCondition } from './id-conditions.ts';
import type { LogSet } from './log-set.ts';
import { planIndexUse } from './plan.ts';
import { fieldValuesOf, snapshotOf, timesOf } from './snapshot.ts';
import type { Times } from './times.ts';

/** The logs that a filter selects. */
export interface Hits extends Pick<LogSet, 'bitmap' | 'ids'> {
  readonly count: number;
  /** Condition on a row of `stored.logs`. */
  readonly condition: () => Condition;
  /** Times of the logs; undefined as long as loading them does not pay, or if there are too many. */
  readonly times: () => Promise<Times | undefined>;
  /** Values of an SQL expression by log; undefined as long as loading them does not pay, or if there are too many. */
  readonly values: (expression: string) => Promise<FieldValues | undefined>;
}

/**
 * Finds the logs that a filter selects by the token index, and scans logs for parts that the index cannot
 * answer. Undefined without an index, or if the filter has no use for it. If only the first logs are wanted, later ones
 * may be missing.
 *
 * Unless the case is read-only, the connection must be in a transaction that also covers the use of the hits.
 */
export async function findHits(
  from: Case,
  connection: DuckDBConnection,
  filter: Filter,
  first?: FirstLogs,
): Promise<Hits | undefined> {
  if (from.tokenIndex === 'ignored') return undefined;
  const plan = planIndexUse(filter);
  if (!plan.asksIndex) return undefined;
  const snapshot = await snapshotOf(from, connection);
  if (!snapshot) return undefined;
  const context = { snapshot, connection };
  const found = await unlessDamaged(
    async () =>
      (first && (await lookUpFirst(context, filter, { plan, first }))) ??
      (await evaluate(context, filter, plan)),
  );
  if (!found) return undefined;
  const { count, bitmap, ids } = found;
  return {
    ...{ count: count(), bitmap, ids },
    condition: () => setCondition(found),
    times: () => timesOf(snapshot, connection),
    values: (expression) => fieldValuesOf(snapshot, connection, expression),
  };
}
