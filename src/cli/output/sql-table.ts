import type { SqlResult } from '../../store/index.ts';
import { toJson } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';
import { formatTable } from './table.ts';

const numeric = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/;

/** Formats the result of SQL as a table. */
export function sqlTable({ columns, rows }: Pick<SqlResult, 'columns' | 'rows'>, face: Face): string[] {
  const shown = columns.map(({ name, type }) => ({
    name,
    align: numeric.test(type) ? ('right' as const) : ('left' as const),
  }));
  const cells = rows.map((row) => row.map((value) => (value === null ? 'NULL' : sqlText(value))));
  return formatTable(shown, cells, face);
}

/** Formats a value: lists and structures as JSON, NULL as empty. */
export function sqlText(value: SqlResult['rows'][number][number]): string {
  if (value === null) return '';
  return typeof value === 'object' ? toJson(value) : String(value);
}
