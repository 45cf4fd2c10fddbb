import { toUtf8, utf8Start } from '../../records/index.ts';
import { type Case, readCase } from '../file/case.ts';
import { decompress } from './decompress.ts';
import { isBareFile, openEntries } from './entries.ts';
import { storedSource } from './evidence.ts';
import { type ByteSource, openRandomAccess, readFully, readStart } from './source.ts';

/** Location of a record in an original. */
interface Place {
  readonly file: string;
  readonly sha256: string;
  readonly entryNumber: number;
  readonly offset: number;
  readonly length: number;
  /** An encoding was assumed for the entry. */
  readonly isAssumed: boolean;
}

/**
 * Returns the text of the record that a log was read from, out of the stored original. Undefined if
 * the log does not exist, has no original, or the original is gone. Rejects with `FILE_UNREADABLE` if
 * its compressed copy is damaged.
 *
 * ```ts
 * const text = await readRaw(incident, 17); // the record as its file has it
 * ```
 */
export async function readRaw(from: Case, id: number): Promise<string | undefined> {
  const location = await readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT p.file, p.file_sha256, p.entry_number::DOUBLE, l.byte_offset::DOUBLE, l.byte_length::DOUBLE,
              contains(p.remarks, 'ASSUMED_ENCODING')
       FROM stored.logs l JOIN stored.parts p USING (part)
       WHERE l.id = $1 AND p.file_sha256 IS NOT NULL`,
      [id],
    );
    const [row] = result.getRowsJS();
    return row && toPlace(row);
  });
  return location && readPlace(from, location);
}

function toPlace([file, sha256, entryNumber, offset, length, isAssumed]: readonly unknown[]): Place {
  return {
    file: String(file),
    sha256: String(sha256),
    entryNumber: Number(entryNumber),
    offset: Number(offset),
    length: Number(length),
    isAssumed: isAssumed === true,
  };
}

async function readPlace(from: Case, location: Place): Promise<string | undefined> {
  const source = storedSource(from, location.sha256);
  if (!source) return undefined;
  const isBare = !location.isAssumed && (await isBareFile(source));
  const start = isBare ? utf8Start(await readStart(source, 3)) : undefined;
  return start === undefined
    ? await readInEntry(source, location)
    : await readAt(source, start + location.offset, location.length);
}

/** Returns the text of a byte range of a file; of an altered case, the part of it that the file has. */
async function readAt(source: ByteSource, offset: number, length: number): Promise<string> {
  await using access = await openRandomAccess(source);
  const from = Math.max(0, Math.min(offset, access.length));
  const bytes = await readFully(access.read, from, Math.max(0, Math.min(length, access.length - from)));
  return newDecoder().decode(bytes);
}

async function readInEntry(
  source: ByteSource,
  { file, entryNumber, offset, length }: Place,
): Promise<string | undefined> {
  const opened = await openEntries(file, source);
  try {
    const entry = opened.entries.find(({ number }) => number === entryNumber);
    return entry && (await slice(toUtf8(decompress(entry.read())), offset, length));
  } finally {
    opened.close();
  }
}

/** Returns the text of a byte range of a stream. */
async function slice(chunks: AsyncIterable<Uint8Array>, offset: number, length: number): Promise<string> {
  const decoder = newDecoder();
  let text = '';
  let before = 0;
  for await (const chunk of chunks) {
    const from = Math.max(0, offset - before);
    const to = offset + length - before;
    if (from < chunk.length) text += decoder.decode(chunk.subarray(from, to), { stream: true });
    before += chunk.length;
    if (to <= chunk.length) break;
  }
  return text + decoder.decode();
}

function newDecoder() {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
