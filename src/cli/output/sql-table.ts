import type { SqlResult } from '../../case/index.ts';
import { type JsonValue, type TimeZone, utcZone } from '../../records/index.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';
import type { Cell, Rows } from './output-format.ts';
import { type Column, formatTable } from './table.ts';

const numeric =
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|(Nullable\()?(U?Int|Float|Decimal)\d*.*)$/;

/** Types of columns with a time in UTC. */
const instant = /^TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?$/;

/** Rows of a result of SQL for every output format. Tables for people have times in a zone, all others in UTC. */
export function sqlRows(
  items: AsyncIterable<readonly JsonValue[]>,
  columns: SqlResult['columns'],
  zone: TimeZone = utcZone,
): Rows<readonly JsonValue[]> {
  return {
    items,
    columns: toColumns(columns, zone),
    shown: toShownRow(columns, zone),
    names: columns.map(({ name }) => name),
    cells: (row) => row.map(toCell),
  };
}

/** Formats a whole result of SQL as a table. */
export function sqlTable(
  { columns, rows }: Pick<SqlResult, 'columns' | 'rows'>,
  face: OutputStyle,
  zone: TimeZone = utcZone,
): string[] {
  return formatTable(toColumns(columns, zone), rows.map(toShownRow(columns, zone)), face);
}

function toColumns(columns: SqlResult['columns'], zone: TimeZone): readonly Column[] {
  return columns.map(({ name, type }) => ({
    name: isShifted(type, zone) ? timeHeading(name, zone) : name,
    align: numeric.test(type) ? 'right' : 'left',
  }));
}

function toShownRow(columns: SqlResult['columns'], zone: TimeZone) {
  const shifted = columns.map(({ type }) => isShifted(type, zone));
  return (row: readonly JsonValue[]): readonly string[] =>
    row.map((value, index) => {
      if (value === null) return 'NULL';
      return shifted[index] ? timeIn(zone, sqlText(value)) : sqlText(value);
    });
}

function isShifted(type: string, { name }: TimeZone): boolean {
  return name !== utcZone.name && instant.test(type);
}

/** A time of the database in a zone, with its offset; as it is beyond the years of `Date`. */
function timeIn(zone: TimeZone, text: string): string {
  const [, date, clock] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/.exec(text) ?? [];
  return date === undefined ? text : formatTime(Date.parse(`${date}T${clock}Z`), zone);
}

/** Formats a value: lists and structures as JSON, NULL as empty. */
function sqlText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? toJson(value) : String(value);
}

/** Keeps numbers as numbers, also long ones written as text: CSV escapes texts that begin with a minus. */
function toCell(value: JsonValue): Cell {
  if (typeof value === 'number') return value;
  const text = sqlText(value);
  return /^-\d{16,39}$/.test(text) ? BigInt(text) : text;
}
