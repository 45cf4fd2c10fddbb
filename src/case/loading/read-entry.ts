import { createHash } from 'node:crypto';
import {
  type Allocate,
  type Format,
  joinRegions,
  type LogRecord,
  lineFeed,
  longestRecord,
  type OpenText,
  openText,
  type ReadRecord,
  type Region,
  recordsOf,
  regionCutter,
  type UnreadableRecord,
  type Zone,
} from '../../records/index.ts';
import type { PartProblem, StoredPart } from '../file/parts.ts';
import { decompress } from '../originals/decompress.ts';
import type { FileEntry } from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import { type RecordBatch, recordBatcher } from '../rows/batches.ts';
import { partCheck } from './part-check.ts';
import {
  type RecordCounter,
  type RecordCounts,
  type RegionBatch,
  type RegionThreads,
  recordCounter,
  thisThread,
} from './read-regions.ts';

/** A zone and its name in the case. */
export interface NamedZone {
  readonly name: string;
  readonly zone: Zone;
}

/** Context of context an entry. */
export interface ReadContext {
  /** Zone of times that name none. Default: UTC. */
  readonly zone?: NamedZone;
  /** Time of the last change of the file: milliseconds since the epoch. An entry may have its own. */
  readonly modified?: number | undefined;
  /** Refuses an entry with implausible times. */
  readonly isStrict?: boolean | undefined;
  /** Receives numbers of inflated bytes before they are read; throws to abort. */
  readonly onBytes: (bytes: number) => void;
  /** Receives the counts of records that were read. */
  readonly onRecords: (entry: FileEntry, records: Pick<RecordCounts, 'logs' | 'unreadable'>) => void;
  /**
   * An export job produced the file: an entry with the bytes of an earlier one repeats its logs,
   * which are wanted once.
   */
  readonly isExport?: boolean;
  /**
   * Reads a zip entry for its logs, even if it is certainly not a log file, or a zip with its own
   * entries.
   */
  readonly asLogs?: boolean;
  /** Reports if a log belongs in the case; called once for each log, in order. Default: all. */
  readonly isWanted?: (record: LogRecord) => boolean;
  /** Returns threads that read NDJSON, if the entry is worth starting them. */
  readonly threadsFor?: (entry: FileEntry) => RegionThreads | undefined;
  /** Creates the filter for messages of an upgrade, unless `isWanted` is given. Default: all. */
  readonly upgradeFilter?: () => Promise<NonNullable<ReadContext['isWanted']>>;
  /**
   * Reads every record with the reference reader, none with the equivalent fast one. `sample` does so with random
   * regions of NDJSON.
   */
  readonly skipFastPath?: boolean | 'sample';
}

/** Summary of a read entry. */
export interface ReadSummary
  extends Pick<
    StoredPart,
    'logs' | 'unreadable' | 'bytes' | 'format' | 'remarks' | 'problem' | 'entrySha256'
  > {
  /** Number of unwanted logs. */
  readonly leftOut?: number;
}

/**
 * Takes records of an entry in order; resolves when it can take more. `before` is the number of
 * records read before the batch.
 */
export type TakeBatch = (batch: RecordBatch, before: number) => Promise<void>;

/**
 * Reads the records of an entry and passes them to `take`. Throws an `EntryProblem`,
 * or an error of `onBytes` or `take`.
 */
export async function readFileEntry(
  context: ReadContext,
  entry: FileEntry,
  take: TakeBatch,
): Promise<ReadSummary> {
  const hash = createHash('sha256');
  let bytes = 0;
  let innermost = '';
  const stored = tapped(entry.read(), (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  const noRecords = { logs: 0, unreadable: 0, remarks: [] };
  if (entry.isOpened && !context.asLogs) {
    await drain(tapped(stored, (chunk) => context.onBytes(chunk.length)));
    return { ...noRecords, bytes, format: entry.isOpened, entrySha256: hash.digest('hex') };
  }
  const inflated = decompress(stored, (name) => {
    innermost = name;
  });
  const text = tapped(inflated, (chunk) => context.onBytes(chunk.length));
  await using opened = await openText(text, context.zone?.zone.envelope);
  const { format, nonLogFormat } = opened;
  if (entry.isInArchive && nonLogFormat && !context.asLogs) {
    await drain(opened.text);
    return { ...noRecords, bytes, format: nonLogFormat, entrySha256: hash.digest('hex') };
  }
  const filter = await filterOf(context, entry, format);
  const counter = recordCounter();
  // The filter requires records in order and one by one.
  const { isExport } = context;
  const check = partCheck({ modified: entry.modified ?? context.modified, isExport });
  const checked: TakeBatch = (batch, before) => {
    check.add(batch);
    return take(batch, before);
  };
  const work = { context, entry, take: checked, counter };
  const leftOut =
    format === 'ndjson' && !filter && !opened.isEnveloped
      ? await readRegions(opened, work)
      : await readRecords(opened, filter, work);
  const table = tableOf(innermost, format);
  const implausible = context.isStrict && check.remarks().find(({ code }) => code === 'IMPLAUSIBLE_TIME');
  if (implausible)
    throw new EntryProblem(
      'IMPLAUSIBLE_TIME',
      `The time of ${implausible.count} of its logs is implausible: ${implausible.about}`,
    );
  const { logs } = counter.counts();
  const encoding = opened.assumedEncoding();
  const assumed =
    encoding === undefined
      ? []
      : [{ code: 'ASSUMED_ENCODING', field: 'text', count: logs, about: encoding } as const];
  const counts = withRemarks(counter.counts(), [...assumed, ...check.remarks()], leftOut);
  const remarks = table === 'workbook' ? counts.remarks.map(ofWorkbook) : counts.remarks;
  return {
    bytes,
    format: table ?? format,
    entrySha256: hash.digest('hex'),
    ...resultOf(entry, format, { ...counts, remarks }),
  };
}

/** Names the format of a file whose table was read as text, by what its bytes were in. */
function tableOf(innermost: string, format: Format): 'parquet' | 'workbook' | undefined {
  if (innermost === 'Parquet') return 'parquet';
  return innermost === 'zip' && format === 'csv' ? 'workbook' : undefined;
}

/** A workbook cannot carry all that its rows can elsewhere. */
function ofWorkbook(remark: RecordCounts['remarks'][number]): RecordCounts['remarks'][number] {
  return remark.code === 'OWN_FORM' ? { ...remark, about: 'workbook' } : remark;
}

function withRemarks(counts: RecordCounts, more: RecordCounts['remarks'], leftOut: number) {
  return { ...counts, remarks: [...counts.remarks, ...more], leftOut };
}

/** Receives the records of an entry. */
interface RecordTaker {
  readonly take: TakeBatch;
  /** Forgets the records of the entry so far. */
  readonly discard: () => Promise<void>;
}

/** Reads an entry as `readFileEntry` does; an unreadable one becomes one record that states the problem. */
export async function readOrRefuse(
  context: ReadContext,
  entry: FileEntry,
  { take, discard }: RecordTaker,
): Promise<ReadSummary> {
  try {
    return await readFileEntry(context, entry, take);
  } catch (error) {
    await discard();
    if (!(error instanceof EntryProblem)) throw error;
    const { problem } = error;
    const position = { number: 1, offset: 0, length: entry.bytes ?? 0 };
    const batcher = recordBatcher();
    batcher.add({ kind: 'unreadable', code: problem.code, reason: problem.message, raw: '', position });
    await take(batcher.take(), 0);
    return { bytes: position.length, logs: 0, unreadable: 1, remarks: [], format: 'unknown', problem };
  }
}

/** Chooses the filter for the logs of an entry; undefined if all are wanted. */
async function filterOf(
  context: ReadContext,
  entry: FileEntry,
  format: Format,
): Promise<ReadContext['isWanted']> {
  if (context.isExport && (await isRepeatedEntry(entry))) return () => false;
  return context.isWanted ?? (format === 'upgrade' ? await context.upgradeFilter?.() : undefined);
}

/** Reads to the end, which verifies the bytes. */
async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

interface Work {
  readonly context: ReadContext;
  readonly entry: FileEntry;
  readonly take: TakeBatch;
  readonly counter: RecordCounter;
}

/** Reads the records of an entry one by one; returns the number of unwanted logs. */
async function readRecords(
  opened: OpenText,
  filter: ReadContext['isWanted'],
  { context, entry, take, counter }: Work,
): Promise<number> {
  const { zone } = context;
  const batcher = recordBatcher();
  let leftOut = 0;
  for await (const read of recordsOf(opened, zone ? { zone: zone.zone, envelope: zone.zone.envelope } : {})) {
    const records = filter ? read.filter(recordFilter(filter)) : read;
    leftOut += read.length - records.length;
    for (const record of records) {
      counter.count(record);
      batcher.add(record);
      if (batcher.isFull()) await take(batcher.take(), 0);
    }
    const logs = records.filter(({ kind }) => kind === 'log').length;
    context.onRecords(entry, { logs, unreadable: records.length - logs });
  }
  await take(batcher.take(), 0);
  return leftOut;
}

/** Unreadable records are always stored. */
function recordFilter(filter: NonNullable<ReadContext['isWanted']>): (record: ReadRecord) => boolean {
  return (record) => record.kind !== 'log' || filter(record);
}

/** Reads an NDJSON entry by regions, in threads if worthwhile, and writes the records in order. */
async function readRegions({ text }: OpenText, { context, entry, take, counter }: Work): Promise<0> {
  const threads = context.threadsFor?.(entry) ?? thisThread;
  const zone = context.zone && { zone: context.zone.name };
  const read = (region: Region): Promise<RegionBatch> =>
    (isSmall(region) ? thisThread : threads).read({ region, skipFastPath: skipsFastPath(context), ...zone });
  let before = 0;
  const begun = readAhead<{ readonly answer: Promise<RegionBatch> }>(threads.capacity, async (put) => {
    for await (const region of splitRegions(text, threads)) {
      const answer = read(region);
      // A failure is thrown when its turn comes; no unhandled rejection until then.
      answer.catch(() => undefined);
      await put({ answer }, 1);
    }
  });
  for await (const { answer } of begun) {
    const { counts, ...batch } = await answer;
    counter.add(counts);
    await take(batch, before);
    context.onRecords(entry, counts);
    before += counts.logs + counts.unreadable;
  }
  return 0;
}

/** Share of regions in a sample: the reference reader takes several times as long as the fast one. */
const sampledShare = 1 / 32;

function skipsFastPath({ skipFastPath = false }: ReadContext): boolean {
  return skipFastPath === 'sample' ? Math.random() < sampledShare : skipFastPath;
}

/** Options of splitting a text. */
interface RegionOptions {
  /** Inflated bytes of each region. Default: some thousands of logs, which outweigh a database statement. */
  readonly length?: number;
  readonly allocate: Allocate;
}

const regionLength = 2 * 1024 * 1024;

/** Approximate maximum lines of a region: the record of a line takes some hundred bytes, however short. */
const mostLines = 64 * 1024;

/** Bytes of a piece from which its lines are estimated: counting all takes a thirtieth of an import. */
const sampleLength = 8 * 1024;

function estimateLines({ bytes }: Region): number {
  const sample = bytes.subarray(0, sampleLength);
  let lines = 1;
  for (let end = sample.indexOf(lineFeed); 0 <= end; end = sample.indexOf(lineFeed, end + 1)) lines++;
  return (lines * bytes.length) / Math.max(1, sample.length);
}

/**
 * Splits a text into regions of about a length, or shorter ones if lines are short. Regions that
 * are not cut own their memory.
 */
export async function* splitRegions(
  text: AsyncIterable<Uint8Array>,
  { length = regionLength, allocate }: RegionOptions,
): AsyncGenerator<Region, void, undefined> {
  const cutter = regionCutter(longestRecord);
  let waiting: Region[] = [];
  let lines = 0;
  for await (const piece of text) {
    for (const region of cutter.push(piece)) {
      if (region.isCut) {
        yield* joinRegions(waiting, allocate);
        yield region;
        waiting = [];
        lines = 0;
      } else {
        waiting.push(region);
        lines += estimateLines(region);
      }
    }
    if (mostLines <= lines || length <= waiting.reduce((sum, region) => sum + region.length, 0)) {
      yield* joinRegions(waiting, allocate);
      waiting = [];
      lines = 0;
    }
  }
  const [last] = cutter.end();
  if (last && !last.isCut) waiting.push(last);
  yield* joinRegions(waiting, allocate);
  if (last?.isCut) yield last;
}

/**
 * Reading a smaller region is faster than sending it to a thread. So is a cut one, a single
 * unreadable record.
 */
const smallRegion = 64 * 1024;

function isSmall({ isCut, length }: Region): boolean {
  return isCut || length < smallRegion;
}

async function* tapped(
  chunks: AsyncIterable<Uint8Array>,
  use: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    use(chunk);
    yield chunk;
  }
}

function resultOf(
  { unopened }: FileEntry,
  format: Format,
  { first, leftOut, ...counts }: RecordCounts & { readonly leftOut: number },
) {
  const isLost = counts.logs + leftOut === 0 && first;
  const problem = isLost && problemOf(format, first, { unopened, unreadable: counts.unreadable });
  return { ...counts, ...(problem && { problem }), ...(0 < leftOut && { leftOut }) };
}

/** Returns the problem of an entry with only unreadable records. */
function problemOf(
  format: Format,
  first: UnreadableRecord,
  { unopened, unreadable }: { readonly unopened: string | undefined; readonly unreadable: number },
): PartProblem {
  switch (format) {
    case 'zip':
    case 'tar':
    case 'gzip': {
      const why = unopened === undefined ? '' : ` that is not opened: ${unopened}`;
      return {
        code: 'NESTED_ARCHIVE',
        message: `${first.reason}${why}; take it out and import it by itself`,
      };
    }
    case 'html':
    case 'unknown':
    case 'empty':
      return { code: 'NOT_LOGS', message: first.reason };
    case 'ndjson':
    case 'json':
    case 'csv':
    case 'xml':
    case 'upgrade':
    default:
      return {
        code: 'NOT_LOGS',
        message: `None of its ${unreadable} records is a log; the first: ${first.reason}`,
      };
  }
}

/** Reports if an earlier entry of the same zip has exactly the same bytes; false for an unreadable entry. */
async function isRepeatedEntry({ twin, read }: FileEntry): Promise<boolean> {
  if (!twin) return false;
  const own = await hashOf(read());
  return own !== undefined && own === (await hashOf(twin.read()));
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunks) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof EntryProblem) return undefined;
    throw error;
  }
}

/** Hands an item to the consumer. Resolves when there is room for another; rejects if nobody wants more. */
export type Put<Item> = (item: Item, weight: number) => Promise<void>;

/** Ends work whose results nobody wants. */
class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/**
 * Yields in order what `produce` puts, while `produce` goes on: a bounded queue between two kinds of work. There is room
 * while the items weigh less than `limit` together. An item counts until the one after it is requested, so one of the
 * weight `limit` holds `produce` until the consumer is done with everything up to it.
 *
 * A failure of `produce` is thrown behind what it put. It has ended when the consumer has.
 */
export async function* readAhead<Item>(
  limit: number,
  produce: (put: Put<Item>) => Promise<void>,
): AsyncGenerator<Item, void, undefined> {
  const waiting: { readonly item: Item; readonly weight: number }[] = [];
  let [total, isEnded, isUnwanted] = [0, false, false];
  /** Wakes whichever side waits for the other: never do both. */
  let wake = () => {};
  const woken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const producing = produce(put).finally(() => {
    isEnded = true;
    wake();
  });
  // It is thrown when its turn comes; no unhandled rejection until then.
  producing.catch(() => undefined);
  try {
    while (0 < waiting.length || !isEnded) {
      const next = waiting.shift();
      if (!next) {
        await woken();
        continue;
      }
      yield next.item;
      total -= next.weight;
      wake();
    }
    await producing;
  } finally {
    isUnwanted = true;
    wake();
    await producing.catch(() => undefined);
  }

  async function put(item: Item, weight: number): Promise<void> {
    waiting.push({ item, weight });
    total += weight;
    wake();
    while (limit <= total && !isUnwanted) await woken();
    if (isUnwanted) throw new Unwanted('Nobody wants what is read');
  }
}
