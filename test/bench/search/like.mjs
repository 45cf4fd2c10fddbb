/** Measures DuckDB for search.mjs, without this program: LIKE on a table that its own reader of JSON made. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { median } from './median.mjs';
import { bucket, queries } from './queries.mjs';

const folder = process.argv[2];
const path = join(folder, 'like.duckdb');
rmSync(path, { force: true });
const start = performance.now();
let instance = await DuckDBInstance.create(path);
let connection = await instance.connect();
await connection.run(`CREATE TABLE logs AS FROM read_json('${join(folder, 'logs.ndjson')}')`);
connection.closeSync();
instance.closeSync();
const load = (performance.now() - start) / 1000;
instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
connection = await instance.connect();
const run = async (sql) => (await connection.runAndReadAll(sql)).getRowsJS();
const results = [];
for (const { name, like } of queries) {
  const measure = (sql) =>
    median(
      5,
      () => {},
      () => run(sql),
    );
  const [[hits]] = await run(`SELECT count(*)::DOUBLE FROM logs WHERE ${like}`);
  results.push({
    ...{ name, hits },
    count: await measure(`SELECT count(*) FROM logs WHERE ${like}`),
    newest: await measure(`SELECT * FROM logs WHERE ${like} ORDER BY time DESC LIMIT 100`),
    histogram: await measure(
      `SELECT time // ${bucket}, count(*) FROM logs WHERE ${like} GROUP BY 1 ORDER BY 1`,
    ),
  });
}
const memory = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ load, bytes: statSync(path).size, searchMemory: memory, queries: results }));
