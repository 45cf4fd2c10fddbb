import { fieldSeparators } from '../store/index.ts';

/** A row of a block of fields. */
export interface FieldRow {
  /** Begin of each field. */
  readonly starts: readonly number[];
  /** End of the last field. */
  readonly end: number;
}

/**
 * Calls a function for each row of a block of `streamFieldBlocks`. The row is one object, which the next row
 * overwrites: a million rows would be as many objects.
 */
export function forEachRow(block: Uint8Array, visit: (row: FieldRow) => void): void {
  const row = { starts: [0], end: 0 };
  for (let position = 0; position < block.length; position++) {
    const byte = block[position];
    if (byte === fieldSeparators.field) row.starts.push(position + 1);
    else if (byte === fieldSeparators.row) {
      row.end = position;
      visit(row);
      row.starts.length = 0;
      row.starts.push(position + 1);
    }
  }
}

/** Returns the begin and the end of a field. */
export function fieldRange({ starts, end }: FieldRow, field: number): readonly [from: number, to: number] {
  return [starts[field] ?? end, field + 1 < starts.length ? (starts[field + 1] ?? end) - 1 : end];
}

/** A whole number in decimal digits; undefined where there is none. */
export function decimalAt(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (start === end) return undefined;
  const isNegative = bytes[start] === 0x2d;
  let value = 0;
  for (let position = isNegative ? start + 1 : start; position < end; position++)
    value = value * 10 + (bytes[position] ?? 0) - 0x30;
  return isNegative ? -value : value;
}
