import { recordAction } from '../chain/actions.ts';
import { type Case, writeToCase } from '../file/case.ts';

/**
 * Deletes all but the newest logs of a part that `addLogs` created, by order of arrival, and
 * records the action. Only for a case in memory that a running program writes to: a case file loses
 * nothing. Does nothing if the part does not exist.
 */
export async function keepNewestLogs(
  of: Case,
  { part: name, count }: { readonly part: string; readonly count: number },
): Promise<void> {
  if (of.path !== ':memory:') return;
  await writeToCase(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `DELETE FROM stored.logs WHERE part IN (SELECT part FROM stored.parts WHERE format = 'program' AND file = $1)
       AND id < (SELECT min(id) FROM (
         SELECT id FROM stored.logs WHERE part IN (SELECT part FROM stored.parts WHERE format = 'program' AND file = $1)
         ORDER BY id DESC LIMIT ${Math.max(1, Math.trunc(count))}))`,
      [name],
    );
    const deleted = Number(result.getRowsJS()[0]?.[0] ?? 0);
    if (0 < deleted) await recordAction(connection, 'delete oldest logs', { file: name, logs: deleted });
  });
}
