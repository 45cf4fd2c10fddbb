import { startProgram } from '../../database/index.ts';
import { aliasOf, logFields, longestRecord } from '../../records/index.ts';
import { logBatchColumns } from '../rows/log-batch.ts';
import { isFullBatch, type RowBatch, type RowBatcher } from '../rows/row-batch.ts';
import { entryWords } from '../rows/text-heap.ts';

/**
 * A batcher of logs, as rows of `logBatchColumns`, that parses plain lines of NDJSON itself (the
 * program in `assembly/`). Its memory holds the logs of one region.
 */
export interface PlainLineBatcher extends RowBatcher {
  /** Starts a region. Earlier rows must have been taken. */
  readonly setRegion: (bytes: Uint8Array) => void;
  /**
   * Adds a row for each line from an offset up to the first line that is not plain; returns the
   * offset of that line.
   */
  readonly readRows: (from: number, before: LinesOffset) => number;
  /** Reports if a plain line begins at an offset. */
  readonly isPlainAt: (from: number) => boolean;
  /** Returns the number of rows. */
  readonly rowCount: () => number;
}

/** Records and bytes before the lines of a region: `records` in the region, `offset` up to its first line. */
export interface LinesOffset {
  readonly records: number;
  readonly offset: number;
}

/** Exports of the program: addresses are in its memory. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly setRegion: (length: number) => void;
  readonly readRows: (from: number, records: number, offset: number, longest: number) => number;
  readonly isPlainLine: (from: number, longest: number) => number;
  readonly addRow: () => void;
  readonly setNumber: (column: number, value: number) => void;
  readonly setText: (column: number, code: number) => void;
  readonly reserveText: (length: number) => number;
  readonly addReservedText: (length: number) => number;
  readonly clearAll: () => void;
  readonly rowCount: () => number;
  readonly entryCount: () => number;
  readonly textsLength: () => number;
  readonly regionAt: () => number;
  readonly numbersAt: () => number;
  readonly codesAt: () => number;
  readonly entriesAt: () => number;
  readonly textsAt: () => number;
}

const exportedFunctions = [
  ...(['setRegion', 'readRows', 'isPlainLine', 'addRow', 'setNumber', 'setText'] as const),
  ...(['reserveText', 'addReservedText', 'clearAll', 'rowCount', 'entryCount', 'textsLength'] as const),
  ...(['regionAt', 'numbersAt', 'codesAt', 'entriesAt', 'textsAt'] as const),
];

/** Creates a batcher of plain lines, which caches the spelling of their keys. It takes some megabytes. */
export function plainLineBatcher(): PlainLineBatcher {
  const program = startProgram<Program>('plain-lines', exportedFunctions, {
    keys: { fieldOf },
    'write-json': { isPrintedAlike },
  });
  const { addRow, setNumber, setText, rowCount } = program;
  let view = Buffer.from(program.memory.buffer);
  return {
    setRegion,
    readRows,
    isPlainAt,
    rowCount,
    addRow,
    setNumber,
    addText,
    setText,
    isFull,
    take,
  };

  /** Returns the current memory: growth replaces it. */
  function memory(): Buffer {
    const { buffer } = program.memory;
    if (view.buffer !== buffer) view = Buffer.from(buffer);
    return view;
  }

  function setRegion(bytes: Uint8Array): void {
    program.setRegion(bytes.length);
    memory().set(bytes, program.regionAt());
  }

  function readRows(from: number, { records, offset }: LinesOffset): number {
    return program.readRows(from, records, offset, longestRecord);
  }

  function isPlainAt(from: number): boolean {
    return program.isPlainLine(from, longestRecord) !== 0;
  }

  function fieldOf(from = 0, to = 0): number {
    const alias = aliasOf(textBetween(from, to));
    return alias ? logFields.indexOf(alias.field) : -1;
  }

  function isPrintedAlike(from = 0, to = 0): number {
    const text = textBetween(from, to);
    return String(Number(text)) === text ? 1 : 0;
  }

  function textBetween(from: number, to: number): string {
    return memory().toString('utf8', from, to);
  }

  function addText(text: string): number {
    if (text === '') return 0;
    // A UTF-16 unit takes at most three bytes.
    const at = program.reserveText(text.length * 3);
    return program.addReservedText(memory().write(text, at));
  }

  function isFull(): boolean {
    return isFullBatch(program.rowCount(), program.textsLength());
  }

  function take(): RowBatch {
    const { buffer } = program.memory;
    const rows = program.rowCount();
    const [numbers, texts] = [rows * logBatchColumns.numbers.length, rows * logBatchColumns.texts.length];
    const entries = program.entryCount() * entryWords;
    const batch = {
      rows,
      numbers: new Float64Array(buffer, program.numbersAt(), numbers).slice(),
      codes: new Int32Array(buffer, program.codesAt(), texts).slice(),
      texts: {
        entries: new Uint32Array(buffer, program.entriesAt(), entries).slice(),
        bytes: new Uint8Array(buffer, program.textsAt(), program.textsLength()).slice(),
      },
    };
    program.clearAll();
    return batch;
  }
}
