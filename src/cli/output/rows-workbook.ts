import type { Cell as WorkbookCell } from 'write-excel-file/node';
import { UsageError } from '../command-line/usage-error.ts';
import { headCell, numberCell, textCell } from './cells/workbook-cell.ts';
import type { Cell } from './csv.ts';
import type { Rows } from './output-format.ts';

/** Most rows of a workbook, which is made in memory. */
export const mostWorkbookRows = 100_000;

/**
 * Writes rows as a workbook of one sheet with the columns of CSV. Whole numbers beyond 2^53 are texts, since a
 * spreadsheet would round them. Rejects with a `UsageError` for more rows than `mostWorkbookRows`.
 */
export async function rowsWorkbook<T>({ items, names, cells }: Rows<T>, sheet: string): Promise<Uint8Array> {
  const data: WorkbookCell[][] = [names.map(headCell)];
  for await (const item of items) {
    if (mostWorkbookRows < data.length)
      throw new UsageError(
        `A workbook holds at most ${mostWorkbookRows} rows: choose fewer, or another format`,
      );
    data.push(cells(item).map(toWorkbookCell));
  }
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return await writeXlsxFile([{ sheet, data, stickyRowsCount: 1 }]).toBuffer();
}

function toWorkbookCell(cell: Cell): WorkbookCell {
  if (cell === undefined) return null;
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  return typeof cell === 'number' ? numberCell(cell) : textCell(String(cell));
}
