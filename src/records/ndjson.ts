import { type Line, lineCutter } from './lines.ts';
import { readText } from './read-text.ts';
import { type Position, type ReaderOptions, type ReadRecord, type RecordReader, tooLong } from './record.ts';

/** A reader of NDJSON: one JSON object a line. Blank lines are no records. */
export function ndjsonReader({ maxLength, zone }: ReaderOptions): RecordReader {
  const cutter = lineCutter(maxLength);
  let count = 0;
  const read = (lines: readonly Line[]) => lines.filter(isFilled).map((line) => readLine(line, ++count));
  return { push: (chunk) => read(cutter.push(chunk)), end: () => read(cutter.end()) };

  function readLine(line: Line, number: number): ReadRecord {
    const position: Position = { number, offset: line.offset, length: line.length };
    return line.isCut
      ? tooLong(line.text, position, maxLength)
      : readText({ raw: line.text, position, zone });
  }
}

function isFilled(line: Line): boolean {
  return /\S/.test(line.text);
}
