import { expect } from 'vitest';
import type { ReadRecord } from '../../src/records/log.ts';
import { readRecords } from '../../src/records/read-records.ts';

const encoder = new TextEncoder();

/** The bytes of a text, or the bytes given. */
export function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content;
}

/** Bytes that arrive in chunks of a length. */
export async function* inChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.slice(from, from + length);
}

/** Reads an entry that arrives in chunks of a length. */
export async function readAll(
  content: string | Uint8Array,
  { chunkLength = 1 << 20, maxLength }: { chunkLength?: number; maxLength?: number } = {},
): Promise<{ format: string; records: ReadRecord[] }> {
  const chunks = inChunks(toBytes(content), chunkLength);
  const stream = await readRecords(chunks, maxLength === undefined ? {} : { maxLength });
  const records: ReadRecord[] = [];
  for await (const batch of stream.records) records.push(...batch);
  return { format: stream.format, records };
}

/** One line for each record: the message of a log, or the code of what is wrong, and the text when it matters. */
function shown(record: ReadRecord): string {
  return record.kind === 'log'
    ? (record.log.msg ?? `at ${record.log.time}`)
    : `${record.code}: ${record.raw}`;
}

/**
 * Checks what an entry is read as, whatever the chunks it arrives in, and that
 * every record stands where it says.
 */
export async function checkReading(
  content: string,
  format: string,
  expected: readonly string[],
): Promise<void> {
  const bytes = toBytes(content);
  for (const chunkLength of [1 << 20, 7, 1]) {
    const read = await readAll(bytes, { chunkLength });
    expect({ chunkLength, format: read.format, records: read.records.map(shown) }).toEqual({
      chunkLength,
      format,
      records: expected,
    });
    for (const [at, { raw, position }] of read.records.entries()) {
      expect(position.number).toBe(at + 1);
      const there = bytes.subarray(position.offset, position.offset + position.length);
      expect(new TextDecoder().decode(there)).toBe(raw);
    }
  }
}
