import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { all } from '../../src/meaning/filter.ts';
import { writing } from '../../src/store/case.ts';
import { type Case, openCase, writeLogsToParquet } from '../../src/store/index.ts';

let folder: string;
let from: Case;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-parquet-'));
  from = await openCase(':memory:', { access: 'write' });
  // So many that sorting them takes much longer than it takes to give that up.
  const rows = `SELECT id, epoch_ms((hash(id) % 1000000007)::BIGINT) AS "time", 'm ' || id AS msg FROM range(1, 1000001) AS ids(id)`;
  await writing(from, (connection) => connection.run(`INSERT INTO stored.logs BY NAME ${rows}`));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await from[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('writing logs that is given up rejects with the reason, also while they are sorted, and leaves no file', async () => {
  const stop = new AbortController();
  const { stream } = DuckDBConnection.prototype;
  vi.spyOn(DuckDBConnection.prototype, 'stream').mockImplementation(function (
    this: DuckDBConnection,
    ...asked
  ) {
    // While they are sorted.
    void setTimeout(30).then(() => stop.abort(new Error('enough')));
    return stream.apply(this, asked);
  });
  const cases = [{ from, name: 'a', options: { limit: 2_000_000 } }];
  const written = writeLogsToParquet(join(folder, 'a.parquet'), cases, { filter: all, signal: stop.signal });
  await expect(written).rejects.toThrow('enough');
  expect(readdirSync(folder)).toEqual([]);
});
