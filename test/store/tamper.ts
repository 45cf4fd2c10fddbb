import { DuckDBInstance } from '@duckdb/node-api';

/** Runs statements on a case file as someone would who does not use this program. */
export async function tamperWith(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
