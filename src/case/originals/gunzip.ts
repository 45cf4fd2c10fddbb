import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf } from '../../database/index.ts';
import { withFullStart } from '../../records/index.ts';
import { EntryProblem } from './entry-problem.ts';
import { chunkLength } from './source.ts';

/** Yields inflated bytes if the input is gzip, else the input unchanged. */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const all = withFullStart(chunks, 2);
  try {
    const { value: first } = await all.next();
    if (!first) return;
    if (first[0] === 0x1f && first[1] === 0x8b) yield* inflated(joined(first, all));
    else yield* joined(first, all);
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

async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = createGunzip({ chunkSize: chunkLength });
  pipeline(Readable.from(chunks), stream, () => undefined);
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    const message = `The gzip bytes are damaged: ${messageOf(error)}. Get them again, or load what "gzip -dc" still reads of them`;
    throw new EntryProblem('BAD_DATA', message, { cause: error });
  }
}
