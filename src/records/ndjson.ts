import { linesOf, type Region, regionCutter, type TextLine } from './lines.ts';
import { readJsonRecord } from './read-json-record.ts';
import {
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLongRecord,
} from './record.ts';

/** Creates a reader of NDJSON: one JSON object per line. Blank lines are ignored. */
export function ndjsonReader(options: ReaderOptions): RecordReader {
  const cutter = regionCutter(options.maxLength);
  let count = 0;
  return { push: (chunk) => [...read(cutter.push(chunk))], end: () => [...read(cutter.end())] };

  function* read(regions: readonly Region[]): Generator<ReadRecord> {
    for (const region of regions) {
      for (const record of readRegion(region, { ...options, before: count })) {
        count++;
        yield record;
      }
    }
  }
}

/** Yields the records of an NDJSON region; `before` is the number of records preceding it. */
export function* readRegion(
  region: Region,
  { maxLength, zone, before }: ReaderOptions & { readonly before: number },
): Generator<ReadRecord, void, undefined> {
  let number = before;
  for (const line of linesOf(region, maxLength)) {
    if (!isFilled(line)) continue;
    const position: Position = { number: ++number, offset: line.offset, length: line.length };
    yield line.isCut
      ? tooLongRecord(line.text, position, maxLength)
      : readJsonRecord({ raw: line.text, position, zone });
  }
}

function isFilled(line: TextLine): boolean {
  return /\S/.test(line.text);
}
