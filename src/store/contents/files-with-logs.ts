import * as v from 'valibot';
import { type Case, reading } from '../case/case.ts';

const rows = v.array(v.tuple([v.string(), v.string()]));

/** Returns the names of the files that logs of a case were read from, by their SHA-256. */
export async function filesWithLogs(of: Case): Promise<ReadonlyMap<string, string>> {
  return reading(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT file_sha256, min(file) FROM stored.parts
       WHERE file_sha256 IS NOT NULL AND 0 < logs GROUP BY file_sha256 ORDER BY min(part)`,
    );
    return new Map(v.parse(rows, result.getRowsJS()));
  });
}
