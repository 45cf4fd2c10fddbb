/** The questions of search.mjs to a cluster: each returns the number of what it found. */

import * as ofSource from '../../../dist/analysis/log-source.js';
import { bestOfCases } from '../../../dist/analysis.js';
import { sourceOf } from '../../../dist/case/log-source.js';
import { parse } from '../../../dist/language.js';
import { resolve, resolveScored } from '../../../dist/meaning.js';
import { every } from '../search/questions.mjs';

const filterOf = (text) => resolve(parse(text).query, { now: 0 });

async function length(rows) {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
}

async function sqlRows(of, text) {
  const sql = `SELECT "logLevel", avg(elapsed) FROM logs WHERE matches('${text}') GROUP BY "logLevel"`;
  let count = 0;
  for await (const piece of of.runSql(sql, { limit: 1000 })) count += piece.rows?.length ?? 0;
  return count;
}

const listed = (of, text, options) => length(ofSource.streamLogs(of, filterOf(text), options));

const works = {
  count: (of, { text }) => ofSource.countLogs(of, filterOf(text)),
  newest: (of, { text }) => listed(of, text, { limit: 100, order: 'newest' }),
  oldest: (of, { text }) => listed(of, text, { limit: 100, order: 'oldest' }),
  best: async (of, { text }) =>
    length(bestOfCases([of], resolveScored(parse(text).query, { now: 0 }), { limit: 100 })),
  histogram: async (of, { text }) => (await sourceOf(of).countByTime(filterOf(text), { every })).length,
  top: async (of, { text, field }) =>
    (await sourceOf(of).countBy(field, filterOf(text), { limit: 10 })).length,
  trace: (of, { text }) => listed(of, text, { limit: 1000, order: 'oldest' }),
  context: (of, { text }) =>
    length(sourceOf(of).streamContext(filterOf(text), { around: 5, order: 'newest' })),
  contexts: (of, { text }) =>
    length(sourceOf(of).streamContext(filterOf(text), { around: 5, limit: 20, order: 'newest' })),
  sql: (of, { text }) => sqlRows(of, text),
};

/** Answers a question. */
export async function answer(of, question) {
  return await works[question.work](of, question);
}
