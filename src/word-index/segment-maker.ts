import { startProgram } from '../database/index.ts';
import { asciiWords } from '../language/index.ts';
import { indexedFields } from './indexed-fields.ts';
import { batchBits, batchIds, collectLengths, type LengthCollector } from './lengths.ts';
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

/** Collects the words of some logs as terms with postings. */
interface PostingCollector {
  /**
   * Adds the logs whose ids are `batch` without the last `batchBits` bits, in any order: UTF-8, of each its id in
   * digits and U+001F, then for each field its text and U+001F. A text that is not ASCII is U+0080 and its words
   * between single blanks, which are also around them. Batches must ascend. Throws a `RangeError` for another form.
   */
  readonly addLogs: (batch: number, texts: Uint8Array) => void;
  /** Returns the id of the last log; 0 without logs. */
  readonly lastId: () => number;
  /** Returns the bytes in memory. */
  readonly usedBytes: () => number;
  /** Ends the collecting; the collector takes no more logs. */
  readonly finish: () => CollectedTerms;
}

/** The terms of some logs. */
interface CollectedTerms {
  readonly logs: number;
  /** Id of the last log; 0 without logs. */
  readonly lastId: number;
  /** The terms of each field, which are written when they are asked for: those of a single one are in memory. */
  readonly fields: Iterable<NewField>;
}

/** Exports of `assembly/postings.ts`. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly setWords: (start: number, lastWord: number, longest: number) => void;
  readonly transitionsAt: () => number;
  readonly start: (fields: number, logs: number, seed: bigint) => void;
  readonly beginAt: (firstId: number) => void;
  readonly inputFor: (length: number) => number;
  readonly usedBytes: () => number;
  readonly addLogs: (batch: number, length: number) => number;
  readonly logsAdded: () => number;
  readonly lastAdded: () => number;
  readonly tokensOf: (field: number) => number;
  readonly lengthsOf: (field: number) => number;
  readonly sortTerms: (limit: number) => void;
  readonly writeTerms: (field: number, limit: number) => number;
  readonly sectionAddress: (section: number) => number;
  readonly sectionLength: (section: number) => number;
}

const exportedFunctions = [
  ...(['start', 'inputFor', 'usedBytes', 'addLogs', 'logsAdded', 'lastAdded', 'tokensOf'] as const),
  ...(['lengthsOf', 'beginAt'] as const),
  ...(['setWords', 'transitionsAt', 'sortTerms', 'writeTerms', 'sectionAddress', 'sectionLength'] as const),
];

/** Bytes of a section that are written at a time. */
const outputLength = 1 << 18;

/**
 * Starts to collect the words of some fields of about as many logs, whose ids begin at `firstId` or later. Ids in what it
 * makes are counted from there.
 */
export function startCollecting(fields: number, logs: number, firstId = 0): PostingCollector {
  const program = startProgram<Program>('postings', exportedFunctions);
  program.start(fields, Math.min(logs, 2 ** 30), crypto.getRandomValues(new BigInt64Array(1))[0] ?? 0n);
  const words = asciiWords();
  program.beginAt(firstId);
  new Uint8Array(program.memory.buffer).set(words.moves, program.transitionsAt());
  program.setWords(words.start, words.lastWord, words.longest);
  const lengths = Array.from({ length: fields }, () => collectLengths(firstId));
  return {
    lastId: () => program.lastAdded(),
    usedBytes: () => program.usedBytes(),
    addLogs: (batch, texts) => {
      const at = program.inputFor(texts.length);
      new Uint8Array(program.memory.buffer, at, texts.length).set(texts);
      if (program.addLogs(batch, texts.length) !== 0)
        throw new RangeError(`The ids of logs from ${batch << batchBits} on were altered`);
      for (const [field, each] of lengths.entries())
        each.add(batch, new Int32Array(program.memory.buffer, program.lengthsOf(field), batchIds));
    },
    finish: () => {
      program.sortTerms(outputLength);
      return {
        logs: program.logsAdded(),
        lastId: program.lastAdded(),
        fields: writeFields(program, lengths),
      };
    },
  };
}

function* writeFields(
  program: Program,
  lengths: readonly LengthCollector[],
): Generator<NewField, void, undefined> {
  for (const [field, collected] of lengths.entries()) yield writeField(program, field, collected);
}

/** Names of the sections of the program, by their numbers. */
const sections = ['blocks', 'pages', 'top', 'postings', 'positions'] as const;

function writeField(program: Program, field: number, collected: LengthCollector): NewField {
  const written: Record<(typeof sections)[number], Uint8Array[]> = {
    ...{ blocks: [], pages: [], top: [], postings: [], positions: [] },
  };
  for (let isLast = false; !isLast; ) {
    isLast = program.writeTerms(field, outputLength) === 0;
    for (const [number, name] of sections.entries()) {
      const [at, length] = [program.sectionAddress(number), program.sectionLength(number)];
      if (0 < length) written[name].push(new Uint8Array(program.memory.buffer, at, length).slice());
    }
  }
  const { lengths, documents } = collected.finish();
  return { tokens: program.tokensOf(field), documents, ...written, lengths: [lengths] };
}
