import { type Case, readingState } from '../case/case.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './stored-log.ts';

/** Returns the log of an id; undefined if the case has none. */
export function readLog(from: Case, id: number): Promise<StoredLog | undefined> {
  return readingState(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT ${storedLogColumns} FROM stored.logs WHERE id = $1`,
      [id],
    );
    return result.getRowsJS().map(toStoredLog)[0];
  });
}
