import * as v from 'valibot';
import { isCase } from '../../analysis/index.ts';
import { runSqlInChild, type SqlPiece } from '../../case/index.ts';
import type { StreamOperation } from './operation.ts';
import { PageRefusal } from './refusal.ts';

const parameters = v.object({
  sql: v.pipe(v.string(), v.maxLength(100_000)),
  ofCase: v.pipe(v.number(), v.integer(), v.minValue(0)),
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
});

/** Longest time of a statement, in milliseconds. */
const timeout = 120_000;

/** The result of one SELECT on a case, in pieces as they come. */
export const sql: StreamOperation<typeof parameters, SqlPiece> = {
  parameters,
  async *stream({ sql: text, ofCase, limit }, { opened, signal }) {
    const from = opened.logs[ofCase];
    if (!from) throw new PageRefusal(`There is no case ${ofCase}`, 404);
    if (!isCase(from)) {
      yield* from.until(signal).runSql(text, limit);
      return;
    }
    if (from.originals === 'in place')
      throw new PageRefusal('SQL runs on a case file: load the files into one with "logquarry import"');
    yield* runSqlInChild(from.path, text, { limit, timeout, signal });
  },
};
