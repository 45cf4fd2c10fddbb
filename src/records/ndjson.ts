import { type Line, linesOf, type Region, regionCutter } from './lines.ts';
import { readText } from './read-text.ts';
import { type Position, type ReaderOptions, type ReadRecord, type RecordReader, tooLong } from './record.ts';

/** A reader of NDJSON: one JSON object a line. Blank lines are no records. */
export function ndjsonReader(options: ReaderOptions): RecordReader {
  const cutter = regionCutter(options.maxLength);
  let count = 0;
  return { push: (chunk) => read(cutter.push(chunk)), end: () => read(cutter.end()) };

  function read(regions: readonly Region[]): ReadRecord[] {
    return regions.flatMap((region) => {
      const records = readRegion(region, { ...options, before: count });
      count += records.length;
      return records;
    });
  }
}

/** The records of a region of NDJSON, before which there were so many. */
export function readRegion(
  region: Region,
  { maxLength, zone, before }: ReaderOptions & { readonly before: number },
): ReadRecord[] {
  const lines = linesOf(region, maxLength).filter(isFilled);
  return lines.map((line, index) => {
    const position: Position = { number: before + index + 1, offset: line.offset, length: line.length };
    return line.isCut
      ? tooLong(line.text, position, maxLength)
      : readText({ raw: line.text, position, zone });
  });
}

function isFilled(line: Line): boolean {
  return /\S/.test(line.text);
}
