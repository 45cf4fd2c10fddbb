import {
  type CursorInCases,
  cursorInCase,
  type LogOfCase,
  mergeLogs,
} from '../../src/analysis/several-cases.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import type { LogOrder } from '../../src/records/log-order.ts';

/** A query and the logs that it selects. */
export const filterOf = (query: string): Filter => resolve(parse(query).query, { now: 0 });

/** Runs work on cases in memory that hold these logs. */
export async function withCases<T>(
  logs: readonly (readonly Log[])[],
  work: (cases: readonly Case[]) => Promise<T>,
): Promise<T> {
  const cases: Case[] = [];
  try {
    for (const each of logs) {
      const into = await openCase(':memory:', { access: 'write' });
      cases.push(into);
      if (0 < each.length) await addLogs(into, each, { part: 'test' });
    }
    return await work(cases);
  } finally {
    for (const each of cases) await each[Symbol.asyncDispose]();
  }
}

/** All that comes, or the first of it. */
export async function toList<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const list: T[] = [];
  if (limit === 0) return list;
  for await (const item of items) if (list.push(item) === limit) break;
  return list;
}

/** A page of the logs of all cases behind a place. */
export function pageOf(
  cases: readonly Case[],
  filter: Filter,
  { order, limit, after }: { order: LogOrder; limit?: number; after?: CursorInCases | undefined },
): Promise<LogOfCase[]> {
  const streams = cases.map((each, index) =>
    streamLogs(each, filter, {
      order,
      ...(limit !== undefined && { limit }),
      ...(after && { after: cursorInCase(after, index, order) }),
    }),
  );
  return toList(mergeLogs(streams, order), limit);
}
