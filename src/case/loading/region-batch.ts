import { isUtf8 } from 'node:buffer';
import { startProgram } from '../../database/index.ts';
import {
  aliasOf,
  findLineEnd,
  logFields,
  longestRecord,
  parseZone,
  type Region,
  readRegion,
  replacementCharacter,
  sliceRegion,
  utcClocks,
  type Zone,
} from '../../records/index.ts';
import { logBatchColumns } from '../rows/log-batch.ts';
import { type RecordBatch, recordBatcher } from '../rows/record-batch.ts';
import { isFullBatch, type RowBatch, type RowBatcher } from '../rows/row-batch.ts';
import { entryWords } from '../rows/text-heap.ts';
import { type RecordCounts, recordCounter } from './record-counter.ts';

/** A task to read a region of NDJSON, which can be sent to another thread. */
export interface RegionTask {
  readonly region: Region;
  /** Name of the zone of times that name none. Default: UTC. */
  readonly zone?: string;
  /** Skips the fast reader of plain lines. */
  readonly thorough?: boolean;
}

/** Records of a region. Their numbers count from 1. */
export interface RegionBatch extends RecordBatch {
  readonly counts: RecordCounts;
}

/** Answer of a thread: the records, and the memory of the region. */
export interface RegionAnswer {
  readonly batch: RegionBatch;
  readonly memory: ArrayBufferLike;
}

const replacement = Buffer.from(replacementCharacter);

/**
 * Reports if a text is valid UTF-8 without replacement characters. Those require remarks, which the
 * fast reader does not make.
 */
function isValidText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(replacement) < 0;
}

/** Creates a function that reads regions, and caches analysed texts. */
export function regionReader(): (task: RegionTask) => RegionBatch {
  const lines = plainLineBatcher();
  const batch = recordBatcher(lines);
  const zones = new Map<string, Zone>();
  return read;

  function read({ region, zone = 'UTC', thorough = false }: RegionTask): RegionBatch {
    const counter = recordCounter();
    const { bytes, offset } = region;
    const options = { maxLength: longestRecord, zone: zoneOf(zone) };
    const needsReference = thorough || options.zone.unit !== undefined || region.isCut || !isValidText(bytes);
    const isPlain = needsReference ? () => false : lines.isPlainAt;
    let records = 0;
    lines.setRegion(bytes);
    for (let at = 0; at < bytes.length; ) {
      if (isPlain(at)) at = addPlain(at);
      else at = addOthers(at);
    }
    return { ...batch.take(), counts: counter.counts() };

    function addPlain(from: number): number {
      const rows = lines.rowCount();
      const end = lines.readRows(from, { records, offset });
      records += lines.rowCount() - rows;
      counter.countLogs(lines.rowCount() - rows);
      return end;
    }

    /** Adds the records of lines up to the next plain one. */
    function addOthers(from: number): number {
      let end = from;
      do end = findLineEnd(bytes, end) + 1;
      while (end < bytes.length && !isPlain(end));
      for (const record of readRegion(sliceRegion(region, from, end - 1), { ...options, before: records })) {
        records++;
        counter.count(record);
        batch.add(record);
      }
      return end;
    }
  }

  /** A zone caches its results, so each has one instance. */
  function zoneOf(name: string): Zone {
    const zone = zones.get(name) ?? parseZone(name) ?? utcClocks;
    zones.set(name, zone);
    return zone;
  }
}

/**
 * A batcher of logs, as rows of `logBatchColumns`, that parses plain lines of NDJSON itself (the
 * program in `assembly/`). Its memory holds the logs of one region.
 */
interface PlainLineBatcher extends RowBatcher {
  /** Starts a region. Earlier rows must have been taken. */
  readonly setRegion: (bytes: Uint8Array) => void;
  /**
   * Adds a row for each line from an offset up to the first line that is not plain; returns the
   * offset of that line.
   */
  readonly readRows: (from: number, before: LinesOffset) => number;
  /** Reports if a plain line begins at an offset. */
  readonly isPlainAt: (from: number) => boolean;
  /** Returns the number of rows. */
  readonly rowCount: () => number;
}

/** Records and bytes before the lines of a region: `records` in the region, `offset` up to its first line. */
interface LinesOffset {
  readonly records: number;
  readonly offset: number;
}

/** Exports of the program: addresses are in its memory. */
interface Program {
  readonly memory: WebAssembly.Memory;
  readonly setRegion: (length: number) => void;
  readonly readRows: (from: number, records: number, offset: number, longest: number) => number;
  readonly isPlainLine: (from: number, longest: number) => number;
  readonly addRow: () => void;
  readonly setNumber: (column: number, value: number) => void;
  readonly setText: (column: number, code: number) => void;
  readonly reserveText: (length: number) => number;
  readonly addReservedText: (length: number) => number;
  readonly clearAll: () => void;
  readonly rowCount: () => number;
  readonly entryCount: () => number;
  readonly textsLength: () => number;
  readonly regionAt: () => number;
  readonly numbersAt: () => number;
  readonly codesAt: () => number;
  readonly entriesAt: () => number;
  readonly textsAt: () => number;
}

const exportedFunctions = [
  ...(['setRegion', 'readRows', 'isPlainLine', 'addRow', 'setNumber', 'setText'] as const),
  ...(['reserveText', 'addReservedText', 'clearAll', 'rowCount', 'entryCount', 'textsLength'] as const),
  ...(['regionAt', 'numbersAt', 'codesAt', 'entriesAt', 'textsAt'] as const),
];

/** Creates a batcher of plain lines, which caches the spelling of their keys. It takes some megabytes. */
export function plainLineBatcher(): PlainLineBatcher {
  const program = startProgram<Program>('plain-lines', exportedFunctions, {
    keys: { fieldOf },
    'write-json': { isPrintedAlike },
  });
  const { addRow, setNumber, setText, rowCount } = program;
  let view = Buffer.from(program.memory.buffer);
  return {
    setRegion,
    readRows,
    isPlainAt,
    rowCount,
    addRow,
    setNumber,
    addText,
    setText,
    isFull,
    take,
  };

  /** Returns the current memory: growth replaces it. */
  function memory(): Buffer {
    const { buffer } = program.memory;
    if (view.buffer !== buffer) view = Buffer.from(buffer);
    return view;
  }

  function setRegion(bytes: Uint8Array): void {
    program.setRegion(bytes.length);
    memory().set(bytes, program.regionAt());
  }

  function readRows(from: number, { records, offset }: LinesOffset): number {
    return program.readRows(from, records, offset, longestRecord);
  }

  function isPlainAt(from: number): boolean {
    return program.isPlainLine(from, longestRecord) !== 0;
  }

  function fieldOf(from = 0, to = 0): number {
    const alias = aliasOf(textBetween(from, to));
    return alias ? logFields.indexOf(alias.field) : -1;
  }

  function isPrintedAlike(from = 0, to = 0): number {
    const text = textBetween(from, to);
    return String(Number(text)) === text ? 1 : 0;
  }

  function textBetween(from: number, to: number): string {
    return memory().toString('utf8', from, to);
  }

  function addText(text: string): number {
    if (text === '') return 0;
    // A UTF-16 unit takes at most three bytes.
    const at = program.reserveText(text.length * 3);
    return program.addReservedText(memory().write(text, at));
  }

  function isFull(): boolean {
    return isFullBatch(program.rowCount(), program.textsLength());
  }

  function take(): RowBatch {
    const { buffer } = program.memory;
    const rows = program.rowCount();
    const [numbers, texts] = [rows * logBatchColumns.numbers.length, rows * logBatchColumns.texts.length];
    const entries = program.entryCount() * entryWords;
    const batch = {
      rows,
      numbers: new Float64Array(buffer, program.numbersAt(), numbers).slice(),
      codes: new Int32Array(buffer, program.codesAt(), texts).slice(),
      texts: {
        entries: new Uint32Array(buffer, program.entriesAt(), entries).slice(),
        bytes: new Uint8Array(buffer, program.textsAt(), program.textsLength()).slice(),
      },
    };
    program.clearAll();
    return batch;
  }
}
