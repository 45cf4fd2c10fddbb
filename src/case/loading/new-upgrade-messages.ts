import * as v from 'valibot';
import type { LogRecord } from '../../records/index.ts';
import { type Case, readCase } from '../file/case.ts';

const row = v.tuple([v.nullable(v.number()), v.nullable(v.string()), v.nullable(v.string()), v.number()]);

/**
 * Creates a filter for upgrade messages, called in order: true for each that the case does not
 * have. A deployment returns all messages of an upgrade on each request. So repeated reads return the same
 * messages, and a message that occurs twice was sent twice.
 */
export async function newUpgradeMessageFilter(into: Case): Promise<(record: LogRecord) => boolean> {
  const remaining = await messagesIn(into);
  return ({ log: { time, logCode, msg } }) => {
    const key = JSON.stringify([time ?? null, logCode === undefined ? null : String(logCode), msg ?? null]);
    const count = remaining.get(key) ?? 0;
    remaining.set(key, count - 1);
    return count <= 0;
  };
}

/** Counts each message of the case. */
function messagesIn(of: Case): Promise<Map<string, number>> {
  return readCase(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT epoch_ms("time")::DOUBLE, "logCode"::VARCHAR, msg, count(*)::DOUBLE FROM stored.logs
       WHERE part IN (SELECT part FROM stored.parts WHERE format = 'upgrade') GROUP BY ALL`,
    );
    const rows = v.parse(v.array(row), result.getRowsJS());
    return new Map(rows.map(([time, code, msg, count]) => [JSON.stringify([time, code, msg]), count]));
  });
}
