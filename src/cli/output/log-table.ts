import { openStart } from '../../export/windows/decide/window.ts';
import type { Log } from '../../records/log.ts';
import type { ColumnField } from '../command-line/field-option.ts';
import type { Column } from './table.ts';

/** The default columns of logs in tables, the message last. */
const defaultFields = ['id', 'time', 'logLevel', 'logCode', 'source', 'username', 'msg'] as const;

/** The message is never narrower where the terminal allows it: others are left out first. */
const leastMessage = 60;

/** Columns whose presentation differs from a plain text of that name. */
const special: { readonly [F in ColumnField]?: Column } = {
  id: { name: 'id', align: 'right' },
  time: { name: 'time (UTC)' },
  logLevel: { name: 'level' },
  logCode: { name: 'code', align: 'right', dropRank: 2 },
  source: { name: 'source', canShrink: true, dropRank: 1 },
  username: { name: 'user', canShrink: true, dropRank: 3 },
  elapsed: { name: 'elapsed', align: 'right' },
  requestID: { name: 'request', prefix: 8 },
  msg: { name: 'message', canShrink: true, least: leastMessage },
};

/** A log, with its id if it has one. */
interface ShownLog {
  readonly id?: number;
  readonly log: Log;
}

/** Columns of logs in tables, and the cells of a log; missing fields are empty. */
export interface LogTable {
  readonly columns: readonly Column[];
  readonly cells: (shown: ShownLog) => readonly string[];
}

/**
 * The columns of chosen fields, default all usual ones. Chosen columns stay on a narrow terminal, unlike
 * the default ones.
 */
export function logTable(
  chosen: readonly ColumnField[] | undefined,
  usual: readonly ColumnField[] = defaultFields,
): LogTable {
  const fields = chosen ?? usual;
  const columns = fields.map((field): Column => {
    const { dropRank, ...column } = special[field] ?? { name: field, canShrink: true };
    return chosen === undefined && dropRank !== undefined ? { ...column, dropRank } : column;
  });
  return { columns, cells: (shown) => fields.map((field) => textOf(shown, field)) };
}

/** The columns of logs listed by a deployment, which have no ids. */
export const listedLogTable: LogTable = logTable(
  undefined,
  defaultFields.filter((field) => field !== 'id'),
);

function textOf({ id, log }: ShownLog, field: ColumnField): string {
  const value = field === 'id' ? id : log[field];
  if (value === undefined) return '';
  return field === 'time' ? formatTime(Number(value)) : String(value);
}

/** Formats a time in UTC: `2025-03-12 08:24:10.123`, or "the beginning" without a bound. */
export function formatTime(time: number): string {
  if (time <= openStart) return 'the beginning';
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}
