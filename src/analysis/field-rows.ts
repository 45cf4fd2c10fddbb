import { fieldSeparators } from '../case/index.ts';

/** A row of a block of fields. */
export interface FieldRow {
  /** Begin of each field in the block, and behind the last field the position at which another one would begin. */
  readonly starts: Int32Array;
}

/** More fields than any log has. */
const mostFields = 64;

/**
 * Calls a function for each row of a block of `streamGroupBlocks`. The row is one object, which
 * the next row overwrites: a million rows would be as many objects.
 */
export function forEachRow(block: Uint8Array, visit: (row: FieldRow) => void): void {
  const starts = new Int32Array(mostFields);
  const row = { starts };
  let fields = 0;
  for (let position = 0; position < block.length; position++) {
    const byte = block[position] ?? 0;
    if (fieldSeparators.field < byte) continue;
    if (byte !== fieldSeparators.field && byte !== fieldSeparators.row) continue;
    starts[++fields] = position + 1;
    if (byte === fieldSeparators.field) continue;
    visit(row);
    starts[0] = position + 1;
    fields = 0;
  }
}

/** The begin of a field. */
export function fieldStart({ starts }: FieldRow, field: number): number {
  return starts[field] ?? 0;
}

/** The end of a field, behind its last byte. */
export function fieldEnd({ starts }: FieldRow, field: number): number {
  return (starts[field + 1] ?? 1) - 1;
}

/** A field that holds a whole number in decimal digits; undefined where it is empty. */
export function integerIn(block: Uint8Array, row: FieldRow, field: number): number | undefined {
  const [start, end] = [fieldStart(row, field), fieldEnd(row, field)];
  if (start === end) return undefined;
  const isNegative = block[start] === 0x2d;
  let value = 0;
  for (let position = isNegative ? start + 1 : start; position < end; position++)
    value = value * 10 + (block[position] ?? 0) - 0x30;
  return isNegative ? -value : value;
}
