import { startProgram } from './program.ts';
import type { RowBatch } from './row-batch.ts';
import { entryWords } from './text-heap.ts';

/** Makes the rows of batches into columns, as vectors of DuckDB have them. */
export interface Columns {
  /** Begins with a batch, whose texts the database holds from an address on. */
  readonly begin: (batch: RowBatch, address: bigint) => void;
  /** The values of a column of numbers: DOUBLEs. */
  readonly takeNumbers: (column: Stretch) => Values;
  /** The values of a column of texts: `duckdb_string_t`s. */
  readonly takeTexts: (column: Stretch) => Values;
}

/** Where the values of a column are in a batch: the first, how far the next one of each is, and how many there are. */
export interface Stretch {
  readonly first: number;
  readonly step: number;
  readonly rows: number;
}

/** Values, one after the other, and where a bit for each says whether it is there. Good until others are taken. */
export interface Values {
  readonly memory: ArrayBuffer;
  readonly at: number;
  /** Undefined where all of them are there. */
  readonly validityAt: number | undefined;
}

/** What the program in `assembly/columns.ts` offers: addresses are of its memory. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly begin: (texts: number, numbers: number, codes: number) => void;
  readonly setAddresses: (address: bigint, length: bigint) => number;
  readonly takeNumbers: (first: number, step: number, rows: number) => number;
  readonly takeTexts: (first: number, step: number, rows: number) => number;
  readonly valuesAt: () => number;
  readonly validityAt: () => number;
  readonly entriesAt: () => number;
  readonly numbersAt: () => number;
  readonly codesAt: () => number;
}

const offered = [
  ...(['begin', 'setAddresses', 'takeNumbers', 'takeTexts'] as const),
  ...(['valuesAt', 'validityAt', 'entriesAt', 'numbersAt', 'codesAt'] as const),
];

/** What `takeNumbers` and `takeTexts` give where every row has a value, and where one names a text that is not there. */
const whole = 1;
const wrong = -1;

/**
 * Columns of one batch after the other. What does not fit together is refused:
 * the database would read what an address points to.
 */
export function openColumns(): Columns {
  const program = startProgram<Program>('columns', offered);
  return {
    begin,
    takeNumbers: ({ first, step, rows }) => valuesOf(program.takeNumbers(first, step, rows)),
    takeTexts: ({ first, step, rows }) => valuesOf(program.takeTexts(first, step, rows)),
  };

  function begin({ numbers, codes, texts: { entries, bytes } }: RowBatch, address: bigint): void {
    program.begin(entries.length / entryWords, numbers.length, codes.length);
    const { buffer } = program.memory;
    new Uint32Array(buffer, program.entriesAt(), entries.length).set(entries);
    new Float64Array(buffer, program.numbersAt(), numbers.length).set(numbers);
    new Int32Array(buffer, program.codesAt(), codes.length).set(codes);
    if (program.setAddresses(address, BigInt(bytes.length)) === 0)
      throw new Error('A text of a batch is not among its bytes');
  }

  function valuesOf(result: number): Values {
    if (result === wrong) throw new Error('A row of a batch names a text that it does not have');
    const validityAt = result === whole ? undefined : program.validityAt();
    return { memory: program.memory.buffer, at: program.valuesAt(), validityAt };
  }
}
