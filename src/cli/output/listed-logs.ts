import { type Log, textFields } from '../../records/log.ts';
import type { Extra } from '../../records/record.ts';
import { toJson } from '../terminal/printable.ts';
import type { Cell } from './csv.ts';
import { logColumns, shownTime } from './log-table.ts';
import type { Rows } from './output-format.ts';

/** A log that a deployment listed, with the members that are no field of a log. */
export interface ListedLog {
  readonly log: Log;
  readonly extra?: Extra;
}

const fields = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The columns of CSV: all that is known of a log. */
const names = [
  ...fields,
  ...textFields.filter((field) => !fields.some((first) => first === field)),
  ...(['elapsed', 'extra'] as const),
];

/** Output of the logs that a deployment listed, in every format, as `search` writes those of a case but without ids. */
export function listedLogRows(logs: readonly ListedLog[]): Rows<ListedLog> {
  return {
    items: each(logs),
    columns: logColumns.filter(({ name }) => name !== 'id'),
    shown: ({ log }) => [
      log.time === undefined ? '' : shownTime(log.time),
      log.logLevel ?? '',
      log.logCode === undefined ? '' : String(log.logCode),
      log.source ?? '',
      log.username ?? '',
      log.msg ?? '',
    ],
    names,
    cells: (listed) => names.map((name) => cellOf(listed, name)),
  };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

function cellOf({ log, extra }: ListedLog, name: (typeof names)[number]): Cell {
  if (name === 'extra') return extra && toJson(extra);
  if (name === 'time') return log.time === undefined ? undefined : new Date(log.time).toISOString();
  return log[name];
}
