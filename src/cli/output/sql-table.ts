import type { JsonValue, SqlResult } from '../../store/index.ts';
import { toJson } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';
import type { Cell } from './csv.ts';
import type { Rows } from './output-format.ts';
import { type Column, formatTable } from './table.ts';

const numeric =
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|(Nullable\()?(U?Int|Float|Decimal)\d*.*)$/;

/** Rows of a result of SQL for every output format. */
export function sqlRows(
  items: AsyncIterable<readonly JsonValue[]>,
  columns: SqlResult['columns'],
): Rows<readonly JsonValue[]> {
  return {
    items,
    columns: toColumns(columns),
    shown: toShownRow,
    names: columns.map(({ name }) => name),
    cells: (row) => row.map(toCell),
  };
}

/** Formats a whole result of SQL as a table. */
export function sqlTable({ columns, rows }: Pick<SqlResult, 'columns' | 'rows'>, face: Face): string[] {
  return formatTable(toColumns(columns), rows.map(toShownRow), face);
}

function toColumns(columns: SqlResult['columns']): readonly Column[] {
  return columns.map(({ name, type }) => ({ name, align: numeric.test(type) ? 'right' : 'left' }));
}

function toShownRow(row: readonly JsonValue[]): readonly string[] {
  return row.map((value) => (value === null ? 'NULL' : sqlText(value)));
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
