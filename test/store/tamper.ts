import { createHash } from 'node:crypto';
import { DuckDBInstance } from '@duckdb/node-api';

/** Runs statements on a case file as someone would who does not use this program. */
export async function tamperWith(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

/**
 * Appends actions to the record of a case, each with its right hash: what one can do who has read the source. The
 * hash is computed as docs/cases.md says, not by the program.
 */
export async function forgeActions(
  path: string,
  forged: readonly { readonly action: string; readonly details: unknown }[],
): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const last = await connection.runAndReadAll(
    'SELECT number::INTEGER, hash, epoch_ms(done)::DOUBLE FROM stored.actions ORDER BY number DESC LIMIT 1',
  );
  let [number, previous, done] = (last.getRowsJS()[0] ?? []).map(String);
  for (const { action, details } of forged) {
    const text = typeof details === 'string' ? details : JSON.stringify(details);
    const members = [Number(number) + 1, Number(done) + 1, action, text, '0.1.0', previous];
    const hash = createHash('sha256').update(JSON.stringify(members)).digest('hex');
    await connection.run(
      'INSERT INTO stored.actions VALUES ($1::BIGINT, epoch_ms($2::BIGINT), $3, $4, $5, $6, $7)',
      [Number(members[0]), Number(members[1]), action, text, '0.1.0', String(previous), hash],
    );
    [number, done, previous] = [String(members[0]), String(members[1]), hash];
  }
  connection.closeSync();
  instance.closeSync();
}
