import { startProgram } from '../../database/index.ts';
import type { RowBatch } from './row-batch.ts';
import { entryWords } from './text-heap.ts';

/** Converts batches of rows to columns in the vector layout of DuckDB. */
export interface Columns {
  /** Sets the current batch, whose texts the database holds at an address. */
  readonly setBatch: (batch: RowBatch, address: bigint) => void;
  /** Returns the values of a numeric column: DOUBLEs. */
  readonly takeNumbers: (column: ColumnLayout) => ColumnValues;
  /** Returns the values of a text column: `duckdb_string_t`s. */
  readonly takeTexts: (column: ColumnLayout) => ColumnValues;
}

/**
 * Location of a column in the values of a batch: index of its first value, step to the next, and
 * number of rows.
 */
export interface ColumnLayout {
  readonly first: number;
  readonly step: number;
  readonly rows: number;
}

/** Consecutive values, and the address of their validity bits. Valid until the next column is taken. */
export interface ColumnValues {
  readonly memory: ArrayBuffer;
  readonly at: number;
  /** Undefined if no value is NULL. */
  readonly validityAt: number | undefined;
}

/** Exports of `assembly/columns.ts`: addresses are in its memory. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly layOutBatch: (texts: number, numbers: number, codes: number) => void;
  readonly setAddresses: (address: bigint, length: bigint) => number;
  readonly takeNumbers: (first: number, step: number, rows: number) => number;
  readonly takeTexts: (first: number, step: number, rows: number) => number;
  readonly valuesAt: () => number;
  readonly validityAt: () => number;
  readonly entriesAt: () => number;
  readonly numbersAt: () => number;
  readonly codesAt: () => number;
}

const exportedFunctions = [
  ...(['layOutBatch', 'setAddresses', 'takeNumbers', 'takeTexts'] as const),
  ...(['valuesAt', 'validityAt', 'entriesAt', 'numbersAt', 'codesAt'] as const),
];

/**
 * Results of `takeNumbers` and `takeTexts`: every row has a value; a row names a text that does not
 * exist.
 */
const allValid = 1;
const invalidCode = -1;

/**
 * Opens a converter of successive batches. It refuses inconsistent batches: the database would read
 * arbitrary addresses.
 */
export function openColumns(): Columns {
  const program = startProgram<Program>('columns', exportedFunctions);
  return {
    setBatch,
    takeNumbers: ({ first, step, rows }) => valuesOf(program.takeNumbers(first, step, rows)),
    takeTexts: ({ first, step, rows }) => valuesOf(program.takeTexts(first, step, rows)),
  };

  function setBatch({ numbers, codes, texts: { entries, bytes } }: RowBatch, address: bigint): void {
    program.layOutBatch(entries.length / entryWords, numbers.length, codes.length);
    const { buffer } = program.memory;
    new Uint32Array(buffer, program.entriesAt(), entries.length).set(entries);
    new Float64Array(buffer, program.numbersAt(), numbers.length).set(numbers);
    new Int32Array(buffer, program.codesAt(), codes.length).set(codes);
    if (program.setAddresses(address, BigInt(bytes.length)) === 0)
      throw new Error('A text of a batch lies outside its bytes');
  }

  function valuesOf(result: number): ColumnValues {
    if (result === invalidCode) throw new Error('A row of a batch refers to a text that does not exist');
    const validityAt = result === allValid ? undefined : program.validityAt();
    return { memory: program.memory.buffer, at: program.valuesAt(), validityAt };
  }
}
