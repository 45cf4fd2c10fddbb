import type { Extra, TimeZone } from '../../records/index.ts';
import { type Log, textFields } from '../../records/index.ts';
import { toJson } from '../terminal/printable.ts';
import type { Cell } from './csv.ts';
import { listedLogTable } from './log-table.ts';
import type { Rows } from './output-format.ts';

/** A log listed by a deployment, with the members that are no log fields. */
export interface ListedLog {
  readonly log: Log;
  readonly extra?: Extra;
}

const fields = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The columns of CSV: all fields. */
const names = [
  ...fields,
  ...textFields.filter((field) => !fields.some((first) => first === field)),
  ...(['elapsed', 'extra'] as const),
];

/** Rows of logs listed by a deployment; like those of `search`, without ids. */
export function listedLogRows(items: AsyncIterable<ListedLog>, zone: TimeZone): Rows<ListedLog> {
  const table = listedLogTable(zone);
  return {
    items,
    columns: table.columns,
    shown: table.cells,
    names,
    cells: (listed) => names.map((name) => cellOf(listed, name)),
  };
}

function cellOf({ log, extra }: ListedLog, name: (typeof names)[number]): Cell {
  if (name === 'extra') return extra && toJson(extra);
  if (name === 'time') return log.time === undefined ? undefined : new Date(log.time).toISOString();
  return log[name];
}
