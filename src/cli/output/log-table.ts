import type { Log } from '../../records/log.ts';
import { type TimeZone, utcZone } from '../../records/zones/time-zone.ts';
import type { ColumnField } from '../command-line/field-option.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';
import type { Column } from './table.ts';

/** The default columns of logs in tables, the message last. */
const defaultFields = ['id', 'time', 'logLevel', 'logCode', 'source', 'username', 'msg'] as const;

/** The message is never narrower where the terminal allows it: others are left out first. */
const leastMessage = 60;

/** Columns whose presentation differs from a plain text of that name. */
const special: { readonly [F in ColumnField]?: Column } = {
  id: { name: 'id', align: 'right' },
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

/** Options of the columns of logs. */
interface LogTableOptions {
  readonly usual?: readonly ColumnField[];
  /** Zone of shown times. Default: UTC. */
  readonly zone?: TimeZone | undefined;
}

/**
 * The columns of chosen fields, default all usual ones. Chosen columns stay on a narrow terminal, unlike
 * the default ones.
 */
export function logTable(
  chosen: readonly ColumnField[] | undefined,
  { usual = defaultFields, zone = utcZone }: LogTableOptions = {},
): LogTable {
  const fields = chosen ?? usual;
  const columns = fields.map((field): Column => {
    const { dropRank, ...column } = (field === 'time'
      ? { name: timeHeading('time', zone) }
      : special[field]) ?? { name: field, canShrink: true };
    return chosen === undefined && dropRank !== undefined ? { ...column, dropRank } : column;
  });
  return { columns, cells: (shown) => fields.map((field) => textOf(shown, field, zone)) };
}

/** The columns of logs listed by a deployment, which have no ids. */
export function listedLogTable(zone: TimeZone): LogTable {
  return logTable(undefined, { usual: defaultFields.filter((field) => field !== 'id'), zone });
}

function textOf({ id, log }: ShownLog, field: ColumnField, zone: TimeZone): string {
  const value = field === 'id' ? id : log[field];
  if (value === undefined) return '';
  return field === 'time' ? formatTime(Number(value), zone) : String(value);
}
