import type { Highlight } from '../../language/index.ts';
import type { Log } from '../../records/index.ts';
import { type TimeZone, utcZone } from '../../records/index.ts';
import type { ColumnField } from '../command-line/field-option.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';
import { levelStyle } from './level-style.ts';
import type { Column } from './table.ts';
import type { TableCell } from './table-cell.ts';

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

/** A log, with its id if it has one, and the spans that a query matches. */
interface ShownLog {
  readonly id?: number;
  readonly log: Log;
  readonly hits?: readonly Highlight[];
}

/** Columns of logs in tables, and the cells of a log; missing fields are empty. */
export interface LogColumns {
  readonly columns: readonly Column[];
  readonly cells: (shown: ShownLog) => readonly TableCell[];
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
): LogColumns {
  const fields = chosen ?? usual;
  const columns = fields.map((field): Column => {
    const { dropRank, ...column } = (field === 'time'
      ? { name: timeHeading('time', zone) }
      : special[field]) ?? { name: field, canShrink: true };
    return chosen === undefined && dropRank !== undefined ? { ...column, dropRank } : column;
  });
  return {
    columns,
    cells: (shown) => {
      const elsewhere = (shown.hits ?? []).map((hit) => hit.field).filter((field) => !isShown(field));
      return fields.map((field, index) => ({
        ...cellOf(shown, field, zone),
        ...(index === fields.length - 1 && { elsewhere: elsewhere.map(headingOf) }),
      }));
    },
  };

  function isShown(name: string): boolean {
    return fields.some((field) => field === name);
  }
}

/** The columns of logs listed by a deployment, which have no ids. */
export function listedLogTable(zone: TimeZone): LogColumns {
  return logTable(undefined, { usual: defaultFields.filter((field) => field !== 'id'), zone });
}

/** The heading of a field in tables. */
function headingOf(name: string): string {
  return Object.entries(special).find(([field]) => field === name)?.[1].name ?? name;
}

function cellOf(shown: ShownLog, field: ColumnField, zone: TimeZone): TableCell & object {
  const spans = shown.hits?.find((hit) => hit.field === field)?.spans;
  const text = textOf(shown, field, zone);
  const style = field === 'logLevel' ? levelStyle(text) : undefined;
  return { text, ...(spans && { spans }), ...(style && { style }) };
}

function textOf({ id, log }: ShownLog, field: ColumnField, zone: TimeZone): string {
  const value = field === 'id' ? id : log[field];
  if (value === undefined) return '';
  return field === 'time' ? formatTime(Number(value), zone) : String(value);
}
