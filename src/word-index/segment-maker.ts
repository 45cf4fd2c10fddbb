import { indexedFields } from './indexed-fields.ts';
import { startCollecting } from './posting-collector.ts';
import { type FieldFacts, factsOf, type NewField, piecesOf } from './segment-sections.ts';
import type { IdRange } from './text-blocks.ts';
import type { TextBatch } from './text-sink.ts';

/** Logs to make a segment of. */
export interface SegmentOrder extends IdRange {
  /** Bytes in memory at which the segment ends, even if there are more logs. */
  readonly maxBytes: number;
}

/** Facts of a segment whose pages are written. */
export interface SegmentFacts {
  readonly logs: number;
  /** Id of the last log; 0 without logs. */
  readonly lastId: number;
  readonly fields: readonly FieldFacts[];
}

/** Bytes that follow each other in the pages of a segment; facts with the last ones. */
export interface WrittenBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly facts?: SegmentFacts;
}

/** Result of adding batches: the id of the last log so far, and the batches that a full segment does not take. */
export interface AddedTexts {
  readonly lastId: number;
  readonly left: readonly TextBatch[];
}

/** Makes a segment. The same logs give the same bytes. */
export interface SegmentMaker {
  /** Adds batches until the segment is full. Throws a `RangeError` if the ids of logs were altered. */
  readonly add: (batches: readonly TextBatch[]) => AddedTexts;
  /** Fills memory with the next bytes of the pages; the last time with fewer. It takes no more logs. */
  readonly write: (memory: ArrayBuffer) => WrittenBytes;
}

/** Starts to make a segment in the calling thread. */
export function segmentMaker({ firstId, lastId, maxBytes }: SegmentOrder): SegmentMaker {
  const collector = startCollecting(indexedFields.length, lastId - firstId + 1, firstId);
  let isFull = false;
  let write: SegmentMaker['write'] | undefined;
  return {
    add: (batches) => {
      let added = 0;
      for (const { batch, texts } of batches) {
        if (isFull) break;
        collector.addLogs(batch, texts);
        isFull = maxBytes <= collector.usedBytes();
        added++;
      }
      return { lastId: collector.lastId(), left: batches.slice(added) };
    },
    write: (memory) => {
      write ??= segmentWriter(collector.finish());
      return write(memory);
    },
  };
}

/** Writes the sections of all fields, one behind the other. */
function segmentWriter({
  fields,
  ...logs
}: {
  readonly logs: number;
  readonly lastId: number;
  readonly fields: Iterable<NewField>;
}): SegmentMaker['write'] {
  const facts: FieldFacts[] = [];
  const pieces = piecesOf(fields, (field) => facts.push(factsOf(field)));
  let piece: Uint8Array = new Uint8Array();
  return (memory) => {
    const bytes = new Uint8Array(memory);
    for (let filled = 0; ; ) {
      const part = piece.subarray(0, bytes.length - filled);
      bytes.set(part, filled);
      piece = piece.subarray(part.length);
      filled += part.length;
      if (filled === bytes.length) return { bytes };
      const next = pieces.next();
      if (next.done) return { bytes: bytes.subarray(0, filled), facts: { ...logs, fields: facts } };
      piece = next.value;
    }
  };
}
