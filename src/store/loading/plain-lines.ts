import { asciiWords } from '../../meaning/analyzer/ascii-words.ts';
import { aliasOf } from '../../records/aliases.ts';
import { logFields } from '../../records/log.ts';
import { longestRecord } from '../../records/read-records.ts';
import { logColumns } from '../rows/log-batch.ts';
import { startProgram } from '../rows/program.ts';
import { isFullBatch, type RowBatch, type RowBatcher } from '../rows/row-batch.ts';
import { entryWords } from '../rows/text-heap.ts';
import { toTokens } from '../rows/tokens.ts';

/**
 * A batcher of logs, as rows of `logBatchColumns`, that parses plain lines of NDJSON itself (the
 * program in `assembly/`). Its memory holds the logs of one region.
 */
export interface PlainLines extends RowBatcher {
  /** Starts a region. Earlier rows must have been taken. */
  readonly begin: (bytes: Uint8Array) => void;
  /**
   * Adds a row for each line from an offset up to the first line that is not plain; returns the
   * offset of that line.
   */
  readonly read: (from: number, before: Before) => number;
  /** Reports if a plain line begins at an offset. */
  readonly isPlain: (from: number) => boolean;
  /** Returns the number of rows. */
  readonly rows: () => number;
}

/** Records and bytes before the lines of a region: `records` in the region, `offset` up to its first line. */
export interface Before {
  readonly records: number;
  readonly offset: number;
}

/** Exports of the program: addresses are in its memory. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly setWords: (start: number, lastWord: number, longest: number) => void;
  readonly begin: (length: number) => void;
  readonly read: (from: number, records: number, offset: number, longest: number) => number;
  readonly isPlain: (from: number, longest: number) => number;
  readonly addRow: () => void;
  readonly setNumber: (column: number, value: number) => void;
  readonly setText: (column: number, code: number) => void;
  readonly setTokens: (code: number, tokens: number) => void;
  readonly reserve: (length: number) => number;
  readonly note: (length: number) => number;
  readonly clear: () => void;
  readonly rows: () => number;
  readonly textsAndNone: () => number;
  readonly textsLength: () => number;
  readonly movesAt: () => number;
  readonly regionAt: () => number;
  readonly numbersAt: () => number;
  readonly codesAt: () => number;
  readonly entriesAt: () => number;
  readonly textsAt: () => number;
}

const offered = [
  ...(['setWords', 'begin', 'read', 'isPlain', 'addRow', 'setNumber', 'setText', 'setTokens'] as const),
  ...(['reserve', 'note', 'clear', 'rows', 'textsAndNone', 'textsLength'] as const),
  ...(['movesAt', 'regionAt', 'numbersAt', 'codesAt', 'entriesAt', 'textsAt'] as const),
];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Creates a batcher of plain lines, which caches the spelling of their keys. It takes some megabytes. */
export function plainLines(): PlainLines {
  const program = startProgram<Program>('plain-lines', offered, { keys: { fieldOf }, texts: { addOther } });
  const { addRow, setNumber, setText, rows } = program;
  let view = Buffer.from(program.memory.buffer);
  const words = asciiWords();
  memory().set(words.moves, program.movesAt());
  program.setWords(words.start, words.lastWord, words.longest);
  return { begin, read, isPlain, rows, addRow, setNumber, addText, setText, isFull, take };

  /** Returns the current memory: growth replaces it. */
  function memory(): Buffer {
    const { buffer } = program.memory;
    if (view.buffer !== buffer) view = Buffer.from(buffer);
    return view;
  }

  function begin(bytes: Uint8Array): void {
    program.begin(bytes.length);
    memory().set(bytes, program.regionAt());
  }

  function read(from: number, { records, offset }: Before): number {
    return program.read(from, records, offset, longestRecord);
  }

  function isPlain(from: number): boolean {
    return program.isPlain(from, longestRecord) !== 0;
  }

  function fieldOf(from = 0, to = 0): number {
    const alias = aliasOf(textBetween(from, to));
    return alias ? logFields.indexOf(alias.field) : -1;
  }

  function addOther(from = 0, to = 0): number {
    const text = textBetween(from, to);
    const code = addText(text);
    program.setTokens(code, addText(toTokens(text)));
    return code;
  }

  function textBetween(from: number, to: number): string {
    return decoder.decode(memory().subarray(from, to));
  }

  function addText(text: string): number {
    if (text === '') return 0;
    // A UTF-16 unit takes at most three bytes.
    const at = program.reserve(text.length * 3);
    return program.note(memory().write(text, at));
  }

  function isFull(): boolean {
    return isFullBatch(program.rows(), program.textsLength());
  }

  function take(): RowBatch {
    const { buffer } = program.memory;
    const rows = program.rows();
    const [numbers, texts] = [rows * logColumns.numbers.length, rows * logColumns.texts.length];
    const entries = program.textsAndNone() * entryWords;
    const batch = {
      rows,
      numbers: new Float64Array(buffer, program.numbersAt(), numbers).slice(),
      codes: new Int32Array(buffer, program.codesAt(), texts).slice(),
      texts: {
        entries: new Uint32Array(buffer, program.entriesAt(), entries).slice(),
        bytes: new Uint8Array(buffer, program.textsAt(), program.textsLength()).slice(),
      },
    };
    program.clear();
    return batch;
  }
}
