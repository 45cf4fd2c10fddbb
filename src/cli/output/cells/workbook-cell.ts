import type { Cell } from 'write-excel-file/node';
import { escapeUnsafe } from '../../terminal/printable.ts';
import { disarmFormula } from '../csv.ts';

/** Maximum number of characters of a cell. */
const longest = 32_000;

/** A number; one that a spreadsheet has not is a text. */
export function numberCell(value: number): Cell {
  return Number.isFinite(value) ? { value, type: Number } : textCell(String(value));
}

/** A text cell. One that a spreadsheet could take for a formula has an apostrophe in front. */
export function textCell(text: string): Cell {
  return { value: disarmFormula(escapeUnsafe(text)).slice(0, longest), type: String };
}

/** A heading of a column. */
export function headCell(text: string): Cell {
  return { value: disarmFormula(escapeUnsafe(text)).slice(0, longest), type: String, fontWeight: 'bold' };
}
