import * as v from 'valibot';
import { isCase, mergeLogs, readLog, readPart, streamLogs } from '../../analysis/index.ts';
import { readRaw, type StoredLog } from '../../case/index.ts';
import { type Filter, matchAllFilter } from '../../language/index.ts';
import { type CallContext, logsOf } from './opened.ts';
import type { AnswerOperation } from './operation.ts';
import { type PageLog, toPageLog } from './page-log.ts';
import { PageRefusal } from './refusal.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const address = v.object({ ofCase: count, id: count });

/** A log with its record and its evidence. */
export interface WholeLog extends StoredLog {
  readonly ofCase: number;
  /** Name and SHA-256 of the original file. */
  readonly file?: string;
  readonly fileSha256?: string;
  /** The record as it was written. */
  readonly raw?: string;
}

/** One log whole. */
export const log: AnswerOperation<typeof address, WholeLog> = {
  parameters: address,
  async answer(asked, context) {
    const { from, stored } = await storedAt(asked, context);
    const raw = isCase(from) ? await readRaw(from, asked.id) : undefined;
    const part = await readPart(from, stored.part);
    return {
      ...{ ...stored, ofCase: asked.ofCase },
      ...(part && { file: part.file }),
      ...(part?.fileSha256 !== undefined && { fileSha256: part.fileSha256 }),
      ...(raw !== undefined && { raw }),
    };
  },
};

async function storedAt({ id, ofCase }: v.InferOutput<typeof address>, call: CallContext) {
  const from = logsOf(call)[ofCase];
  const stored = from && (await readLog(from, id));
  if (!stored) throw new PageRefusal(`There is no log with the id ${id}`, 404);
  return { from, stored };
}

const contextParameters = v.object({
  ...address.entries,
  around: v.pipe(count, v.maxValue(200)),
});

/** The logs of the same case before and after one, whatever a query selects; oldest first. */
export const context: AnswerOperation<typeof contextParameters, readonly PageLog[]> = {
  parameters: contextParameters,
  async answer({ around, ...asked }, call) {
    const { from, stored } = await storedAt(asked, call);
    const { time } = stored.log;
    const after = { id: asked.id, ...(time !== undefined && { time }) };
    const read = async (order: 'newest' | 'oldest') => {
      const options = { order, after, limit: around, signal: call.signal };
      const found: PageLog[] = [];
      for await (const each of streamLogs(from, matchAllFilter, options))
        found.push(toPageLog({ ...each, ofCase: asked.ofCase }));
      return found;
    };
    const before = (await read('newest')).filter(
      (each) => (each.log.time === undefined) === (time === undefined),
    );
    return [
      ...before.toReversed(),
      toPageLog({ ...stored, ofCase: asked.ofCase }),
      ...(await read('oldest')),
    ];
  },
};

const traceParameters = v.object({ request: v.pipe(v.string(), v.maxLength(2000)) });

/** Most logs of a request that are shown. */
const mostOfRequest = 5000;

const requestId = { name: 'requestID', type: 'keyword', about: 'The id of the request' } as const;

/** The logs of one request, oldest first. */
export const trace: AnswerOperation<typeof traceParameters, readonly PageLog[]> = {
  parameters: traceParameters,
  async answer({ request }, context) {
    const { signal } = context;
    // Compares the whole value, not its words.
    const filter: Filter = { kind: 'term', field: requestId, term: request };
    const streams = logsOf(context).map((each) => streamLogs(each, filter, { signal, limit: mostOfRequest }));
    const found: PageLog[] = [];
    for await (const each of mergeLogs<StoredLog>(streams, 'oldest')) {
      found.push(toPageLog(each));
      if (found.length === mostOfRequest) break;
    }
    return found;
  },
};
