import { isDeepStrictEqual } from 'node:util';
import { DOUBLE, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { ChunkWriter, RowWidth } from './chunk-writer.ts';
import { openPlainChunkWriter } from './plain-chunk-writer.ts';
import { openRawChunkWriter } from './raw-chunk-writer.ts';
import { type RowBatch, rowBatcher } from './row-batch.ts';
import { entryWords, maxInlineBytes } from './text-heap.ts';

/** Texts about the length from which they are not inlined; a row without one is the last. */
const samples = ['a', 'twelve bytes', 'thirteen byte', `ä\0😀${' and more'.repeat(100)}`, ''];

/** Opens a writer of chunks. */
type OpenWriter = (width: RowWidth) => ChunkWriter;

/**
 * Reports if the database lays out values as a writer of their memory does. Layouts are compared first:
 * reading texts of another one could end the process.
 */
export function isRawLayoutKnown(openRaw: OpenWriter = openRawChunkWriter): boolean {
  try {
    const expected = writeSamples(openPlainChunkWriter, layoutOf);
    const isAlike = isDeepStrictEqual(writeSamples(openRaw, layoutOf), expected);
    return (
      isAlike &&
      isDeepStrictEqual(writeSamples(openRaw, valuesOf), [
        samples.map((text, row) => (text === '' ? null : row)),
        samples.map((text) => text || null),
      ])
    );
  } catch {
    return false;
  }
}

/** Writes the samples to a chunk, and returns what is read from it. */
function writeSamples<R>(open: OpenWriter, read: (chunk: DuckDBDataChunk) => R): R {
  using writer = open({ numbers: 1, texts: 1 });
  const chunk = DuckDBDataChunk.create([DOUBLE, VARCHAR], samples.length);
  writer.setBatch(sampleBatch());
  writer.writeRows(chunk, { from: 0, rows: samples.length });
  return read(chunk);
}

function sampleBatch(): RowBatch {
  const batcher = rowBatcher({ numbers: 1, texts: 1 });
  for (const [row, text] of samples.entries()) {
    batcher.addRow();
    if (text !== '') batcher.setNumber(0, row);
    batcher.setText(0, batcher.addText(text));
  }
  return batcher.take();
}

function valuesOf(chunk: DuckDBDataChunk): unknown[][] {
  return [chunk.getColumnValues(0), chunk.getColumnValues(1)];
}

/** Returns the entries of the texts without their addresses. */
function layoutOf(chunk: DuckDBDataChunk): number[][] {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, 1);
  const bytes = duckdb.vector_get_data(vector, samples.length * entryWords * 4);
  return samples.slice(0, -1).map((text, row) => {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + row * entryWords * 4, entryWords);
    return [...(Buffer.byteLength(text) <= maxInlineBytes ? words : words.subarray(0, 2))];
  });
}
