/**
 * DuckDB without this program for search.mjs: LIKE on a table that its own reader of JSON made, with an index of the requests.
 * `build` prints figures, `serve` answers questions.
 */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { every, questionsAbout } from './questions.mjs';
import { answerLines, megabytes, stopwatch } from './serve.mjs';

const [, , task, folder] = process.argv;
const path = join(folder, 'like.duckdb');

async function build() {
  rmSync(path, { force: true });
  const lap = stopwatch();
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE logs AS FROM read_json('${join(folder, 'logs.ndjson')}')`);
  connection.closeSync();
  instance.closeSync();
  return { load: lap(), bytes: statSync(path).size, memory: megabytes() };
}

const selects = {
  count: ({ like, from, to }) =>
    `SELECT count(*)::DOUBLE FROM logs WHERE ${like}${from ? ` AND time BETWEEN ${from} AND ${to}` : ''}`,
  newest: ({ like }) => `SELECT * FROM logs WHERE ${like} ORDER BY time DESC LIMIT 100`,
  oldest: ({ like }) => `SELECT * FROM logs WHERE ${like} ORDER BY time LIMIT 100`,
  histogram: ({ like }) => `SELECT time // ${every}, count(*) FROM logs WHERE ${like} GROUP BY 1 ORDER BY 1`,
  top: ({ like, field }) =>
    `SELECT ${field}, count(*) FROM logs WHERE ${like} GROUP BY 1 ORDER BY 2 DESC LIMIT 10`,
  trace: ({ value }) => `SELECT * FROM logs WHERE "requestID" = '${value}' ORDER BY time`,
  sql: ({ like }) => `SELECT "logLevel", avg(elapsed) FROM logs WHERE ${like} GROUP BY ALL`,
};

async function serve() {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const questions = questionsAbout(JSON.parse(readFileSync(join(folder, 'picks.json'), 'utf8')));
  await answerLines(async (number) => async () => {
    const question = questions[number];
    const rows = (await connection.runAndReadAll(selects[question.work](question))).getRowsJS();
    return question.work === 'count' ? rows[0][0] : rows.length;
  });
}

if (task === 'build') console.log(JSON.stringify(await build()));
else await serve();
