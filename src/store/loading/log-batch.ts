import { type ByteMap, byteMap, type Stretch } from '../../records/byte-map.ts';
import { type TextField, textFields } from '../../records/log.ts';
import type { PlainLine } from '../../records/plain-line.ts';
import type { LogRecord, Position } from '../../records/record.ts';
import { type RowBatch, rowBatcher } from './row-batch.ts';
import type { NumberColumn } from './row-writer.ts';
import { tokenizer } from './tokens.ts';

/** A log on its way into the case. One that has no original has only a number for a position. */
export interface NewLog extends Pick<LogRecord, 'kind' | 'log' | 'extra'> {
  readonly position: Pick<Position, 'number'> & Partial<Position>;
}

/** The columns of a batch of logs, in its order. */
export const logColumns: {
  readonly numbers: readonly NumberColumn[];
  readonly texts: readonly string[];
} = {
  numbers: [
    { name: 'id', type: 'BIGINT' },
    { name: 'position', type: 'INTEGER' },
    { name: 'byte_offset', type: 'BIGINT' },
    { name: 'byte_length', type: 'INTEGER' },
    { name: 'time', type: 'milliseconds' },
    { name: 'logCode', type: 'BIGINT' },
    { name: 'elapsed', type: 'DOUBLE' },
  ],
  texts: ['extra', ...textFields.flatMap((field) => [field, `${field}_tokens`])],
};

/** Makes logs into batches. */
export interface LogBatcher {
  readonly add: (log: NewLog) => void;
  /** Adds a log of a plain line, whose bytes must stay as they are until the batch is taken. */
  readonly addPlain: (bytes: Buffer, line: PlainLine, position: Position) => void;
  readonly isFull: () => boolean;
  /** What was added since the last call. The logs have no ids yet. */
  readonly take: (separator: string) => RowBatch;
}

/** The numbers of a text and of its tokens among the pieces of a batch. */
type Codes = readonly [text: number, tokens: number];

/** Longer texts hardly come again within a batch, and take time to be looked up. UTF-16 units, or bytes. */
const longestRepeated = 200;

/** Places for the texts of a region that come again: they are some thousands. */
const repeatedPlaces = 16_384;

/** A batcher of logs, which get their ids from `renumberLogs`. */
export function logBatcher(): LogBatcher {
  const width = { numbers: logColumns.numbers.length, texts: logColumns.texts.length };
  const batch = rowBatcher(width);
  const toTokens = tokenizer();
  /** The numbers of the texts of this batch that may come again, and of their tokens. */
  let codes = new Map<string, Codes>();
  /** The same of plain lines, by their bytes. */
  let codesOfBytes: ByteMap<Codes> | undefined;
  return { add, addPlain, isFull: batch.isFull, take };

  function add({ log, extra, position }: NewLog): void {
    const { number, offset, length } = position;
    batch.addRow([0, number, offset, length, log.time, log.logCode, log.elapsed]);
    if (extra) batch.setText(0, batch.addPiece(JSON.stringify(extra)));
    let column = 1;
    for (const field of textFields) {
      const value = log[field];
      if (value !== undefined) {
        const [text, tokens] = codesOf(field, value);
        batch.setText(column, text);
        batch.setText(column + 1, tokens);
      }
      column += 2;
    }
  }

  function addPlain(
    bytes: Buffer,
    { numbers, texts }: PlainLine,
    { number, offset, length }: Position,
  ): void {
    batch.addRow([0, number, offset, length, numbers[0], numbers[1], numbers[2]]);
    codesOfBytes ??= byteMap(repeatedPlaces);
    for (let place = 0; place < textFields.length; place++) {
      const from = texts[2 * place] ?? 0;
      const to = texts[2 * place + 1] ?? 0;
      if (from === to) continue;
      const codes = codesOfBytes.get(bytes, from, to) ?? addText(place, bytes, { from, to });
      batch.setText(1 + 2 * place, codes[0]);
      batch.setText(2 + 2 * place, codes[1]);
    }
  }

  function addText(place: number, bytes: Buffer, { from, to }: Omit<Stretch, 'bytes'>): Codes {
    const codes = addPieces(textFields[place] ?? 'msg', bytes.toString('utf8', from, to));
    if (to - from <= longestRepeated) codesOfBytes?.add(codes, { bytes, from, to });
    return codes;
  }

  function codesOf(field: TextField, value: string): Codes {
    if (longestRepeated < value.length) return addPieces(field, value);
    const known = codes.get(value);
    if (known) return known;
    const added = addPieces(field, value);
    codes.set(value, added);
    return added;
  }

  function addPieces(field: TextField, value: string): Codes {
    return [batch.addPiece(value), batch.addPiece(toTokens(field, value))];
  }

  function take(separator: string): RowBatch {
    codes = new Map();
    codesOfBytes?.clear();
    return batch.take(separator);
  }
}

/** Gives the logs of a batch ids in their order, and moves their positions on. */
export function renumberLogs(
  { rows, numbers }: RowBatch,
  { firstId, before }: { readonly firstId: number; readonly before: number },
): void {
  const width = logColumns.numbers.length;
  for (let row = 0; row < rows; row++) {
    numbers[row * width] = firstId + row;
    numbers[row * width + 1] = (numbers[row * width + 1] ?? 0) + before;
  }
}
