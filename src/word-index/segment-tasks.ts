import type { AddedTexts, WrittenBytes } from './segment-maker.ts';
import type { TextBatch } from './text-sink.ts';

/** A task of a thread that makes a segment; its memory is transferred. */
export type SegmentTask = { readonly batches: readonly TextBatch[] } | { readonly memory: ArrayBuffer };

/** The answer to a task. */
export type SegmentAnswer = { readonly added: AddedTexts } | { readonly written: WrittenBytes };

/** Returns the memory to transfer of batches: what others share is copied. */
export function memoryOf(batches: readonly TextBatch[]): readonly ArrayBuffer[] {
  return batches.flatMap(({ texts: { buffer, byteLength } }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
