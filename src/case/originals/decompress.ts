import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { messageOf, temporaryPath } from '../../database/index.ts';
import { withFullStart } from '../../records/index.ts';
import { parquetLines } from '../rows/parquet.ts';
import { EntryProblem } from './entry-problem.ts';
import { chunkLength } from './source.ts';
import { workbookRows } from './workbook.ts';

type Inflate = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array, void, undefined>;

/** A format of compressed files, recognised by its first bytes. */
interface Compression {
  readonly name: string;
  readonly start: readonly number[];
  /** Yields inflated bytes. Throws an `EntryProblem`. Absent if the format is not read. */
  readonly inflate?: Inflate;
  /** Program that unpacks it. */
  readonly unpack: string;
  /** It may be a table, which is read within compressed bytes, too. */
  readonly isTable?: true;
}

/** The first bytes are from the specifications, as `file` recognises them. */
const compressions: readonly Compression[] = [
  { name: 'gzip', start: [0x1f, 0x8b], inflate: inflateGzip, unpack: 'gzip -dc' },
  { name: 'Zstandard (zstd)', start: [0x28, 0xb5, 0x2f, 0xfd], inflate: inflateZstd, unpack: 'zstd -d' },
  { name: 'Parquet', start: [0x50, 0x41, 0x52, 0x31], inflate: parquetText, unpack: '', isTable: true },
  { name: 'zip', start: [0x50, 0x4b, 3, 4], inflate: workbookText, unpack: 'unzip', isTable: true },
  { name: 'bzip2', start: [0x42, 0x5a, 0x68], unpack: 'bunzip2' },
  { name: 'xz', start: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unpack: 'xz -d' },
  { name: '7z', start: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], unpack: '7z x' },
  { name: 'RAR', start: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], unpack: 'unrar x' },
  { name: 'LZ4', start: [0x04, 0x22, 0x4d, 0x18], unpack: 'lz4 -d' },
  { name: 'compress (.Z)', start: [0x1f, 0x9d], unpack: 'uncompress' },
  { name: 'lzma', start: [0x5d, 0x00, 0x00], unpack: 'xz -d --format=lzma' },
  { name: 'lzip', start: [0x4c, 0x5a, 0x49, 0x50], unpack: 'lzip -d' },
  { name: 'cabinet (.cab)', start: [0x4d, 0x53, 0x43, 0x46], unpack: 'cabextract' },
];

/** Other formats that are recognised and not read, by their first bytes, and how their logs become a file that is. */
const otherFormats: readonly { readonly name: string; readonly start: string; readonly advice: string }[] = [
  { name: 'SQLite', start: 'SQLite format 3', advice: 'write its table as CSV' },
  {
    name: 'the Windows event log (.evtx)',
    start: 'ElfFile\0',
    advice: 'write it as CSV or JSON, for instance with Get-WinEvent',
  },
  {
    name: 'the systemd journal',
    start: 'LPKSHHRH',
    advice: 'write it with "journalctl --file FILE -o json"',
  },
  { name: 'a network capture (pcap)', start: '\xd4\xc3\xb2\xa1', advice: 'it has no logs' },
  { name: 'a network capture (pcapng)', start: '\x0a\x0d\x0d\x0a', advice: 'it has no logs' },
  { name: 'a heap dump of Java', start: 'JAVA PROFILE 1.0', advice: 'it has no logs' },
  { name: 'a program (ELF)', start: '\x7fELF', advice: 'it has no logs' },
  { name: 'Avro', start: 'Obj\x01', advice: 'write it as NDJSON' },
  { name: 'ORC', start: 'ORC', advice: 'write it as NDJSON or CSV' },
];

function otherFormatOf(start: Uint8Array) {
  return otherFormats.find(
    (format) => Buffer.from(start.subarray(0, format.start.length)).toString('latin1') === format.start,
  );
}

/** Bytes that recognise a format. */
const startLength = 16;

function compressionOf(start: Uint8Array): Compression | undefined {
  return compressions.find((compression) => compression.start.every((byte, at) => start[at] === byte));
}

/** Reports if a file is compressed or in a known format of bytes, by its first bytes, whether it is read or not. */
export function isCompressed(start: Uint8Array): boolean {
  return compressionOf(start) !== undefined || otherFormatOf(start) !== undefined;
}

/** Reports if the format of a compressed file is read. */
export function canDecompress(start: Uint8Array): boolean {
  return compressionOf(start)?.inflate !== undefined;
}

/** Receives the names of the formats that bytes are in, the outermost first. */
type OnFormat = (name: string) => void;

/**
 * Yields inflated bytes if the input is compressed, else the input unchanged. A Parquet file and a workbook become
 * text, also within gzip or Zstandard. Throws an `EntryProblem` that names the format if it is known and not read.
 */
export function decompress(
  chunks: AsyncIterable<Uint8Array>,
  onFormat?: OnFormat,
): AsyncGenerator<Uint8Array, void, undefined> {
  return opened(chunks, ({ isTable, inflate, name }, bytes) => {
    onFormat?.(name);
    return isTable ? inflate(bytes) : tableWithin(bytes, inflate, onFormat);
  });
}

/** Inflates bytes, and what they are if that is a table; another archive within stays as it is. */
function tableWithin(
  chunks: AsyncIterable<Uint8Array>,
  outer: Inflate,
  onFormat: OnFormat | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let stored = 0;
  const counted = tapped(chunks, (length) => {
    stored += length;
  });
  return opened(outer(counted), ({ isTable, inflate, name }, bytes) => {
    if (!isTable) return bytes;
    onFormat?.(name);
    let inflated = 0;
    return inflate(
      tapped(bytes, (length) => {
        inflated += length;
        if (mostSpooled < inflated && mostRatio * stored < inflated)
          throw new EntryProblem(
            'BAD_DATA',
            `The ${name} bytes within inflate to more than ${mostRatio} times what is compressed, as no table does`,
          );
      }),
    );
  });
}

/** A compressed table goes to a temporary file: bytes up to which any ratio is allowed, and the ratio. */
const [mostSpooled, mostRatio] = [128 * 1024 * 1024, 200];

async function* tapped(
  chunks: AsyncIterable<Uint8Array>,
  onLength: (length: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    onLength(chunk.length);
    yield chunk;
  }
}

/** Yields what `read` makes of bytes in a format that is read, and others unchanged. */
async function* opened(
  chunks: AsyncIterable<Uint8Array>,
  read: (
    compression: Compression & { readonly inflate: Inflate },
    bytes: AsyncIterable<Uint8Array>,
  ) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const all = withFullStart(chunks, startLength);
  try {
    const { value: first } = await all.next();
    if (!first) return;
    const compression = compressionOf(first);
    const other = otherFormatOf(first);
    if (other)
      throw new EntryProblem(
        'NOT_LOGS',
        `The file is in the format of ${other.name}, which is not read: ${other.advice}`,
      );
    if (!compression) yield* joined(first, all);
    else if (compression.inflate)
      yield* read({ ...compression, inflate: compression.inflate }, joined(first, all));
    else
      throw new EntryProblem(
        'BAD_METHOD',
        `The file is compressed by ${compression.name}, which is not read: unpack it first, for instance with "${compression.unpack}", and import what is in it`,
      );
  } finally {
    // A consumer of only the first chunk has not requested the rest, which is still open.
    await all.return();
  }
}

async function* joined(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* rest;
}

function inflateGzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  return transformed(chunks, zlib.createGunzip({ chunkSize: chunkLength }), (error) => {
    const message = `The gzip bytes are damaged: ${messageOf(error)}. Get them again, or load what "gzip -dc" still reads of them`;
    return new EntryProblem('BAD_DATA', message, { cause: error });
  });
}

function zstdProblem(error: unknown): EntryProblem {
  const message = `The Zstandard bytes are damaged, or need more memory than is given: ${messageOf(error)}. Unpack them with "zstd -d --long=31"`;
  return new EntryProblem('BAD_DATA', message, { cause: error });
}

/** Bytes that are inflated at a time: four of a bomb are a block of 128 KiB. */
const pieceLength = 2 * 1024;

/**
 * Inflates by a library: Node has Zstandard from version 22.15 on only, and ends without a word behind the first
 * frame of several. The library does not check the checksum.
 */
async function* inflateZstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const { Decompress } = await import('fzstd');
  let inflated: Uint8Array[] = [];
  let isWhole = false;
  const stream = new Decompress((bytes, isLast) => {
    inflated.push(bytes.slice());
    isWhole = isLast === true;
  });
  const push = (piece: Uint8Array, isLast: boolean): readonly Uint8Array[] => {
    inflated = [];
    try {
      stream.push(piece, isLast);
    } catch (error) {
      throw zstdProblem(error);
    }
    return inflated;
  };
  for await (const chunk of chunks)
    for (let from = 0; from < chunk.length; from += pieceLength)
      yield* push(chunk.subarray(from, from + pieceLength), false);
  yield* push(new Uint8Array(0), true);
  if (!isWhole) throw zstdProblem('they break off');
}

/** Rows of a Parquet file, as lines of JSON. */
async function* parquetText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  await using file = await spooled(chunks);
  try {
    yield* encoded(parquetLines(file.path));
  } catch (error) {
    throw new EntryProblem('BAD_DATA', `The Parquet file is damaged: ${messageOf(error)}`, { cause: error });
  }
}

/** The sheet of a workbook as CSV; the bytes of another zip as they are. */
async function* workbookText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  await using file = await spooled(chunks);
  let isWorkbook = false;
  for await (const bytes of encoded(workbookRows(file.path))) {
    isWorkbook = true;
    yield bytes;
  }
  if (!isWorkbook) yield* createReadStream(file.path, { highWaterMark: chunkLength });
}

/** Writes bytes to a temporary file, for readers that need all of them. */
async function spooled(
  chunks: AsyncIterable<Uint8Array>,
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await temporaryPath();
  const remove = () => rm(path, { force: true });
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, chunks, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}

/** Joins texts to pieces of bytes. */
async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < chunkLength) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

async function* transformed(
  chunks: AsyncIterable<Uint8Array>,
  stream: Transform,
  toProblem: (error: unknown) => EntryProblem,
): AsyncGenerator<Uint8Array, void, undefined> {
  pipeline(Readable.from(chunks), stream, () => undefined);
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^Z(STD)?_/.test(code)) throw error;
    throw toProblem(error);
  }
}
