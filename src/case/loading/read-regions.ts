import { isUtf8 } from 'node:buffer';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { builtFile, messageOf, StoreError, startProgram } from '../../database/index.ts';
import {
  type Allocate,
  aliasOf,
  findLineEnd,
  isNestingKey,
  logFields,
  longestRecord,
  parseZone,
  type ReadRecord,
  type Region,
  readRegion,
  replacementCharacter,
  sliceRegion,
  type UnreadableRecord,
  utcClocks,
  type Zone,
} from '../../records/index.ts';
import type { RemarkCount } from '../file/parts.ts';
import {
  entryWords,
  isFullBatch,
  logBatchColumns,
  type RecordBatch,
  type RowBatch,
  type RowBatcher,
  recordBatcher,
} from '../rows/batches.ts';

/** Threads that read regions of NDJSON. */
export interface RegionThreads {
  /** Number of regions that keep the threads busy; more would only occupy memory. */
  readonly capacity: number;
  /** Allocates memory for a region. */
  readonly allocate: Allocate;
  /**
   * Reads a region, and transfers its memory to a thread. Rejects with `STORE_FAILED` if the thread
   * ends before it answers.
   */
  readonly read: (task: RegionTask) => Promise<RegionBatch>;
}

let reader: ReturnType<typeof regionReader> | undefined;

/** Reads regions in the calling thread. */
export const thisThread: RegionThreads = {
  capacity: 1,
  allocate: (length) => new Uint8Array(length),
  read: async (task) => {
    reader ??= regionReader();
    try {
      return reader(task);
    } catch (error) {
      // The partial batch of the failed region must not leak into the next one.
      reader = undefined;
      throw error;
    }
  },
};

/**
 * Default number of threads for a large file: one reads several times as fast as the database
 * writes. None on a single processor.
 */
const usualThreads = Math.min(1, availableParallelism() - 1);

/** Idle threads end after this time. Milliseconds. */
const idleTimeout = 2_000;

/** Few objects of a thread live long: an import takes equally long with 4 or 16. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** A thread, and the pending requests, oldest first. */
interface Thread {
  readonly worker: Worker;
  readonly waiting: { resolve(batch: RegionBatch): void; reject(error: unknown): void }[];
}

/** Running threads, shared by all imports of this process. */
let threads: Thread[] = [];

let requests = 0;

let idleTimer: NodeJS.Timeout | undefined;

/** Bytes of texts read since threads last ended. */
let bytesRead = 0;

/** Bytes from which starting threads pays: reading them takes longer than that. */
const worthwhileBytes = 16 * 1024 * 1024;

/** Logs shrink to about a tenth. Data that shrinks below this fraction of its text is not worth much work. */
const minCompression = 1 / 16;

/**
 * Returns threads for an entry of a file; undefined if reading without them is faster: the entry is
 * small, and little was read before. `text` is its inflated size if known, `file` the size of the
 * file, in bytes.
 */
export function threadsForEntry(
  { text, file }: { readonly text: number | undefined; readonly file: number },
  count?: number,
): RegionThreads | undefined {
  if (count !== undefined) return 0 < count ? regionThreads(count) : undefined;
  bytesRead += Math.min(text ?? Number.POSITIVE_INFINITY, file / minCompression);
  const pays = 0 < usualThreads && (0 < threads.length || worthwhileBytes <= bytesRead);
  return pays ? regionThreads(usualThreads) : undefined;
}

/** Reusable memory of read regions. New allocations each time would keep the garbage collector busy. */
let reusable: ArrayBuffer[] = [];

/** Regions slightly exceed their nominal length: the chunks of a text vary. */
const usualMemory = 2.5 * 1024 * 1024;

/** Maximum reusable blocks. */
const maxReusable = 8;

function allocate(length: number): Uint8Array {
  // The last region of a text may be short.
  if (length < usualMemory / 2 || usualMemory < length) return new Uint8Array(length);
  return new Uint8Array(reusable.pop() ?? new ArrayBuffer(usualMemory), 0, length);
}

function reuse(memory: ArrayBufferLike): void {
  const isUsual = memory instanceof ArrayBuffer && memory.byteLength === usualMemory;
  if (isUsual && reusable.length < maxReusable) reusable.push(memory);
}

/** Returns at most `count` threads. They start at the first request, and end by themselves. */
function regionThreads(count: number): RegionThreads {
  return { capacity: count + 2, allocate, read: (task) => request(task, count) };
}

function request(task: RegionTask, count: number): Promise<RegionBatch> {
  clearTimeout(idleTimer);
  while (threads.length < count) threads.push(start());
  const thread = threads[requests++ % count];
  if (!thread) throw new Error('A thread ended during a request');
  const answer = new Promise<RegionBatch>((resolve, reject) => thread.waiting.push({ resolve, reject }));
  thread.worker.ref();
  const { buffer } = task.region.bytes;
  thread.worker.postMessage(task, buffer instanceof ArrayBuffer ? [buffer] : []);
  return answer;
}

/** Starts a thread without the arguments of the process, which may include a program. */
function start(): Thread {
  const worker = new Worker(builtFile('region-worker.js', import.meta.url), { resourceLimits, execArgv: [] });
  // Only a busy thread keeps the process alive.
  worker.unref();
  const thread: Thread = { worker, waiting: [] };
  worker.on('message', ({ batch, memory }: RegionAnswer) => {
    reuse(memory);
    thread.waiting.shift()?.resolve(batch);
    if (thread.waiting.length === 0) release(thread);
  });
  worker.on('error', (error) => fail(thread, error));
  worker.on('exit', (code) => fail(thread, new Error(`it ended with ${code}`)));
  return thread;
}

/** Lets the process end. */
function release({ worker }: Thread): void {
  worker.unref();
  endWhenIdle();
}

/** Ends all threads after an idle time. */
function endWhenIdle(): void {
  clearTimeout(idleTimer);
  if (threads.every(({ waiting }) => waiting.length === 0))
    idleTimer = setTimeout(endAll, idleTimeout).unref();
}

function endAll(): void {
  bytesRead = 0;
  reusable = [];
  for (const { worker } of threads.splice(0)) void worker.terminate();
}

function fail(thread: Thread, cause: unknown): void {
  threads = threads.filter((other) => other !== thread);
  const message = `A thread that reads logs ended early: ${messageOf(cause)}`;
  for (const { reject } of thread.waiting.splice(0))
    reject(new StoreError('STORE_FAILED', message, { cause }));
  endWhenIdle();
}

/** A task to read a region of NDJSON, which can be sent to another thread. */
export interface RegionTask {
  readonly region: Region;
  /** Name of the zone of times that name none. Default: UTC. */
  readonly zone?: string;
  /** Skips the fast reader of plain lines. */
  readonly skipFastPath?: boolean;
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

  function read({ region, zone = 'UTC', skipFastPath = false }: RegionTask): RegionBatch {
    const counter = recordCounter();
    const { bytes, offset } = region;
    const options = { maxLength: longestRecord, zone: zoneOf(zone) };
    const needsReference =
      skipFastPath || options.zone.unit !== undefined || region.isCut || !isValidText(bytes);
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

/** Answers for keys without a field: the value is kept, or the line is left to the reference reader. */
const unknownKey = -1;
const otherReader = -2;

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
    const key = textBetween(from, to);
    const alias = aliasOf(key);
    if (alias) return key.includes('.') ? otherReader : logFields.indexOf(alias.field);
    // A field such as "process" is left to the other reader by its value, if that is an object.
    return isNestingKey(key) ? otherReader : unknownKey;
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

/** Counts of records. */
export interface RecordCounts {
  readonly logs: number;
  readonly unreadable: number;
  readonly remarks: readonly RemarkCount[];
  /** The first unreadable record. */
  readonly first?: UnreadableRecord;
}

/** Counts records. */
export interface RecordCounter {
  readonly count: (record: ReadRecord) => void;
  /** Counts logs without remarks. */
  readonly countLogs: (count: number) => void;
  /** Adds counts from elsewhere. */
  readonly add: (counts: RecordCounts) => void;
  readonly counts: () => RecordCounts;
}

/** Creates a counter at zero. */
export function recordCounter(): RecordCounter {
  const remarks = new Map<string, RemarkCount>();
  let [logs, unreadable] = [0, 0];
  let first: UnreadableRecord | undefined;
  return { count, countLogs, add, counts };

  function count(record: ReadRecord): void {
    if (record.kind === 'log') {
      logs++;
      for (const remark of record.remarks ?? []) countRemark(remark, 1);
    } else {
      unreadable++;
      first ??= record;
    }
  }

  function countLogs(count: number): void {
    logs += count;
  }

  function add(more: RecordCounts): void {
    logs += more.logs;
    unreadable += more.unreadable;
    first ??= more.first;
    for (const remark of more.remarks) countRemark(remark, remark.count);
  }

  function countRemark({ code, field, about }: Omit<RemarkCount, 'count'>, more: number): void {
    const key = `${code} ${field} ${about ?? ''}`;
    const count = (remarks.get(key)?.count ?? 0) + more;
    remarks.set(key, about === undefined ? { code, field, count } : { code, field, about, count });
  }

  function counts(): RecordCounts {
    return { logs, unreadable, remarks: [...remarks.values()], ...(first && { first }) };
  }
}
