import { csvReader } from './csv.ts';
import { jsonReader } from './json.ts';
import { ndjsonReader } from './ndjson.ts';
import { type NoLogFormat, noLogFormatOf } from './no-log-file.ts';
import {
  maxRawLength,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  type UnreadableCode,
  unreadable,
} from './record.ts';
import { type Format, sniff, sniffLength } from './sniff.ts';
import { upgradeReader } from './upgrade-messages.ts';
import { toUtf8, withFullStart } from './utf8.ts';
import { xmlReader } from './xml.ts';
import { utc } from './zone.ts';

/** What an entry holds: its format, and its records in their order as they arrive. */
export interface RecordStream {
  readonly format: Format;
  /** Comes in batches, one or none for each chunk that is read. */
  readonly records: AsyncIterable<readonly ReadRecord[]>;
}

/** An entry whose beginning was looked at. Its text is read once, or not at all: then the entry stays open until this is disposed of. */
export interface OpenText extends AsyncDisposable {
  readonly format: Format;
  /** Of an unknown format: that of a file that is plainly no log, where it is one. */
  readonly noLogFormat: NoLogFormat | undefined;
  /** All of it, in UTF-8 without a byte order mark, in pieces of at most 256 KiB. */
  readonly text: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Longer records than 4 MiB were never seen; the limit bounds the memory that one record can take. */
export const longestRecord = 4 * 1024 * 1024;

/** Chunks are read in pieces of this size, so that a caller may give an entry as one chunk. */
const pieceLength = 256 * 1024;

/** Looks at the beginning of an entry, given as its bytes. Rejects only when the chunks do. */
export async function openText(chunks: AsyncIterable<Uint8Array>): Promise<OpenText> {
  const all = withFullStart(toUtf8(chunks), sniffLength);
  const first = await all.next();
  const start = first.done ? new Uint8Array(0) : first.value;
  const close = async () => void (await all.return());
  const format = sniff(start);
  const noLogFormat = format === 'unknown' ? noLogFormatOf(start) : undefined;
  return { format, noLogFormat, text: inPieces(start, all), [Symbol.asyncDispose]: close };
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
 * Reads an entry, given as its bytes, whatever format it is in. Nothing of it
 * is dropped: what is no log comes as an unreadable record, and an entry in no
 * format that logs come in is one unreadable record as a whole.
 *
 * Records of up to 4 MiB are read, and times without a zone as UTC, unless
 * asked otherwise. Rejects only when the chunks do.
 */
export async function readRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: Partial<ReaderOptions> = {},
): Promise<RecordStream> {
  const opened = await openText(chunks);
  return { format: opened.format, records: recordsOf(opened, options) };
}

/** The records of an entry that was opened, as `readRecords` gives them. */
export async function* recordsOf(
  { format, text }: Pick<OpenText, 'format' | 'text'>,
  { maxLength = longestRecord, zone = utc }: Partial<ReaderOptions> = {},
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
