/**
 * Logquarry for search.mjs: `build` imports and indexes the logs of a folder and prints figures; `serve` answers
 * questions, a line of JSON each.
 */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { forgetSets } from '../../../dist/case/index/snapshot.js';
import { streamContext } from '../../../dist/case/searching/logs-in-context.js';
import { streamSqlOn } from '../../../dist/case/sql/run-sql.js';
import {
  addFile,
  buildIndex,
  countBy,
  countByTime,
  countLogs,
  findBest,
  findLogs,
  openCase,
} from '../../../dist/index.js';
import { parse } from '../../../dist/language.js';
import { resolve, resolveScored } from '../../../dist/meaning.js';
import { every, questionsAbout } from './questions.mjs';
import { answerLines, megabytes, stopwatch } from './serve.mjs';

const [, , task, folder] = process.argv;
const path = join(folder, 'case.duckdb');

async function build() {
  rmSync(path, { force: true });
  const load = stopwatch();
  const into = await openCase(path, { access: 'write', create: true, originals: 'in place' });
  await addFile(into, join(folder, 'logs.ndjson'));
  await into[Symbol.asyncDispose]();
  const loaded = load();
  const plain = statSync(path).size;
  const index = stopwatch();
  const again = await openCase(path, { access: 'write' });
  await buildIndex(again, { isAlone: true });
  await again[Symbol.asyncDispose]();
  const bytes = statSync(path).size;
  return { load: loaded, index: index(), bytes, indexBytes: bytes - plain, memory: megabytes() };
}

async function all(rows) {
  const found = [];
  for await (const row of rows) found.push(row);
  return found;
}

const filterOf = (text) => resolve(parse(text).query, { now: 0 });
const works = {
  count: (of, { text }) => countLogs(of, filterOf(text)),
  newest: async (of, { text }) => (await findLogs(of, filterOf(text), { limit: 100 })).length,
  oldest: async (of, { text }) =>
    (await findLogs(of, filterOf(text), { limit: 100, order: 'oldest' })).length,
  best: async (of, { text }) =>
    (await findBest(of, resolveScored(parse(text).query, { now: 0 }), { limit: 100 })).length,
  histogram: async (of, { text }) => (await countByTime(of, filterOf(text), { every })).length,
  top: async (of, { text, field }) => (await countBy(of, field, filterOf(text), { limit: 10 })).length,
  trace: async (of, { text }) =>
    (await findLogs(of, filterOf(text), { limit: 1000, order: 'oldest' })).length,
  context: async (of, { text }) => (await all(streamContext(of, filterOf(text), { around: 5 }))).length,
  contexts: async (of, { text }) =>
    (await all(streamContext(of, filterOf(text), { around: 5, limit: 20, order: 'newest' }))).length,
  sql: async (of, { text }) => {
    const sql = `SELECT "logLevel", avg(elapsed) FROM logs WHERE matches('${text}') GROUP BY ALL`;
    const pieces = await all(streamSqlOn(of, sql, {}));
    return pieces.reduce((sum, piece) => sum + (piece.rows?.length ?? 0), 0);
  },
};

async function serve() {
  const opened = await openCase(path, { access: 'read' });
  const questions = questionsAbout(JSON.parse(readFileSync(join(folder, 'picks.json'), 'utf8')));
  await answerLines(async (number) => {
    const question = questions[number];
    // The logs of an earlier answer must not answer again.
    forgetSets(opened);
    return () => works[question.work](opened, question);
  });
}

if (task === 'build') console.log(JSON.stringify(await build()));
else await serve();
