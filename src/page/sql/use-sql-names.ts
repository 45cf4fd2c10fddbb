import { useEffect, useState } from 'preact/hooks';
import { streamFromServer } from '../api/call.ts';
import type { SqlNames } from './complete-sql.ts';

const columnsSql = `SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = 'main' ORDER BY table_name <> 'logs', table_name, ordinal_position`;

const functionsSql = `SELECT DISTINCT function_name FROM duckdb_functions()
WHERE function_type IN ('scalar', 'aggregate', 'macro') AND regexp_full_match(function_name, '[a-z]\\w*') ORDER BY 1`;

const none: SqlNames = { columns: [], functions: [] };

/** Reads the views, columns and functions of a case by SQL, as a user can; empty until they are there. */
export function useSqlNames(ofCase: number): SqlNames {
  const [names, setNames] = useState(none);
  useEffect(() => {
    const controller = new AbortController();
    const read = async () => {
      const columns = await rowsOf(columnsSql, ofCase, controller.signal);
      const functions = await rowsOf(functionsSql, ofCase, controller.signal);
      setNames({
        columns: columns.map(([table, name, type]) => ({
          ...{ table: String(table), name: String(name), type: String(type) },
        })),
        functions: functions.map(([name]) => String(name)),
      });
    };
    // Without names nothing is suggested; the statement itself reports what is wrong.
    read().catch(() => undefined);
    return () => controller.abort();
  }, [ofCase]);
  return names;
}

async function rowsOf(
  sql: string,
  ofCase: number,
  signal: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  for await (const piece of streamFromServer('sql', { sql, ofCase, limit: 5000 }, signal))
    if (piece.kind === 'rows') rows.push(...piece.rows);
  return rows;
}
