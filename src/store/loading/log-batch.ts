import { type ByteMap, byteMap, type Stretch } from '../../records/byte-map.ts';
import { textFields } from '../../records/log.ts';
import { type PlainLine, textWidth } from '../../records/plain-line.ts';
import type { LogRecord, Position } from '../../records/record.ts';
import { type RowBatch, rowBatcher } from './row-batch.ts';
import type { NumberColumn } from './row-writer.ts';
import { asciiTokens, isAscii, toTokens } from './tokens.ts';

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
  readonly take: () => RowBatch;
}

/** The numbers of a text and of its tokens among the texts of a batch. */
type Codes = readonly [text: number, tokens: number];

/** Longer texts hardly come again within a batch. UTF-16 units, or bytes. */
const longestRepeated = 200;

/** Places for the texts of a region that come again: they are some thousands. */
const repeatedPlaces = 16_384;

/** A batcher of logs, which get their ids from `renumberLogs`. */
export function logBatcher(): LogBatcher {
  const width = { numbers: logColumns.numbers.length, texts: logColumns.texts.length };
  const batch = rowBatcher(width);
  const tokens = asciiTokens();
  /** The numbers of the texts of this batch that may come again, and of their tokens. */
  let codes = new Map<string, Codes>();
  /** The same of plain lines: a text has the number that its bytes have here, its tokens the one that follows from that. */
  let codesOfBytes: ByteMap | undefined;
  let bytesOfCodes: Buffer | undefined;
  let tokensOf = new Int32Array(1_024);
  return { add, addPlain, isFull: batch.isFull, take };

  function add({ log, extra, position }: NewLog): void {
    batch.addRow();
    addPosition(position);
    setNumbers(log.time, log.logCode, log.elapsed);
    if (extra) batch.setText(0, batch.addText(JSON.stringify(extra)));
    let column = 1;
    for (const field of textFields) {
      const value = log[field];
      if (value !== undefined) {
        const [text, tokens] = codesOf(value);
        batch.setText(column, text);
        batch.setText(column + 1, tokens);
      }
      column += 2;
    }
  }

  function addPosition({ number, offset, length }: NewLog['position']): void {
    batch.setNumber(1, number);
    if (offset !== undefined) batch.setNumber(2, offset);
    if (length !== undefined) batch.setNumber(3, length);
  }

  function setNumbers(time = Number.NaN, logCode = Number.NaN, elapsed = Number.NaN): void {
    batch.setNumber(4, time);
    batch.setNumber(5, logCode);
    batch.setNumber(6, elapsed);
  }

  function addPlain(bytes: Buffer, { numbers, texts }: PlainLine, position: Position): void {
    batch.addRow();
    addPosition(position);
    setNumbers(numbers[0], numbers[1], numbers[2]);
    const known = textsOf(bytes);
    for (let at = 0, column = 1; at < texts.length; at += textWidth, column += 2) {
      const from = texts[at] ?? 0;
      const to = texts[at + 1] ?? 0;
      if (from === to) continue;
      const stretch = { from, to, hash: texts[at + 2] ?? 0 };
      const found = known.get(bytes, stretch);
      const code = found < 0 ? addStretch(known, bytes, stretch) : found;
      batch.setText(column, code);
      batch.setText(column + 1, tokensOf[code] ?? 0);
    }
  }

  /** The texts of these bytes that are known. */
  function textsOf(bytes: Buffer): ByteMap {
    codesOfBytes ??= byteMap(repeatedPlaces);
    if (bytes !== bytesOfCodes) codesOfBytes.begin(bytes);
    bytesOfCodes = bytes;
    return codesOfBytes;
  }

  function addStretch(known: ByteMap, bytes: Buffer, stretch: Stretch): number {
    const { from, to } = stretch;
    const [text, tokens] = isAscii(bytes, from, to)
      ? addAscii(bytes, from, to)
      : addText(bytes.toString('utf8', from, to));
    if (tokensOf.length <= text) tokensOf = enlarged(tokensOf, text + 1);
    tokensOf[text] = tokens;
    if (to - from <= longestRepeated) known.add(text, stretch);
    return text;
  }

  function addAscii(bytes: Buffer, from: number, to: number): Codes {
    const text = batch.addAscii(bytes, from, to);
    const length = tokens.write(bytes, from, to);
    return [text, batch.addAscii(tokens.bytes(), 0, length)];
  }

  function codesOf(value: string): Codes {
    if (longestRepeated < value.length) return addText(value);
    const known = codes.get(value);
    if (known) return known;
    const added = addText(value);
    codes.set(value, added);
    return added;
  }

  function addText(value: string): Codes {
    return [batch.addText(value), batch.addText(toTokens(value))];
  }

  function take(): RowBatch {
    codes = new Map();
    bytesOfCodes = undefined;
    return batch.take();
  }
}

function enlarged(numbers: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(length, numbers.length * 2));
  larger.set(numbers);
  return larger;
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
