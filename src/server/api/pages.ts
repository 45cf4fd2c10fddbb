import * as v from 'valibot';
import {
  type CursorInCases,
  cursorInCase,
  cursorsOfCases,
  mergeLogs,
  streamLogs,
} from '../../analysis/index.ts';
import type { LogOrder, StoredLog } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { type CallContext, logsOf, type OpenedCases } from './opened.ts';
import type { AnswerOperation } from './operation.ts';
import { type PageLog, toPageLog } from './page-log.ts';
import { filterOf, selection } from './selection.ts';

/** Number of logs of a page. */
export const pageLength = 100;

/** Selections whose cursors are remembered for each set of cases. */
const remembered = 8;

/** Cursors of selections by their text: computed once, so that jumping far into a result is fast. */
const cursors = new WeakMap<OpenedCases, Map<string, Promise<readonly CursorInCases[]>>>();

const parameters = v.object({
  ...selection.entries,
  order: v.picklist(['newest', 'oldest']),
  /** Number of the page, from 0. */
  page: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** One page of the logs of a selection. */
export const logs: AnswerOperation<typeof parameters, readonly PageLog[]> = {
  parameters,
  async answer(asked, context) {
    const filter = await filterOf(asked, context.opened);
    const after = asked.page === 0 ? undefined : await cursorOf(asked, filter, context);
    if (asked.page !== 0 && !after) return [];
    return readPage(filter, { order: asked.order, after }, context);
  },
};

async function cursorOf(
  { page, order, query, from, to }: v.InferOutput<typeof parameters>,
  filter: Filter,
  context: CallContext,
): Promise<CursorInCases | undefined> {
  const { opened, signal } = context;
  const known = cursors.get(opened) ?? new Map<string, Promise<readonly CursorInCases[]>>();
  cursors.set(opened, known);
  const key = JSON.stringify([query, from, to, order]);
  let found = known.get(key);
  if (!found) {
    found = cursorsOfCases(logsOf(context), filter, { order, every: pageLength, signal });
    known.set(key, found);
    const forget = () => known.delete(key);
    found.catch(forget);
    for (const oldest of [...known.keys()].slice(0, -remembered)) known.delete(oldest);
  }
  return (await found)[page - 1];
}

async function readPage(
  filter: Filter,
  { order, after }: { readonly order: LogOrder; readonly after: CursorInCases | undefined },
  context: CallContext,
): Promise<readonly PageLog[]> {
  const { signal } = context;
  const streams = logsOf(context).map((each, index) =>
    streamLogs(each, filter, {
      order,
      signal,
      limit: pageLength,
      ...(after && { after: cursorInCase(after, index, order) }),
    }),
  );
  const found: PageLog[] = [];
  for await (const log of mergeLogs<StoredLog>(streams, order)) {
    found.push(toPageLog(log));
    if (found.length === pageLength) break;
  }
  return found;
}
