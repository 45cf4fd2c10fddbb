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
 * A batcher of logs, as rows of `logColumns`, that finds them in plain lines of
 * NDJSON itself (the program in `assembly/`). Its memory has room for the logs
 * of one region.
 */
export interface PlainLines extends RowBatcher {
  /** Begins with the bytes of a region. What was added before must have been taken. */
  readonly begin: (bytes: Uint8Array) => void;
  /** Adds a row for each line from a place on, up to the first line that is not plain; gives the place where that begins. */
  readonly read: (from: number, before: Before) => number;
  /** Whether a plain line begins at a place. */
  readonly isPlain: (from: number) => boolean;
  /** How many rows there are. */
  readonly rows: () => number;
}

/** What stands before the lines of a region: so many records of it, and so many bytes before its first line. */
export interface Before {
  readonly records: number;
  readonly offset: number;
}

/** What the program offers: addresses are of its memory, `…At` gives those of its parts. */
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

/** A batcher of plain lines, which remembers how their keys are spelt. It takes some megabytes. */
export function plainLines(): PlainLines {
  const program = startProgram<Program>('plain-lines', offered, { keys: { fieldOf }, texts: { addOther } });
  const { addRow, setNumber, setText, rows } = program;
  let view = Buffer.from(program.memory.buffer);
  const words = asciiWords();
  memory().set(words.moves, program.movesAt());
  program.setWords(words.start, words.lastWord, words.longest);
  return { begin, read, isPlain, rows, addRow, setNumber, addText, setText, isFull, take };

  /** The memory as it is now: where it had to grow, it is another. */
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
    // A unit of UTF-16 comes to three bytes at most.
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
