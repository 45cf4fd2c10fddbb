import { csvReader } from './csv.ts';
import { jsonReader } from './json.ts';
import { ndjsonReader } from './ndjson.ts';
import {
  maxRawLength,
  type ReadRecord,
  type RecordReader,
  type UnreadableCode,
  unreadable,
} from './record.ts';
import { type Format, sniff, sniffLength } from './sniff.ts';
import { toUtf8, withFullStart } from './utf8.ts';

/** What an entry holds: its format, and its records in their order as they arrive. */
export interface RecordStream {
  readonly format: Format;
  /** Comes in batches, one or none for each chunk that is read. */
  readonly records: AsyncIterable<readonly ReadRecord[]>;
}

/** How records are read. */
export interface ReadOptions {
  /** The longest record that is read, in bytes; 4 MiB by default. A longer one is unreadable. */
  readonly maxLength?: number;
}

/** Longer records than this were never seen; the limit bounds the memory that one record can take. */
const defaultMaxLength = 4 * 1024 * 1024;

/** Chunks are read in pieces of this size, so that a caller may give an entry as one chunk. */
const pieceLength = 256 * 1024;

/**
 * Reads an entry, given as its bytes, whatever format it is in. Nothing of it
 * is dropped: what is no log comes as an unreadable record, and an entry in no
 * format that logs come in is one unreadable record as a whole.
 *
 * Rejects only when the chunks do.
 */
export async function readRecords(
  chunks: AsyncIterable<Uint8Array>,
  { maxLength = defaultMaxLength }: ReadOptions = {},
): Promise<RecordStream> {
  const text = withFullStart(toUtf8(chunks), sniffLength)[Symbol.asyncIterator]();
  const first = await text.next();
  const start = first.done ? new Uint8Array(0) : first.value;
  const format = sniff(start);
  return { format, records: readAll(readerFor(format, maxLength), start, text) };
}

async function* readAll(
  reader: RecordReader,
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array, void>,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  try {
    yield* readPieces(reader, start);
    for (let next = await rest.next(); !next.done; next = await rest.next())
      yield* readPieces(reader, next.value);
    yield reader.end();
  } finally {
    await rest.return?.();
  }
}

function* readPieces(
  reader: RecordReader,
  chunk: Uint8Array,
): Generator<readonly ReadRecord[], void, undefined> {
  for (let from = 0; from < chunk.length; from += pieceLength) {
    const records = reader.push(chunk.subarray(from, from + pieceLength));
    if (0 < records.length) yield records;
  }
}

function readerFor(format: Format, maxLength: number): RecordReader {
  switch (format) {
    case 'ndjson':
      return ndjsonReader(maxLength);
    case 'json':
      return jsonReader(maxLength);
    case 'csv':
      return csvReader(maxLength);
    case 'empty':
      return { push: () => [], end: () => [] };
    case 'xml':
      return wholeReader('NOT_YET', 'The entry is XML, which this version does not read');
    case 'html':
      return wholeReader(
        'NOT_LOGS',
        'The entry is a page of HTML: a server may have answered with it in place of logs',
      );
    case 'gzip':
    case 'zip':
      return wholeReader('NOT_LOGS', `The entry is a ${format} archive inside another`);
    case 'unknown':
      return wholeReader('NOT_LOGS', 'The entry is neither JSON nor CSV with a time or a message');
  }
}

/** A reader that gives the whole entry as one unreadable record. */
function wholeReader(code: UnreadableCode, reason: string): RecordReader {
  const decoder = new TextDecoder();
  let raw = '';
  let length = 0;
  return {
    push: (chunk) => {
      if (raw.length < maxRawLength) raw += decoder.decode(chunk, { stream: true });
      length += chunk.length;
      return [];
    },
    end: () => [unreadable(code, reason, { raw, position: { number: 1, offset: 0, length } })],
  };
}
