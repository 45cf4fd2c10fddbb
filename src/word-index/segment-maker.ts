import { startProgram } from '../database/index.ts';
import { asciiWords, type Field, toLengthByte } from '../language/index.ts';
import type { LogField } from '../records/index.ts';
import { ByteWriter } from './bytes.ts';
import { chunkBits, chunkIds } from './postings.ts';

/** A range of log ids. */
export interface IdRange {
  readonly firstId: number;
  readonly lastId: number;
}

/** The texts of the logs whose ids are `batch` without the last `batchBits` bits. */
export interface TextBatch {
  readonly batch: number;
  readonly texts: Uint8Array;
}

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
  const wordAutomaton = asciiWords();
  program.beginAt(firstId);
  new Uint8Array(program.memory.buffer).set(wordAutomaton.moves, program.transitionsAt());
  program.setWords(wordAutomaton.start, wordAutomaton.lastWord, wordAutomaton.longest);
  const lengths = Array.from({ length: fields }, () => collectLengths(firstId));
  return {
    lastId: () => program.lastAdded(),
    usedBytes: () => program.usedBytes(),
    addLogs: (batch, texts) => {
      const at = program.inputFor(texts.length);
      new Uint8Array(program.memory.buffer, at, texts.length).set(texts);
      if (program.addLogs(batch, texts.length) !== 0)
        throw new RangeError(`The ids of logs from ${batch << batchBits} on were altered`);
      for (const [field, collector] of lengths.entries())
        collector.add(batch, new Int32Array(program.memory.buffer, program.lengthsOf(field), batchIds));
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
  const sectionBytes: Record<(typeof sections)[number], Uint8Array[]> = {
    blocks: [],
    pages: [],
    top: [],
    postings: [],
    positions: [],
  };
  for (let isLast = false; !isLast; ) {
    isLast = program.writeTerms(field, outputLength) === 0;
    for (const [number, name] of sections.entries()) {
      const [at, length] = [program.sectionAddress(number), program.sectionLength(number)];
      if (0 < length) sectionBytes[name].push(new Uint8Array(program.memory.buffer, at, length).slice());
    }
  }
  const { lengths, documents } = collected.finish();
  return { tokens: program.tokensOf(field), documents, ...sectionBytes, lengths: [lengths] };
}

/** Sections of a field in the pages of a segment, in their order. */
export const sectionNames = ['pages', 'blocks', 'postings', 'positions', 'lengths'] as const;

export type SectionName = (typeof sectionNames)[number];

/** The terms of a field as `assembly/postings.ts` writes them, with the lengths of the field: sections in pieces. */
export interface NewField extends Readonly<Record<SectionName | 'top', readonly Uint8Array[]>> {
  readonly tokens: number;
  /** Logs with a token. */
  readonly documents: number;
}

/** Facts of a field in the head of a segment: with the lengths of its sections in bytes. */
export interface FieldFacts extends Readonly<Record<SectionName, number>> {
  readonly tokens: number;
  readonly documents: number;
  readonly top: Uint8Array;
}

/** Returns what the head of a segment says of a field. */
function factsOf({ tokens, documents, top, ...sections }: NewField): FieldFacts {
  const { pages, blocks, postings, positions, lengths } = sections;
  return {
    tokens,
    documents,
    top: Buffer.concat(top),
    pages: bytesOf(pages),
    blocks: bytesOf(blocks),
    postings: bytesOf(postings),
    positions: bytesOf(positions),
    lengths: bytesOf(lengths),
  };
}

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Yields the sections of fields in their order, and names each field before. */
function* piecesOf(
  fields: Iterable<NewField>,
  onField: (field: NewField) => void,
): Generator<Uint8Array, void, undefined> {
  for (const field of fields) {
    onField(field);
    for (const name of sectionNames) yield* field[name];
  }
}

/**
 * The fields whose tokens are indexed: all texts, and the code, whose digits are its only token. A field is stored by
 * its index in this list, so a change of it is a new format of segments.
 */
export const indexedFields = [
  'msg',
  'source',
  'className',
  'username',
  'stackTraces',
  'serviceTypes',
  'logLevel',
  'requestID',
  'methodName',
  'machine',
  'process',
  'thread',
  'logCode',
] as const satisfies readonly LogField[];

const names: readonly string[] = indexedFields;

/** Returns the number of a field in the index; undefined if its tokens are not indexed. */
export function fieldNumber({ name, type }: Field): number | undefined {
  const number = type === (name === 'logCode' ? 'integer' : 'text') ? names.indexOf(name) : -1;
  return number === -1 ? undefined : number;
}

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

/**
 * The length of a field in each log, as the byte that the relevance takes of it; 0 without a token. In chunks of 4,096
 * ids, as postings are: first two bytes for each chunk, 0 and the length that all its logs share, or 1 and 0; then
 * the bytes of the others.
 */
export const [sharedLength, ownLengths] = [0, 1];

/** Bytes for each chunk at the start of the lengths. */
export const headBytes = 2;

/** Bits of the id that the logs of a batch differ in. */
export const batchBits = 9;

/** Ids of a batch. */
const batchIds = 1 << batchBits;

/** The lengths of a field in some logs, and the number of those with a token. */
interface CollectedLengths {
  readonly lengths: Uint8Array;
  readonly documents: number;
}

/** Collects the lengths of a field. */
interface LengthCollector {
  /** Adds the lengths of the logs of a batch by the last bits of their ids. Batches must ascend. */
  readonly add: (batch: number, tokens: Int32Array) => void;
  readonly finish: () => CollectedLengths;
}

/** Starts to collect the lengths of a field, from the chunk of an id on. */
export function collectLengths(firstId: number): LengthCollector {
  const [head, others] = [new ByteWriter(), new ByteWriter()];
  const lengths = new Uint8Array(chunkIds);
  let [chunk, documents] = [firstId >>> chunkBits, 0];
  const endChunk = () => {
    const first = lengths[0] ?? 0;
    if (lengths.every((length) => length === first)) head.bytes(Uint8Array.of(sharedLength, first));
    else {
      head.bytes(Uint8Array.of(ownLengths, 0));
      others.bytes(lengths);
    }
    lengths.fill(0);
    chunk++;
  };
  return {
    add: (batch, tokens) => {
      const from = batch << batchBits;
      while (chunk < from >>> chunkBits) endChunk();
      // Of all logs and fields: iterators take several times as long.
      for (let index = 0; index < tokens.length; index++) {
        const count = tokens[index] ?? 0;
        if (count === 0) continue;
        lengths[(from % chunkIds) + index] = toLengthByte(count);
        documents++;
      }
    },
    finish: () => {
      endChunk();
      head.bytes(others.view());
      return { lengths: head.view(), documents };
    },
  };
}
