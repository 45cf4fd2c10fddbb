import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { mergeLogs, streamLogs } from '../../analysis/index.ts';
import { type LogOrder, type StoredLog, writeLogsToParquet } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { type CallContext, casesWith, type Download, filterOf, logsOf } from '../../server/index.ts';
import { temporaryFolder } from '../files/temporary-folder.ts';
import { logRows, type PrintedLog } from '../output/log-rows.ts';
import { formatLogs } from '../output/outgoing-logs.ts';
import type { Rows } from '../output/output-format.ts';
import { toStyle } from '../terminal/style.ts';
import { rowsWorkbook } from '../workbook/rows-workbook.ts';
import { workbookType } from './download-report.ts';

const types = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: workbookType,
} as const;

/** Writes the logs of a selection as "logquarry search" writes them to a file. */
export const downloadLogs: Download = async ({ format, order, ...selected }, context) => {
  const filter = await filterOf(selected, context.opened);
  const name = `logs.${format}`;
  const type = types[format];
  if (format === 'parquet') return { name, type, pieces: parquetFile(filter, order, context) };
  const hasCases = 1 < context.opened.logs.length;
  const rows = logRows(printedLogs(filter, order, context), { hasCases });
  if (format === 'xlsx') return { name, type, pieces: workbook(rows) };
  const face = { width: undefined, style: toStyle(false) };
  return { name, type, pieces: formatLogs(rows, format, face) };
};

async function* printedLogs(
  filter: Filter,
  order: LogOrder,
  context: CallContext,
): AsyncGenerator<PrintedLog, void, undefined> {
  const {
    opened: { logs, names },
    signal,
  } = context;
  const streams = logsOf(context).map((each) => streamLogs(each, filter, { order, signal }));
  for await (const { ofCase, ...log } of mergeLogs<StoredLog>(streams, order))
    yield { ...log, ...(1 < logs.length && { case: names[ofCase] ?? '' }) };
}

async function* workbook(rows: Rows<PrintedLog>): AsyncGenerator<Uint8Array, void, undefined> {
  yield await rowsWorkbook(rows, 'Logs');
}

async function* parquetFile(
  filter: Filter,
  order: LogOrder,
  context: CallContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const {
    opened: { names },
    signal,
  } = context;
  const cases = await casesWith(filter, context);
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'logs.parquet');
  const written = cases.map((from, index) => ({ from, name: names[index] ?? '', options: { order } }));
  await writeLogsToParquet(path, written, { filter, order, signal });
  for await (const piece of createReadStream(path)) yield piece;
}
