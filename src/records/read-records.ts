import { csvReader } from './csv.ts';
import { jsonReader } from './json.ts';
import { ndjsonReader } from './ndjson.ts';
import { detectNonLogFormat, type NonLogFormat } from './non-log-file.ts';
import {
  maxRawLength,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  type UnreadableCode,
  unreadableRecord,
} from './record.ts';
import { type Format, sniffFormat, sniffLength } from './sniff.ts';
import { upgradeReader } from './upgrade-messages.ts';
import { toUtf8, withFullStart } from './utf8.ts';
import { xmlReader } from './xml.ts';
import { utcClocks } from './zone.ts';

/** Format of an entry, and its records in order as they arrive. */
export interface RecordStream {
  readonly format: Format;
  /** Batches: at most one for each chunk read. */
  readonly records: AsyncIterable<readonly ReadRecord[]>;
}

/**
 * An entry whose beginning was inspected. Its text can be read once. Unless it is read, the entry
 * stays open until disposal.
 */
export interface OpenText extends AsyncDisposable {
  readonly format: Format;
  /** For an unknown format: the format of a file that is certainly not a log, if detected. */
  readonly nonLogFormat: NonLogFormat | undefined;
  /** The whole text, in UTF-8 without a byte order mark, in pieces of at most 256 KiB. */
  readonly text: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Maximum bytes of a record, 4 MiB: bounds the memory for one record. No longer one was observed. */
export const longestRecord = 4 * 1024 * 1024;

/** Size of the pieces that chunks are split into, so that a caller may pass an entry as one chunk. */
const pieceLength = 256 * 1024;

/** Inspects the beginning of an entry, given as bytes. Rejects only if the chunks do. */
export async function openText(chunks: AsyncIterable<Uint8Array>): Promise<OpenText> {
  const all = withFullStart(toUtf8(chunks), sniffLength);
  const first = await all.next();
  const start = first.done ? new Uint8Array(0) : first.value;
  const close = async () => void (await all.return());
  const format = sniffFormat(start);
  const noLogFormat = format === 'unknown' ? detectNonLogFormat(start) : undefined;
  return { format, nonLogFormat: noLogFormat, text: inPieces(start, all), [Symbol.asyncDispose]: close };
}

async function* inPieces(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* piecesOf(start);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield* piecesOf(next.value);
  } finally {
    await rest.return?.();
  }
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < chunk.length; from += pieceLength) yield chunk.subarray(from, from + pieceLength);
}

/**
 * Reads an entry, given as bytes, in any supported format. Nothing is dropped: data that is not a
 * log yields an unreadable record, and an entry in no log format yields one for the whole.
 *
 * Defaults: records of at most 4 MiB, and UTC for times without a zone. Rejects only if the chunks
 * do.
 */
export async function readRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: Partial<ReaderOptions> = {},
): Promise<RecordStream> {
  const opened = await openText(chunks);
  return { format: opened.format, records: recordsOf(opened, options) };
}

/** Yields the records of an opened entry, as `readRecords` does. */
export async function* recordsOf(
  { format, text }: Pick<OpenText, 'format' | 'text'>,
  { maxLength = longestRecord, zone = utcClocks }: Partial<ReaderOptions> = {},
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const reader = readerFor(format, { maxLength, zone });
  for await (const piece of text) {
    const records = reader.push(piece);
    if (0 < records.length) yield records;
  }
  yield reader.end();
}

function readerFor(format: Format, options: ReaderOptions): RecordReader {
  switch (format) {
    case 'ndjson':
      return ndjsonReader(options);
    case 'json':
      return jsonReader(options);
    case 'csv':
      return csvReader(options);
    case 'empty':
      return { push: () => [], end: () => [] };
    case 'xml':
      return xmlReader(options);
    case 'upgrade':
      return upgradeReader(options);
    case 'html':
      return wholeReader(
        'NOT_LOGS',
        'The entry is a page of HTML: a server may have answered with it in place of logs',
      );
    case 'gzip':
    case 'zip':
      return wholeReader('NOT_LOGS', `The entry is a ${format} archive inside another`);
    case 'unknown':
      return wholeReader(
        'NOT_LOGS',
        'The entry is neither JSON nor CSV with a heading that names a time or a message, nor has it <Msg> records',
      );
  }
}

/** Creates a reader that returns the whole entry as one unreadable record. */
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
    end: () => [unreadableRecord(code, reason, { raw, position: { number: 1, offset: 0, length } })],
  };
}
