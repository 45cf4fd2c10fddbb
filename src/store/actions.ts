import type { DuckDBConnection } from '@duckdb/node-api';

/** Notes in the case what is done to it, in the transaction that does it. */
export async function noteAction(
  connection: DuckDBConnection,
  action: string,
  details: Readonly<Record<string, string | number | undefined>>,
): Promise<void> {
  await connection.run(
    `INSERT INTO stored.actions
     SELECT coalesce(max(number), 0) + 1, epoch_ms($1::BIGINT), $2, $3 FROM stored.actions`,
    [Date.now(), action, JSON.stringify(details)],
  );
}
